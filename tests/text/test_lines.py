"""Lines that a user gives."""

from __future__ import annotations

import io

import pytest
from wikibias.kits.tables import decoded_lines, given_sentences

from wikibias.errors import WikibiasError


def test_lines_have_numbers_and_no_ends() -> None:
    stream = io.BytesIO("\ufeffa\r\n\nб".encode())
    assert list(decoded_lines(stream, "f")) == [(1, "a"), (2, ""), (3, "б")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\n\xff", "f:2: not UTF-8"),
        (b"a\0", "f:1: a NUL byte"),
        (b"%PDF-1.4\n%\xe2", "f: a PDF; give its text"),
        (b"a" * 10_000_001, "f:1: longer than 10 MB; give a paragraph a line"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        list(decoded_lines(io.BytesIO(content), "f", "paragraph"))


def test_of_json_lines_the_text_is_the_sentence() -> None:
    content = b'{"text": "A mill.", "id": 7}\n\n{"text": "An inn."}\n'
    found = [*given_sentences(io.BytesIO(content), "f.JSONL")]
    assert found == [(1, "A mill."), (2, ""), (3, "An inn.")]
    assert [*given_sentences(io.BytesIO(b'{"a": 1}\n'), "f.txt")] == [(1, '{"a": 1}')]


@pytest.mark.parametrize("line", [b"[1]", b"{", b'{"sentence": "A mill."}', b'{"text": null}'])
def test_a_line_without_a_text_is_named(line: bytes) -> None:
    with pytest.raises(WikibiasError, match=r"f\.jsonl:2: no "):
        list(given_sentences(io.BytesIO(b'{"text": "a"}\n' + line), "f.jsonl"))

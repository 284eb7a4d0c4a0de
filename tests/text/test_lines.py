"""Lines that a user gives."""

from __future__ import annotations

import io

import pytest

from wikibias.errors import WikibiasError
from wikibias.text.lines import decoded_lines


def test_lines_have_numbers_and_no_ends() -> None:
    stream = io.BytesIO("\ufeffa\r\n\nб".encode())
    assert list(decoded_lines(stream, "f")) == [(1, "a"), (2, ""), (3, "б")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\n\xff", "f:2: not UTF-8"),
        (b"a\0", "f:1: a NUL byte"),
        (b"a" * 10_000_001, "f:1: longer than 10 MB; give a paragraph a line"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        list(decoded_lines(io.BytesIO(content), "f", "paragraph"))

"""Reading lexicons, and finding their words in sentences."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import WikibiasError
from wikibias.research.lexicons import Lexicon, read_lexicon


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        b"splendid\nso called\n",
        b"\xef\xbb\xbf; a list\n\nSplendid\r\nso called\r\n",
        b"# a list\rsplendid\rso called\r",
        b"# word\tcount\nsplendid\t3\nso called\t2\n",
    ],
)
def test_each_line_is_a_word_or_phrase(tmp_path: Path, content: bytes) -> None:
    assert [*read_lexicon(written(tmp_path / "a.txt", content))] == ["so called", "splendid"]


def test_what_is_not_utf_8_is_latin_1(tmp_path: Path) -> None:
    found = read_lexicon(written(tmp_path / "a.txt", "naïve\n".encode("latin-1")))
    assert [*found] == ["naïve"]
    assert found.name == "a"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no word in it"),
        (b"; nothing\n", "no word in it"),
        (b"a\0b\n", "a NUL byte"),
        (b"word\n" + b"x " * 80 + b"\n", ":2: no word or phrase"),
    ],
)
def test_what_is_no_lexicon_is_said(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(WikibiasError, match=said):
        read_lexicon(written(tmp_path / "a.txt", content))


def test_words_and_phrases_are_marked_in_any_case() -> None:
    found = Lexicon.of("mine", ["splendid", "so called", "so"])
    words = ["So", "Called", "and", "SPLENDID", "so", "what"]
    assert found.marks(words) == [True, True, False, True, True, False]
    assert [*found] == ["so", "so called", "splendid"]


@given(st.lists(st.text(max_size=12), max_size=9))
def test_a_word_of_a_lexicon_is_marked(entries: list[str]) -> None:
    found = Lexicon.of("any", entries)
    for entry in found:
        assert all(found.marks(entry.split(" ")))


def test_lists_of_the_field_have_as_many_entries_as_published(shared: Path) -> None:
    folder = shared / "pairs" / "lexicons"
    table = (folder / "LEXICONS.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for name, items, *_ in (line.split("\t") for line in table):
        if not name.startswith("("):
            assert len([*read_lexicon(folder / name)]) == int(items)

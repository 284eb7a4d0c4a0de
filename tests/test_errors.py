"""Words of messages."""

import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import DumpError, cause_of, counted, nearest, printable, quoted


@pytest.mark.parametrize(("number", "said"), [(0, "0 parts"), (1, "1 part"), (1234, "1,234 parts")])
def test_a_number_with_what_it_counts(number: int, said: str) -> None:
    assert counted(number, "part") == said


def test_the_nearest_name() -> None:
    known = {"weasel", "peacock"}
    assert nearest("Peecock", known) == "; did you mean 'peacock'? Known: peacock, weasel"
    assert nearest("xyz", known) == ". Known: peacock, weasel"
    # Some letters that are the same are no slip.
    assert nearest("train", ["neutralise"]) == ". Known: neutralise"
    assert nearest("extract", ["detect"]) == ". Known: detect"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ünïcödé, 日本, \u0645\u06cc\u200c\u062e", "Ünïcödé, 日本, \u0645\u06cc\u200c\u062e"),
        ("\x1b[31m\x07\x00", r"\x1b[31m\x07\x00"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x7f\x80\x9b\x9f\xa0", "\\x7f\\x80\\x9b\\x9f\xa0"),
        ("\u202a\u202e\u2066\u2069\u2028", r"\u202a\u202e\u2066\u2069\u2028"),
        ("\u200b\ufeff\U000e0041", r"\u200b\ufeff\U000e0041"),
        ("\udcff", r"\udcff"),
        (r"\x1b", r"\x1b"),
    ],
)  # fmt: skip
def test_what_draws_on_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_what_has_a_meaning_is_kept() -> None:
    assert printable("a\tb\n\x1b", keep="\t\n") == "a\tb\n\\x1b"


@pytest.mark.hypothesis
@given(st.text())
def test_what_is_escaped_can_be_printed(text: str) -> None:
    shown = printable(text)
    assert printable(shown) == shown
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", shown.encode("utf-8").decode("utf-8"))


@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("corpora/fr", "corpora/fr"), ("my corpus", '"my corpus"'), ("isal>=1.6", '"isal>=1.6"'),
        ("l'été", '"l\'été"'), ("", '""'), ("$HOME", "'$HOME'"),
        (r"C:\Users\my corpus", r'"C:\Users\my corpus"'),
    ],
)  # fmt: skip
def test_a_command_is_quoted_as_windows_knows_it_too(word: str, typed: str) -> None:
    assert quoted("wikibias", word) == f"wikibias {typed}"


@pytest.mark.hypothesis
@given(st.lists(st.text()))
def test_a_shell_takes_a_quoted_command_apart_again(words: list[str]) -> None:
    assert shlex.split(quoted(*words)) == words


def caught(error: Exception) -> str:
    try:
        raise error
    except Exception as raised:
        return cause_of(raised)


def test_the_cause_is_one_line_with_the_place_of_a_fault() -> None:
    assert re.fullmatch(r"KeyError: 'x' \(test_errors\.py:\d+\)", caught(KeyError("x")))
    assert re.fullmatch(r"MemoryError \(test_errors\.py:\d+\)", caught(MemoryError()))
    assert "\n" not in caught(ValueError("a\nb"))
    assert len(caught(ValueError("a" * 100_000))) < 300
    assert caught(DumpError("is cut off")) == "is cut off"
    assert cause_of(KeyError("x")) == "KeyError: 'x'"

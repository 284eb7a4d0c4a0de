"""Words of messages."""

from __future__ import annotations

import re

import pytest

from wikibias.errors import DumpError
from wikibias.messages import cause_of, counted, nearest, printable


@pytest.mark.parametrize(("number", "said"), [(0, "0 parts"), (1, "1 part"), (1234, "1,234 parts")])
def test_a_number_with_what_it_counts(number: int, said: str) -> None:
    assert counted(number, "part") == said


def test_the_nearest_name() -> None:
    known = {"weasel", "peacock"}
    assert nearest("Peecock", known) == "; did you mean 'peacock'? Known: peacock, weasel"
    assert nearest("xyz", known) == ". Known: peacock, weasel"


def caught(error: Exception) -> str:
    try:
        raise error
    except Exception as raised:
        return cause_of(raised)


def test_the_cause_is_one_line_with_the_place_of_a_fault() -> None:
    assert re.fullmatch(r"KeyError: 'x' \(test_messages\.py:\d+\)", caught(KeyError("x")))
    assert re.fullmatch(r"MemoryError \(test_messages\.py:\d+\)", caught(MemoryError()))
    assert "\n" not in caught(ValueError("a\nb"))
    assert len(caught(ValueError("a" * 100_000))) < 300
    assert caught(DumpError("is cut off")) == "is cut off"
    assert cause_of(KeyError("x")) == "KeyError: 'x'"


def test_what_a_terminal_would_obey_is_shown() -> None:
    assert printable("\x1b[2JŽižkov\ud83d\n") == "\\x1b[2JŽižkov\\ud83d\\n"

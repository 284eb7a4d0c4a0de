"""Tests of marked spans that come back."""

from __future__ import annotations

from typing import Any

import pytest

from wikibias.research.annotation.exchange.doubts import Doubts
from wikibias.research.annotation.exchange.marks import read_marks
from wikibias.research.annotation.exchange.rows import Mark

TEXT = "So 🚲 the famous mill"
FAMOUS = Mark(9, 15, "framing")


def read(*spans: Any, units: bool = False) -> tuple[tuple[Mark, ...], str]:
    """Return the spans that are taken, and what is doubted."""
    doubts = Doubts()
    found = read_marks(list(spans), TEXT, ("framing", "loaded"), "p", doubts, units=units)
    return found, " ".join(doubts.lines())


def span(start: int, end: int, **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "labels": ["framing"], **more}


def test_places_in_characters_are_taken() -> None:
    assert read(span(9, 15, text="famous")) == ((FAMOUS,), "")
    assert read({"start": 9, "end": 15, "label": "framing"}) == ((FAMOUS,), "")


def test_places_in_units_are_told_by_the_words_that_they_hold() -> None:
    found, said = read(span(10, 16, text="famous"))
    assert found == (FAMOUS,)
    assert "1 span counted as browsers do" in said


def test_without_words_units_are_taken_for_units_where_a_program_counts_so() -> None:
    found, said = read(span(10, 16), units=True)
    assert found == (FAMOUS,)
    assert "counted as browsers do" in said
    assert read(span(0, 2), units=True) == ((Mark(0, 2, "framing"),), "")


@pytest.mark.parametrize(
    "wrong",
    [
        span(9, 15, text="mills"),
        span(15, 9),
        span(-3, 2),
        span(9, 99),
        span(9, 9),
        {"start": "9", "end": 15, "labels": ["framing"]},
        {"labels": ["framing"]},
        "famous",
        None,
    ],
)
def test_what_does_not_fit_is_left_out_and_noted(wrong: Any) -> None:
    found, said = read(wrong)
    assert found == ()
    assert "1 span that cannot stand where it is said to" in said


def test_labels_are_checked_and_no_span_counts_twice() -> None:
    found, said = read(span(9, 15), span(9, 15, labels=["loaded", "framing", "praise"]))
    assert found == (FAMOUS, Mark(9, 15, "loaded"))
    assert "1 span with an unknown label; left out; the first: p 'praise'" in said


def test_no_list_is_no_span() -> None:
    assert read_marks("x", TEXT, (), "p", Doubts()) == ()
    assert read_marks(None, TEXT, (), "p", Doubts()) == ()

"""Tests of doubts that are counted."""

from __future__ import annotations

from wikibias.research.annotation.exchange.doubts import Doubts, brief


def test_counts_each_kind_and_tells_the_first_place() -> None:
    doubts = Doubts()
    doubts.add("row", "left out", "a.csv:3", "x")
    doubts.add("row", "left out", "a.csv:9", "y")
    doubts.add("text", "changed", "a.csv:4")
    assert doubts.lines() == [
        "2 rows left out; the first: a.csv:3 'x'",
        "1 text changed; the first: a.csv:4",
    ]


def test_of_very_many_kinds_the_first_are_shown() -> None:
    doubts = Doubts()
    for number in range(30):
        doubts.add("row", f"odd in way {number}", "a.csv:1")
    assert len(doubts.lines()) == 21
    assert doubts.lines()[-1] == "and 10 more kinds of doubt"


def test_values_of_others_are_short_and_draw_nothing() -> None:
    assert brief("a\x1b[2Jb\nc") == "'a\\x1b[2Jb c'"
    assert len(brief("x" * 1000)) < 70

"""Texts that share most of their words are paired."""

from __future__ import annotations

from wikibias.edits.intents.elements import Overlap


def test_the_most_alike_are_paired_first() -> None:
    old = ["the old mill", "a river"]
    new = ["a wide river", "the mill", "the old red mill"]
    assert sorted(Overlap(old, new).pairs()) == [(0, 2), (1, 0)]


def test_strangers_and_what_has_no_words_stay_alone() -> None:
    assert Overlap(["mill", "", "--"], ["river", "", "--"]).pairs() == []

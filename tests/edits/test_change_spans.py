"""What changed between two texts, in whole words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.word_diff import changed_spans, within, words, written

TEXTS = st.lists(st.sampled_from("the Old mill, stood - (by) 1,240 水車 za\u0301 …".split())).map(
    " ".join
)


@pytest.mark.parametrize(
    ("left", "right", "gone", "come"),
    [
        ("It is the finest mill.", "It is a mill.", ["the finest"], ["a"]),
        ("The mill, they say, burnt.", "the mill they say burnt", [], []),
        ("He had 1,240 sheep.", "He had 1240 sheep.", [], []),
        ("He had 1,240 sheep.", "He had 1,310 sheep.", ["1,240"], ["1,310"]),
        ("A well-known mill", "A known mill", ["well-known"], ["known"]),
        ("Red\u2014blue mill", "Red\u2014green mill", ["blue"], ["green"]),
        ("最も美しい水車", "古い水車", ["最も美し"], ["古"]),
        ("L'air est pur.", "L’air est doux.", ["pur"], ["doux"]),
        ("", "New.", [], ["New"]),
    ],
)
def test_what_changed(left: str, right: str, gone: list[str], come: list[str]) -> None:
    spans = changed_spans(left, right)
    assert [left[start:end] for start, end in spans[0]] == gone
    assert [right[start:end] for start, end in spans[1]] == come


@given(TEXTS, TEXTS)
def test_what_did_not_change_is_in_both(left: str, right: str) -> None:
    rest = []
    for text, spans in zip((left, right), changed_spans(left, right), strict=True):
        kept = [(a, b) for a, b in words(text) if not any(s <= a < e for s, e in spans)]
        rest.append([text[a:b].lower() for a, b in kept])
    assert rest[0] == rest[1]


@given(TEXTS)
def test_words_hold_all_letters(text: str) -> None:
    found = list(words(text))
    assert found == sorted(found)
    inside = "".join(text[start:end] for start, end in found)
    assert [c for c in inside if c.isalnum()] == [c for c in text if c.isalnum()]


def test_spans_of_a_part_are_counted_from_its_beginning() -> None:
    text = "A mill. (By it, a dam.)"
    assert within(text, [(2, 11), (16, 21)], 8, 23) == [(1, 3), (8, 13)]
    assert written([(2, 6), (9, 12)]) == "2:6 9:12"

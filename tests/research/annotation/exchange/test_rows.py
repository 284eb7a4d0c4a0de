"""Tests of the rows that answers are written as."""

from __future__ import annotations

from exchange_tasks import BIAS, TYPES
from wikibias.research.annotation.exchange.doubts import Doubts
from wikibias.research.annotation.exchange.rows import Answer, Mark, as_rows, last_of_each


def test_the_last_answer_counts_and_others_are_noted() -> None:
    doubts = Doubts()
    answers = [
        Answer("b", "2", {"bias": "neutral"}, place="f:1"),
        Answer("b", "1", {"bias": "neutral"}, place="f:2"),
        Answer("a", "1", {"bias": "biased"}, place="f:3"),
        Answer("b", "1", {"bias": "biased"}, place="f:4"),
        Answer("a", "1", {"bias": "biased"}, place="f:5"),
        Answer("a", "1", {"bias": None}, place="f:6"),
    ]
    found = last_of_each(answers, ["a", "b"], doubts)
    assert [(a.item, a.annotator, a.values["bias"]) for a in found] == [
        ("a", "1", "biased"),
        ("b", "1", "biased"),
        ("b", "2", "neutral"),
    ]
    assert doubts.lines() == [
        "1 item answered twice by one annotator, differently; the last answer is taken; the "
        "first: f:4 'b'",
        "1 item answered twice by one annotator, in the same way; the first: f:5 'a'",
    ]


def test_a_row_has_a_column_for_each_question() -> None:
    answer = Answer("a", "1", {"bias_types": ["framing"]}, (Mark(0, 2, "framing"),), "Why?")
    assert as_rows([answer], TYPES) == [
        {
            "item": "a",
            "annotator": "1",
            "bias_types": ["framing"],
            "spans": [{"start": 0, "end": 2, "label": "framing"}],
            "comment": "Why?",
        }
    ]
    (row,) = as_rows([Answer("a", "1", {"bias": "?"})], BIAS)
    assert row == {"item": "a", "annotator": "1", "bias": "?", "comment": ""}


def test_an_answer_that_says_nothing_is_empty() -> None:
    assert Answer("a", "1", {"bias": None}).is_empty
    assert not Answer("a", "1", {"bias": []}).is_empty
    assert not Answer("a", "1", {"bias": None}, comment="Why?").is_empty


def test_a_comment_alone_is_no_answer() -> None:
    assert not Answer("a", "1", {"bias": None}, comment="Why?").says_something
    assert Answer("a", "1", {"bias": None}, (Mark(0, 2, "framing"),)).says_something
    assert Answer("a", "1", {"bias": []}).says_something

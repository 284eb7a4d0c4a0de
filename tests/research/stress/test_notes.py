"""What is told beside the figures of stress tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wikibias.research.stress.answers import Answer, Label
from wikibias.research.stress.cases import Case
from wikibias.research.stress.notes import notes
from wikibias.research.stress.scoring import Bootstrap, score

QUICK = Bootstrap(resamples=20)


def given(number: int, predicted: Label, original: Label = "", *, biased: bool = False) -> Answer:
    first = f"Town {number} is old."
    case = Case("t", "INV", "", first, first, f"Village {number} is old.", biased, biased)
    return Answer(case, predicted, original)


def test_changes_of_spaces_and_unreadable_answers_are_told() -> None:
    case = Case("loaded", "DIR", "", "t", "Old, yes.", "Old , yes .", True, False)
    lines = notes(score({"m": [Answer(case, "?")]}, QUICK))
    assert "1 of 1 changed rows differ from their original in spaces alone" in lines[0]
    assert "1 answer of neither biased nor neutral (? or empty)" in lines[1]


def test_few_right_originals_and_no_common_row_are_told() -> None:
    one = [given(n, "neutral", "biased" if n else "neutral") for n in range(20)]
    two = [given(n, "neutral", "neutral" if n == 5 else "biased") for n in range(20)]
    result = score({"one": one, "two": two}, QUICK)
    assert result["common"]["t"] == {
        "rows": 0,
        "models": {name: {"value": None, "low": None, "high": None} for name in ("one", "two")},
        "mcnemar": [],
        "pairs": [],
    }
    first, second, _ = notes(result)
    assert first == "t: no row is common to two models, so that none are compared"
    assert second.startswith("one, t: only 1 of 20 rows have an original")


def test_the_model_that_shares_no_row_is_named() -> None:
    answers = {
        "one": [given(n, "neutral", "neutral") for n in range(6)],
        "two": [given(n, "neutral", "neutral") for n in range(5)],
        "three": [given(n, "neutral", "biased") for n in range(6)],
    }
    first, second = notes(score(answers, QUICK))
    assert first.endswith("on those that both have; no other model has one of three")
    assert second.startswith("three, t: none of 6 rows has an original that was called what it is")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("neutral", "neutral", "neutral"), "called every case neutral (3), none biased"),
        (("biased", "biased", "?"), "called every case biased (2), none neutral"),
        (("neutral", "biased", "neutral"), ""),
    ],
)
def test_a_model_that_says_the_same_of_all_is_told(said: tuple[Label, ...], told: str) -> None:
    answers = [given(n, each, biased=n == 2) for n, each in enumerate(said)]
    lines = [line for line in notes(score({"m": answers}, QUICK)) if "called every" in line]
    assert len(lines) == bool(told)
    assert told in "".join(lines)


def test_saying_the_same_where_all_are_the_same_is_no_note() -> None:
    assert notes(score({"m": [given(n, "neutral") for n in range(3)]}, QUICK)) == []


def test_what_holds_of_several_tests_is_said_once() -> None:
    answers = [
        Answer(replace(each.case, test=test), "?")
        for test in ("a", "b")
        for each in (given(1, "?"), given(2, "?"))
    ]
    (line,) = notes(score({"m": answers}, QUICK))
    assert line.startswith("m, a, b: 2 answers of neither")

"""Scores of the rules of intents against what people say."""

from __future__ import annotations

from wikibias.research.annotation.intent_scores import Answer, names_in, score_rules, unknown_names


def _said(edit: int, **by: str) -> list[Answer]:
    return [Answer(("w", edit), who, names_in(cell)) for who, cell in by.items()]


_ANSWERS = [
    *_said(1, a="citation", b="citation", c="none"),
    *_said(2, a="citation;clarification", b="", c=""),
    *_said(3, a="none", b="none", c="clarification"),
    *_said(4, a="Citation", b="citation", c="citation"),
]


def test_one_annotator_is_enough_and_the_majority_is_more() -> None:
    found = score_rules(_ANSWERS, {"citation": {("w", 1), ("w", 3), ("w", 99)}}, resamples=50)
    scores = found["citation"]
    assert (scores["edits"], scores["annotators"], scores["by_rule"]) == (4, 3, 2)
    assert scores["any"]["positive"] == 3
    assert scores["any"]["precision"]["value"] == 1 / 2
    assert scores["any"]["recall"]["value"] == 1 / 3
    assert scores["majority"]["positive"] == 2
    assert scores["majority"]["recall"]["value"] == 1 / 2
    assert scores["krippendorff"]["value"] is not None


def test_what_cannot_be_known_is_none() -> None:
    found = score_rules(_ANSWERS, {"copy-edit": set()}, resamples=10)["copy-edit"]
    assert found["any"]["precision"] == {"value": None, "low": None, "high": None}
    assert found["krippendorff"]["value"] is None
    nothing = score_rules([], {"citation": {("w", 1)}}, resamples=10)["citation"]
    assert nothing["edits"] == 0
    assert nothing["any"]["recall"]["value"] is None


def test_an_annotator_who_is_asked_twice_counts_once() -> None:
    twice = [*_said(1, a="citation"), *_said(1, a="none"), *_said(1, b="none")]
    scores = score_rules(twice, {"citation": {("w", 1)}}, resamples=10)["citation"]
    assert scores["any"]["positive"] == 1
    assert scores["majority"]["positive"] == 0


def test_names_of_a_cell() -> None:
    assert names_in(" Citation , point-of-view;none ") == {"citation", "point-of-view"}
    assert names_in("") == frozenset()
    assert unknown_names(_ANSWERS, ["citation"]) == ["clarification"]

"""What is measured of rewrites, and the intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wikibias.research.neutralising.measures import Rewrites, changed, measure, summary

SOURCES = [
    f"the {word} mill of the town was closed in {1900 + n}"
    for n, word in enumerate("notorious famous hideous lovely great terrible awful grand".split())
]
TARGETS = [f"the mill of the town was closed in {1900 + n}" for n in range(len(SOURCES))]


def scores(outputs: list[str], **more: Any) -> dict[str, Any]:
    return summary(measure(Rewrites(SOURCES, TARGETS, outputs), **more), resamples=200)


def test_a_copy_and_the_editors_text_are_the_two_ends() -> None:
    copy, right = scores(SOURCES), scores(TARGETS)
    assert (copy["n"], copy["exact"], copy["unchanged"]) == (8, 0, 8)
    assert (right["bleu"], right["exact_pct"], right["unchanged"]) == (100.0, 100.0, 0)
    assert copy["bleu"] < 100
    assert (copy["change_rate"], copy["chrf_to_source"]) == (0.0, 100.0)
    assert right["sari"] == 100.0 > copy["sari"]
    assert copy["bias_left"] is None


def test_intervals_hold_the_score_and_are_the_same_each_time() -> None:
    outputs = [*TARGETS[:4], *SOURCES[4:]]
    found = scores(outputs)
    low, high = found["intervals"]["exact_pct"]
    assert low < found["exact_pct"] == 50.0 < high
    assert found == scores(outputs)
    assert "no success rate" in found["note"]


def test_one_row_has_no_interval() -> None:
    found = summary(measure(Rewrites(SOURCES[:1], TARGETS[:1], TARGETS[:1])))
    assert (found["exact"], found["intervals"]) == (1, {})


def test_the_bias_that_is_left_is_the_mean_of_the_classifier() -> None:
    found = scores(TARGETS, bias=lambda texts: np.full(len(texts), 0.25))
    assert found["bias_left"] == 0.25
    assert found["intervals"]["bias_left"] == [0.25, 0.25]


@pytest.mark.parametrize(
    ("source", "output", "rate"),
    [("a b c d", "a b c d", 0), ("a b c d", "a b d", 25), ("a b", "a x", 50), ("", "", 0)],
)
def test_tokens_changed(source: str, output: str, rate: float) -> None:
    assert changed(source.split(), output.split()) == rate

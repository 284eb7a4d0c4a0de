"""Scores of several labels count what is judged, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from wikibias.kits.evaluation import Predictions, score
from wikibias.models.evaluation.experiment import as_dict, co_occurrence, judge
from wikibias.models.examples import Examples, LabelledExamples

RNG = np.random.default_rng(0)
SIZE, NAMES = 200, ["a", "b", "c"]
LABELS = RNG.random((SIZE, 3)) < [0.5, 0.3, 0.1]
JUDGED = (RNG.random((SIZE, 3)) < 0.8) | LABELS
GUESSES = np.clip(LABELS * 0.4 + RNG.random((SIZE, 3)) * 0.6, 0, 1)


def sentences(pages: bool = True) -> LabelledExamples:
    places = np.arange(SIZE)
    examples = Examples(
        "made up",
        [f"sentence {n}" for n in places],
        np.asarray(LABELS.any(axis=1)),
        places + 1,
        pages=places // 4 if pages else None,
    )
    return LabelledExamples(examples, LABELS, JUDGED)


@pytest.mark.parametrize("pages", [True, False])
def test_scores_are_those_of_scikit_learn(pages: bool) -> None:
    found = as_dict(judge(sentences(pages), GUESSES, NAMES, [0.5] * 3, resamples=50))
    decided = GUESSES > 0.5
    by_hand = [
        f1_score(LABELS[JUDGED[:, n], n], decided[JUDGED[:, n], n]) for n in range(len(NAMES))
    ]
    for name, f1 in zip(NAMES, by_hand, strict=True):
        assert found["labels"][name]["f1"]["value"] == pytest.approx(f1)
    assert found["macro"]["f1"]["value"] == pytest.approx(np.mean(by_hand))
    assert found["micro"]["f1"]["value"] == pytest.approx(f1_score(LABELS[JUDGED], decided[JUDGED]))
    known = JUDGED.any(axis=1)
    right = ((decided == LABELS) | ~JUDGED).all(axis=1)[known].mean()
    assert found["subset_accuracy"]["value"] == pytest.approx(right)
    for entry in (found["micro"]["mcc"], found["macro"]["mcc"], found["subset_accuracy"]):
        assert entry["low"] < entry["value"] < entry["high"]


def test_what_is_not_judged_changes_nothing() -> None:
    other = GUESSES.copy()
    other[~JUDGED] = 1 - other[~JUDGED]
    first, second = (
        as_dict(judge(sentences(), guesses, NAMES, [0.5] * 3, resamples=20, seed=1))
        for guesses in (GUESSES, other)
    )
    assert first == second


def test_a_label_that_no_sentence_has_leaves_the_means_alone() -> None:
    given = sentences()
    without = LabelledExamples(given.examples, LABELS & [True, True, False], JUDGED)
    found = as_dict(judge(without, GUESSES, NAMES, [0.5] * 3, resamples=20))
    assert found["labels"]["c"]["recall"]["value"] is None
    recalls = [score(without.of(n).biased, found_of(without, n))["recall"] for n in range(2)]
    assert found["macro"]["recall"]["value"] == pytest.approx(np.mean([r or 0 for r in recalls]))


def found_of(given: LabelledExamples, column: int) -> Predictions:
    return Predictions.of(GUESSES[given.judged[:, column], column])


def test_co_occurrence_counts_sentences() -> None:
    counts = co_occurrence(sentences(), NAMES)
    assert counts["a"]["a"] == int(LABELS[:, 0].sum())
    assert counts["a"]["b"] == counts["b"]["a"] == int((LABELS[:, 0] & LABELS[:, 1]).sum())


def test_a_label_that_judges_no_sentence_has_no_scores() -> None:
    given = sentences()
    none = LabelledExamples(
        given.examples, LABELS & [True, True, False], JUDGED & [True, True, False]
    )
    found = as_dict(judge(none, GUESSES, NAMES, [0.5] * 3, resamples=20))
    assert list(found["labels"]) == ["a", "b"]
    assert found["macro"]["f1"]["value"] is not None
    assert found["co_occurrence"]["c"]["c"] == 0

"""Judges a model of several labels: each label by itself, all together, and whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import (
    Predictions,
    Table,
    calibration_error,
    macro_with_intervals,
    score_with_intervals,
)
from wikibias.models.evaluation.experiment import Outcome, evaluated
from wikibias.models.examples import LabelledExamples


@dataclass(frozen=True, slots=True)
class LabelOutcome:
    """What a model says of a split, and how good that is, by the labels that are judged.

    Attributes:
        sentences: the split.
        names: of the labels.
        probabilities: of each label, sentences by labels.
        by_label: the outcome of each label, on the sentences judged by it, if there are any.
        micro: scores over all that is judged, a label of a sentence counting as one.
        macro: means of the scores of the labels.
        subset_accuracy: share of sentences all of whose judged labels are decided rightly.
    """

    sentences: LabelledExamples
    names: Sequence[str]
    probabilities: NDArray[np.float64]
    by_label: Mapping[str, Outcome]
    micro: Table
    macro: Table
    subset_accuracy: Mapping[str, float | None]


def judge(
    sentences: LabelledExamples,
    probabilities: NDArray[np.float64],
    names: Sequence[str],
    shares: Sequence[float],
    *,
    groups: NDArray[np.int64] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> LabelOutcome:
    """Score predictions; labels that are not judged count for nothing.

    Args:
        sentences: of a split.
        probabilities: of each label, sentences by labels.
        names: of the labels.
        shares: of the sentences of train with each label, of those judged by it.
        groups: what is drawn together for the intervals; pages by default, where known.
        resamples: of the bootstrap.
        seed: of the bootstrap.
    """
    together = sentences.examples.pages if groups is None else groups
    options: dict[str, Any] = {"resamples": resamples, "seed": seed}
    by_label, parts = {}, []
    for column, name in enumerate(names):
        rows = np.flatnonzero(sentences.judged[:, column])
        if not len(rows):
            continue
        predicted = Predictions.of(probabilities[rows, column])
        mine = None if groups is None else groups[rows]
        examples = sentences.of(column)
        by_label[name] = evaluated(examples, predicted, shares[column], groups=mine, **options)
        parts.append((rows, examples.biased, predicted))
    if together is None or len(np.unique(together)) < 2:
        together = np.arange(len(sentences))
    row, _ = np.nonzero(sentences.judged)
    flat = Predictions.of(probabilities[sentences.judged])
    return LabelOutcome(
        sentences,
        names,
        probabilities,
        by_label,
        score_with_intervals(
            sentences.labels[sentences.judged], flat, groups=together[row], **options
        ),
        macro_with_intervals(parts, len(sentences), groups=together, **options),
        _subset_accuracy(sentences, probabilities, together, options),
    )


def co_occurrence(sentences: LabelledExamples, names: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count sentences with each two labels; of a label and itself, those with it."""
    held = (sentences.labels & sentences.judged).astype(np.int64)
    counts = held.T @ held
    return {
        first: {second: int(counts[i, j]) for j, second in enumerate(names)}
        for i, first in enumerate(names)
    }


def as_dict(outcome: LabelOutcome) -> dict[str, Any]:
    """Return what `scores.json` says of a split."""
    return {
        "labels": {name: of.scores for name, of in outcome.by_label.items()},
        "micro": outcome.micro,
        "macro": outcome.macro,
        "subset_accuracy": dict(outcome.subset_accuracy),
        "constant": {name: of.constant for name, of in outcome.by_label.items()},
        "sentences": {
            name: {"judged": len(of.examples), "with_label": int(of.examples.biased.sum())}
            for name, of in outcome.by_label.items()
        },
        "calibration_error": {
            name: calibration_error(of.examples.biased, of.predicted.probabilities)
            for name, of in outcome.by_label.items()
        },
        "co_occurrence": co_occurrence(outcome.sentences, outcome.names),
    }


def _subset_accuracy(
    sentences: LabelledExamples,
    probabilities: NDArray[np.float64],
    groups: NDArray[np.int64],
    options: Mapping[str, Any],
) -> Mapping[str, float | None]:
    wrong = ((probabilities > 0.5) != sentences.labels) & sentences.judged
    known = sentences.judged.any(axis=1)
    # As a classification: every sentence is to be right.
    right = Predictions.of((~wrong.any(axis=1))[known].astype(np.float64))
    truth = np.ones(int(known.sum()), dtype=bool)
    return score_with_intervals(truth, right, groups=groups[known], **options)["accuracy"]

"""Metrics with bootstrap confidence intervals, confusion matrix, calibration, McNemar's test."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from wikibias.config.thresholds import Scores
from wikibias.kits import RESAMPLES
from wikibias.messages import counted
from wikibias.models.constants import METRICS
from wikibias.models.evaluation.intervals import Interval, interval
from wikibias.models.examples import Examples

Truth = NDArray[np.bool_]
Probabilities = NDArray[np.float64]
Table = dict[str, Interval]
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Predictions:
    """A classifier's output for a split: probability of bias and decision for each sentence."""

    probabilities: Probabilities
    decisions: Truth

    @classmethod
    def of(cls, probabilities: Probabilities) -> Predictions:
        """Decide "biased" where the probability is over one half."""
        return cls(probabilities, probabilities > 0.5)


def always_biased(truth: Truth, share_in_train: float) -> Predictions:
    """Return the constant classifier: all biased, with the share in train as probability."""
    return Predictions(np.full(len(truth), share_in_train), np.ones(len(truth), dtype=bool))


def score(truth: Truth, predicted: Predictions) -> dict[str, float | None]:
    """Return every metric; None where it is not defined, such as ROC-AUC with one class."""
    values = _scores(truth, predicted, np.ones((1, len(truth))))
    return {metric: _number(values[metric][0]) for metric in METRICS}


def score_with_intervals(
    truth: Truth,
    predicted: Predictions,
    *,
    groups: NDArray[np.int64] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Table:
    """Return every metric with its 95 % confidence interval (percentile bootstrap).

    Resamples whole `groups` (such as the page of each sentence) if given: sentences of one page
    resemble each other, and intervals that ignore this are too narrow.
    """
    points = _scores(truth, predicted, np.ones((1, len(truth))))
    drawn: dict[str, list[NDArray[np.float64]]] = {metric: [] for metric in METRICS}
    for weights in resampled(len(truth), groups, resamples, seed):
        for metric, values in _scores(truth, predicted, weights).items():
            drawn[metric].append(values)
    return {metric: interval(points[metric][0], drawn[metric]) for metric in METRICS}


def differences_with_intervals(
    truth: Truth,
    first: Predictions,
    second: Predictions,
    *,
    groups: NDArray[np.int64] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Table:
    """Return how much higher every metric is of the first predictions, with its interval.

    A resample draws the same sentences, or groups of them, for both.
    """

    def differences(weights: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        one, other = _scores(truth, first, weights), _scores(truth, second, weights)
        return {metric: one[metric] - other[metric] for metric in METRICS}

    points = differences(np.ones((1, len(truth))))
    drawn = [differences(weights) for weights in resampled(len(truth), groups, resamples, seed)]
    return {
        metric: interval(points[metric][0], [each[metric] for each in drawn]) for metric in METRICS
    }


def macro_with_intervals(
    parts: Sequence[tuple[NDArray[np.int64], Truth, Predictions]],
    size: int,
    *,
    groups: NDArray[np.int64] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Table:
    """Return the mean of every metric over several labels, with its interval.

    A resample draws sentences, or groups of them, once for all labels. A label of which a metric is
    not defined there is left out of the mean.

    Args:
        parts: for each label the places of its sentences, their truth and predictions.
        size: the number of all sentences.
        groups: the group of each of these.
        resamples: how many.
        seed: of the draws.
    """

    def means(weights: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        found = [_scores(truth, predicted, weights[:, rows]) for rows, truth, predicted in parts]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a mean of nothing is not a number
            return {m: np.nanmean([scores[m] for scores in found], axis=0) for m in METRICS}

    drawn = [means(weights) for weights in resampled(size, groups, resamples, seed)]
    return {
        metric: interval(value[0], [each[metric] for each in drawn])
        for metric, value in means(np.ones((1, size))).items()
    }


def confusion(truth: Truth, predicted: Predictions) -> dict[str, int]:
    """Count the four outcomes; positive means biased."""
    return {
        "true_positive": int(np.sum(truth & predicted.decisions)),
        "false_positive": int(np.sum(~truth & predicted.decisions)),
        "false_negative": int(np.sum(truth & ~predicted.decisions)),
        "true_negative": int(np.sum(~truth & ~predicted.decisions)),
    }


def reliability(
    truth: Truth, probabilities: Probabilities, bins: int = 10
) -> list[tuple[float, float, int]]:
    """Return the calibration curve: mean probability, share biased and sentences of each bin.

    Bins hold equal numbers of sentences, because many models predict only around one half.
    """
    order = np.argsort(probabilities, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    return [(float(probabilities[p].mean()), float(truth[p].mean()), len(p)) for p in parts]


def calibration_error(truth: Truth, probabilities: Probabilities, bins: int = 10) -> float | None:
    """Return the expected calibration error: the mean distance of probability and share biased.

    Over bins of equal size, as those of `reliability`; None of no sentence.
    """
    parts = reliability(truth, probabilities, bins)
    total = sum(size for *_, size in parts)
    return sum(abs(mean - share) * size for mean, share, size in parts) / total if total else None


def mcnemar(truth: Truth, first: Truth, second: Truth) -> Mapping[str, Any]:
    """Compare the decisions of two models on the same sentences by McNemar's exact test.

    Returns how many sentences only the first and only the second classified correctly, and the
    two-sided p-value.
    """
    only_first = int(np.sum((first == truth) & (second != truth)))
    only_second = int(np.sum((first != truth) & (second == truth)))
    trials = only_first + only_second
    p = float(binomtest(only_first, trials).pvalue) if trials else 1.0
    return {"only_first": only_first, "only_second": only_second, "p": p}


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by the method of Holm (1979), in their order.

    The smallest is multiplied by their number, the next by one less, and so on; none becomes
    smaller than one before it, nor larger than 1.
    """
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = largest
    return corrected


def resampled(size: int, groups: NDArray[np.int64] | None, resamples: int, seed: int) -> Any:
    """Yield arrays (resamples, sentences): how often each sentence was drawn."""
    rng = np.random.default_rng(seed)
    member = np.arange(size) if groups is None else np.unique(groups, return_inverse=True)[1]
    count = int(member.max()) + 1 if size else 0
    if count < 2:
        return
    at_once = max(1, _CELLS_AT_ONCE // size)
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        draws = rng.multinomial(count, np.full(count, 1 / count), size=rows)
        yield draws[:, member].astype(np.float64)


def _scores(
    truth: Truth, predicted: Predictions, weights: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """Return each metric for every row of weights (rows, sentences).

    Gives the values of scikit-learn's functions (a test compares them). Those take one row at a
    time, and a thousand resamples of eight metrics would take seconds.
    """
    yes, no, predicted_yes = (
        truth.astype(float),
        (~truth).astype(float),
        predicted.decisions.astype(float),
    )
    total, positive = weights.sum(1), weights @ yes
    tp, fp = weights @ (yes * predicted_yes), weights @ (no * predicted_yes)
    fn = positive - tp
    tn = total - positive - fp
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        area, average = _ranking(truth, predicted.probabilities, weights)
        return {
            "precision": np.where(tp + fp > 0, tp / (tp + fp), 0.0),
            "recall": tp / positive,
            "f1": 2 * tp / (2 * tp + fp + fn),
            "accuracy": (tp + tn) / total,
            "mcc": np.where(spread > 0, (tp * tn - fp * fn) / spread, 0.0),
            "roc_auc": area,
            "average_precision": average,
            "brier": weights @ (predicted.probabilities - yes) ** 2 / total,
        }


def _ranking(
    truth: Truth, probabilities: Probabilities, weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ROC-AUC and average precision per row of weights; ties count as one rank."""
    order = np.argsort(-probabilities, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(probabilities[order]) != 0, True))
    found = np.cumsum(weights[:, order] * truth[order], axis=1)[:, ends]
    wrong = np.cumsum(weights[:, order] * ~truth[order], axis=1)[:, ends]
    gained = np.diff(found, axis=1, prepend=0.0)
    missed = np.diff(wrong, axis=1, prepend=0.0)
    positive, negative = found[:, -1], wrong[:, -1]
    area = (gained * (negative[:, None] - wrong + missed / 2)).sum(1) / (positive * negative)
    seen = found + wrong
    precision = np.divide(found, seen, out=np.zeros_like(found), where=seen > 0)
    return area, (gained * precision).sum(1) / positive


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def shortage(
    examples: Examples, limits: Scores, groups: NDArray[np.int64] | None = None
) -> str | None:
    """Return what there is too little of, and how much is enough; None where there is enough.

    Args:
        examples: the sentences to judge by.
        limits: what is enough.
        groups: what is drawn together in a bootstrap; by default pages, where they are known.
    """
    together = examples.pages if groups is None else groups
    rarer = min(int(examples.biased.sum()), int((~examples.biased).sum()))
    pages = len(np.unique(together)) if together is not None else None
    few_pages = pages is not None and pages < limits.min_groups
    if rarer >= limits.min_per_class and not few_pages:
        return None
    unit = "page" if groups is None else "group"
    has = [counted(len(examples), "sentence")]
    enough = []
    if rarer < limits.min_per_class:
        has.append(f"{rarer:,} of the rarer class")
        enough.append(f"{limits.min_per_class:,} of each class")
    if few_pages and pages is not None:
        has.append(f"of {counted(pages, unit)}")
        enough.append(f"{counted(limits.min_groups, unit)}")
    return f"{', '.join(has)}; {' and '.join(enough)} are enough"


def pairs_shortage(found: dict[str, Any], limits: Scores) -> str | None:
    """Return the same for what `pairwise.evaluate` found."""
    if found["edits"] >= limits.min_groups:
        return None
    return f"{counted(found['edits'], 'edit')} with both sides; {limits.min_groups:,} are enough"

"""Metrics of decisions, agreement of annotators, bootstrap intervals, paired tests.

Whatever is resampled is resampled by `bootstrap`. Of a coefficient of agreement items with the same
answers are interchangeable. So what is drawn is how often each pattern of answers occurs, and each
coefficient is a function of these weights, of shape (resamples, patterns). It is not a number where
chance alone would agree as much. The library `krippendorff` is under the GPL, which this project
cannot be shipped with.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any, Literal, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wikibias.kits import RESAMPLES

Interval = dict[str, float | None]
"""`value`, `low` and `high`; None where it is not defined."""
Values = NDArray[np.float64]
Weights = NDArray[np.float64]
"""How often each row counts, of shape (resamples, rows)."""
Groups = NDArray[np.int64]
Truth = NDArray[np.bool_]
Probabilities = NDArray[np.float64]
Table = dict[str, Interval]
UNDEFINED: Interval = {"value": None, "low": None, "high": None}
K = TypeVar("K", bound=Hashable)
_LEVEL = (2.5, 97.5)
_CELLS_AT_ONCE = 4_000_000
_RARE = 0.99  # share of resamples in which a statistic must be defined to go unmentioned


def bootstrap(
    measure: Callable[[Weights], Mapping[K, Values]],
    rows: int | NDArray[np.int64],
    *,
    groups: Groups | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    notes: list[str] | None = None,
) -> dict[K, Interval]:
    """Return statistics with their 95 % intervals, by one percentile bootstrap for all of them.

    Args:
        measure: gives each statistic for every row of weights; not a number where it is undefined.
        rows: how many there are; or, since equal rows are interchangeable, how many each stands
            for.
        groups: the group of each row. Whole groups are drawn, since sentences of one page resemble
            each other, and intervals that ignore this are too narrow.
        resamples: how many.
        seed: of the draws.
        notes: takes a sentence where a statistic is undefined in some of the draws.

    Returns:
        For each `value`, `low` and `high`; None where it is undefined, and no ends for one row.
    """
    times = np.ones(rows, np.int64) if isinstance(rows, int) else rows
    points = measure(times[None].astype(float))
    drawn: dict[K, list[Values]] = {name: [] for name in points}
    for weights in _weights(times, groups, resamples, seed):
        for name, values in measure(weights).items():
            drawn[name].append(values)
    found = {name: _interval(float(value[0]), drawn[name]) for name, value in points.items()}
    for name, parts in drawn.items() if notes is not None else ():
        known = sum(np.count_nonzero(~np.isnan(part)) for part in parts)
        if notes is not None and found[name]["low"] is not None and known < _RARE * resamples:
            notes.append(
                f"{name} is defined in {known:,} of {resamples:,} resamples only; its interval is "
                "of these"
            )
    return found


def _weights(
    times: NDArray[np.int64], groups: Groups | None, resamples: int, seed: int
) -> Iterator[Weights]:
    """Yield arrays (resamples, rows): how often each row was drawn."""
    width = len(times)
    member = None
    if groups is not None and width:
        member = np.unique(groups, return_inverse=True)[1]
        times = np.ones(int(member.max()) + 1, np.int64)
    total = int(times.sum())
    if total < 2:
        return
    rng = np.random.default_rng(seed)
    at_once = max(1, _CELLS_AT_ONCE // width)
    for start in range(0, resamples, at_once):
        draws = rng.multinomial(total, times / total, size=min(at_once, resamples - start))
        yield (draws if member is None else draws[:, member]).astype(np.float64)


def _interval(value: float, drawn: Sequence[Values]) -> Interval:
    if np.isnan(value):
        return dict(UNDEFINED)
    known = np.concatenate(drawn) if len(drawn) else np.zeros(0)
    known = known[~np.isnan(known)]
    low, high = np.percentile(known, _LEVEL) if len(known) else (np.nan, np.nan)
    return {"value": value, "low": known_number(low), "high": known_number(high)}


def known_number(value: Any) -> float | None:
    """Return a number for JSON: None for what is not a number."""
    return None if np.isnan(value) else float(value)


def share_with_interval(
    right: ArrayLike, groups: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Return a mean with its 95 % interval by a percentile bootstrap of whole groups.

    Where all is of one group, each value stands for itself.

    Args:
        right: values, such as 1 for right and 0 for wrong.
        groups: the number of the group of each, such as its page or template.
        resamples: how many.
        seed: of the draws.

    Returns:
        `value`, `low` and `high`; None of no value.
    """
    values = np.asarray(right, dtype=np.float64)
    if not len(values):
        return dict(UNDEFINED)
    group = np.unique(np.asarray(groups), return_inverse=True)[1]
    if group.max() == 0:
        group = np.arange(len(values))
    sizes, sums = np.bincount(group).astype(float), np.bincount(group, weights=values)

    def measure(weights: Weights) -> dict[str, Values]:
        return {"": (weights @ sums) / (weights @ sizes)}

    found = bootstrap(measure, len(sizes), resamples=resamples, seed=seed)[""]
    return {**found, "value": float(values.mean())}


def wilson(share: float, number: float) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927).

    Args:
        share: of those counted.
        number: how many there are; of a weighted sample the effective number.
    """
    if math.isinf(number):
        return share, share
    z = 1.959963984540054  # half the interval, in standard errors
    over = z * z / number
    middle = (share + over / 2) / (1 + over)
    half = z * math.sqrt(share * (1 - share) / number + over / (4 * number)) / (1 + over)
    return max(0.0, middle - half), min(1.0, middle + half)


def group_numbers(names: Sequence[Hashable]) -> Groups:
    """Return a number for each name, the same for the same name."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)


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
    return {metric: known_number(value[0]) for metric, value in values.items()}


def score_with_intervals(
    truth: Truth,
    predicted: Predictions,
    *,
    groups: Groups | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Table:
    """Return every metric with its 95 % confidence interval; see `bootstrap`."""
    measure = partial(_scores, truth, predicted)
    return bootstrap(measure, len(truth), groups=groups, resamples=resamples, seed=seed)


def macro_with_intervals(
    parts: Sequence[tuple[NDArray[np.int64], Truth, Predictions]],
    size: int,
    *,
    groups: Groups | None = None,
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

    def means(weights: Weights) -> dict[str, Values]:
        found = [_scores(truth, predicted, weights[:, rows]) for rows, truth, predicted in parts]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a mean of nothing is not a number
            return {m: np.nanmean([scores[m] for scores in found], axis=0) for m in found[0]}

    return bootstrap(means, size, groups=groups, resamples=resamples, seed=seed)


def confusion(truth: Truth, predicted: Predictions) -> dict[str, int]:
    """Count the four outcomes; positive means biased."""
    return {
        "true_positive": int(np.sum(truth & predicted.decisions)),
        "false_positive": int(np.sum(~truth & predicted.decisions)),
        "false_negative": int(np.sum(truth & ~predicted.decisions)),
        "true_negative": int(np.sum(~truth & ~predicted.decisions)),
    }


_BINS = 10


def reliability(truth: Truth, probabilities: Probabilities) -> list[tuple[float, float, int]]:
    """Return the calibration curve: mean probability, share biased and sentences of each bin.

    Bins hold equal numbers of sentences, because many models predict only around one half.
    """
    order = np.argsort(probabilities, kind="stable")
    parts = [part for part in np.array_split(order, _BINS) if len(part)]
    return [(float(probabilities[p].mean()), float(truth[p].mean()), len(p)) for p in parts]


def calibration_error(truth: Truth, probabilities: Probabilities) -> float | None:
    """Return the expected calibration error: the mean distance of probability and share biased.

    Over bins of equal size, as those of `reliability`; None of no sentence.
    """
    parts = reliability(truth, probabilities)
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
    from scipy.stats import binomtest

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


class Correlation(TypedDict):
    """Spearman's rho, its two-sided p (None for fewer than five points), the number of points."""

    rho: float
    p: float | None
    points: int


_FEWEST_POINTS = 3  # fewer have no correlation worth the name
_FEWEST_FOR_P = 5  # of four points no order has a p below .08
_EXACT = 8  # of so many points all orders are tried, 40,320
_EQUAL = 1e-12


def spearman(first: Sequence[float], second: Sequence[float]) -> Correlation | None:
    """Return Spearman's correlation of two series; None where there is none.

    p is exact up to eight points, each order as likely; above, it is that of t.

    Args:
        first: a number for each point.
        second: as many. A point of which either is not a number is left out; there is no
            correlation of fewer than three, nor where a series has but one value.
    """
    points = np.array([first, second], dtype=float)
    points = points[:, ~np.isnan(points).any(axis=0)]
    number = points.shape[1]
    if number < _FEWEST_POINTS:
        return None
    from scipy import stats

    ranks = stats.rankdata(points, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    size = float((ranks**2).sum(axis=1).prod()) ** 0.5
    if not size:
        return None
    rho = float(np.clip(ranks[0] @ ranks[1] / size, -1, 1))
    if number < _FEWEST_FOR_P:
        return {"rho": rho, "p": None, "points": number}
    if number <= _EXACT:
        orders = np.array(list(permutations(range(number))))
        by_chance = ranks[1][orders] @ ranks[0] / size
        p = float(np.mean(np.abs(by_chance) >= abs(rho) - _EQUAL))
    else:
        statistic = np.inf if abs(rho) == 1 else abs(rho) * ((number - 2) / (1 - rho**2)) ** 0.5
        p = float(2 * stats.t.sf(statistic, number - 2))
    return {"rho": rho, "p": p, "points": number}


def _scores(truth: Truth, predicted: Predictions, weights: Weights) -> dict[str, Values]:
    """Return each metric for every row of weights (rows, sentences).

    Gives the values of scikit-learn's functions (a test compares them). Those take one row at a
    time, and a thousand resamples of eight metrics would take seconds.
    """
    yes, said = truth.astype(float), predicted.decisions.astype(float)
    total, positive = weights.sum(1), weights @ yes
    tp, fp = weights @ (yes * said), weights @ ((1 - yes) * said)
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


def _ranking(truth: Truth, probabilities: Probabilities, weights: Weights) -> tuple[Values, Values]:
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


Codes = NDArray[np.int64]
"""The place of each answer among the values; below 0 where there is none."""
Counts = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]
Statistic = Callable[[Weights], Values]


def alpha(
    weights: Weights,
    counts: Counts,
    level: Level = "nominal",
    numbers: Sequence[float] | None = None,
) -> Values:
    """Return Krippendorff's alpha (2011) for each of many weightings of the units.

    Args:
        weights: how often each unit counts, of shape (weightings, units).
        counts: how many annotators gave each unit each value, of shape (units, values). A unit
            with fewer than two answers counts for nothing.
        level: how far two values differ: nominal, all alike; ordinal, by how many answers lie
            between them, the columns being in order; interval, by the square of their difference.
        numbers: what the values are; for interval data.

    Raises:
        ValueError: interval data without `numbers`.
    """
    usable = counts.sum(axis=1) > 1
    known, drawn = counts[usable], weights[:, usable]
    sizes = known.sum(axis=1)
    of_value = drawn @ known
    total = of_value.sum(axis=1)
    once = drawn / (sizes - 1)  # each unit as if its answers were paired once
    if level == "nominal":
        observed = once @ (sizes**2 - (known**2).sum(axis=1))
        expected = total**2 - (of_value**2).sum(axis=1)
    else:
        # The squared differences follow from the sums of places and of their squares.
        places = _places(of_value, level, numbers)
        squares = (((once * sizes) @ known) * places**2).sum(axis=1)
        observed = 2 * (squares - (once * (places @ known.T) ** 2).sum(axis=1))
        middle = (of_value * places).sum(axis=1)
        expected = 2 * (total * (of_value * places**2).sum(axis=1) - middle**2)
    defined = (expected > 0) & ((of_value > 0).sum(axis=1) > 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(defined, 1 - observed * (total - 1) / expected, np.nan)


def _places(of_value: Counts, level: Level, numbers: Sequence[float] | None) -> Counts:
    """Return where the values stand on a line: by their numbers, or by their mean ranks."""
    if level == "ordinal":
        ranks: Counts = of_value.cumsum(axis=1) - of_value / 2
        ranks -= of_value.sum(axis=1, keepdims=True) / 2
        return ranks
    if numbers is None:
        raise ValueError("interval data need the numbers of the values")
    centred = np.asarray(numbers, dtype=float) - np.mean(numbers)
    return np.broadcast_to(centred, of_value.shape)


def percentage(weights: Weights, counts: Counts) -> Values:
    """Return the share of pairs of answers to one item that are equal, as a fraction."""
    answers = counts.sum(axis=1)
    equal = (counts**2).sum(axis=1) - answers
    return _ratio(weights @ equal, weights @ (answers * (answers - 1)))


def cohen(weights: Weights, one: Codes, other: Codes, values: int) -> Values:
    """Return Cohen's kappa of two annotators over the items that both judged (Cohen 1960)."""
    kinds, both = np.eye(max(1, values)), (one >= 0) & (other >= 0)
    first, second = (kinds[np.maximum(codes, 0)] for codes in (one, other))
    sums = weights @ (np.column_stack([one != other, first, second]) * both[:, None])
    of_one, of_other = np.split(sums[:, 1:], 2, axis=1)
    items = of_one.sum(axis=1)
    # Observed as a share of all items, by chance as one of all pairs of items.
    return 1 - _ratio(sums[:, 0] * items, items**2 - (of_one * of_other).sum(axis=1))


def fleiss(weights: Weights, counts: Counts, answers: int) -> Values:
    """Return Fleiss' kappa over the items with so many answers, whoever gave them (Fleiss 1971)."""
    complete = (counts.sum(axis=1) == answers).astype(float)
    agreeing = ((counts**2).sum(axis=1) - answers) / (answers * (answers - 1))
    items = weights @ complete
    observed = _ratio(weights @ (complete * agreeing), items)
    shares = (weights @ (complete[:, None] * counts)) / np.maximum(items * answers, 1)[:, None]
    by_chance = (shares**2).sum(axis=1)
    return _ratio(observed - by_chance, 1 - by_chance)


def _ratio(part: Values, whole: Values) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 1e-12, part / whole, np.nan)

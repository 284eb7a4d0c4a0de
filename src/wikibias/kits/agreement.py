"""Coefficients of agreement, for every resample of `evaluation.bootstrap` at once.

Items with the same answers are interchangeable. So what is drawn is how often each pattern of
answers occurs, and each coefficient is a function of these weights, of shape (resamples,
patterns). It is not a number where chance alone would agree as much.

The library `krippendorff` is under the GPL, which this project cannot be shipped with.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wikibias.kits.evaluation import Values, Weights

Codes = NDArray[np.int64]
"""The place of each answer among the values; below 0 where there is none."""
Table = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]
Statistic = Callable[[Weights], Values]


def alpha(
    weights: Weights,
    counts: Table,
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


def _places(of_value: Table, level: Level, numbers: Sequence[float] | None) -> Table:
    """Return where the values stand on a line: by their numbers, or by their mean ranks."""
    if level == "ordinal":
        ranks: Table = of_value.cumsum(axis=1) - of_value / 2
        ranks -= of_value.sum(axis=1, keepdims=True) / 2
        return ranks
    if numbers is None:
        raise ValueError("interval data need the numbers of the values")
    centred = np.asarray(numbers, dtype=float) - np.mean(numbers)
    found: Table = np.broadcast_to(centred, of_value.shape)
    return found


def percentage(weights: Weights, counts: Table) -> Values:
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


def fleiss(weights: Weights, counts: Table, answers: int) -> Values:
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
        found: Values = np.where(whole > 1e-12, part / whole, np.nan)
    return found

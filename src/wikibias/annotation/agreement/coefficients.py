"""Coefficients of agreement of many weightings of the same items at once.

Each function returns a value for each row of weights, of shape (weightings, items); not a number
where the coefficient is undefined. Codes and counts are those of `ratings`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wikibias.annotation.agreement.ratings import GAP, Codes
from wikibias.annotation.agreement.resampling import Values, Weights

Table = NDArray[np.float64]


def percentage(counts: Table, weights: Weights) -> Values:
    """Return the share of pairs of answers to one item that are equal, as a fraction."""
    answers = counts.sum(axis=1)
    pairs = weights @ (answers * (answers - 1))
    return _ratio(weights @ ((counts**2).sum(axis=1) - answers), pairs)


def cohen(
    one: Codes, other: Codes, weights: Weights, *, values: int, apart: Table | None = None
) -> Values:
    """Return Cohen's kappa of two annotators over the items that both judged (Cohen 1960).

    Args:
        one: codes of an annotator.
        other: codes of the other one.
        weights: see above.
        values: how many values there are.
        apart: how far each value is from each other one, for weighted kappa (Cohen 1968); None to
            count all alike.
    """
    both = (one != GAP) & (other != GAP)
    a, b, drawn = one[both], other[both], weights[:, both]
    far = 1 - np.eye(values) if apart is None else apart
    observed = drawn @ far[a, b]
    of_one, of_other = drawn @ np.eye(values)[a], drawn @ np.eye(values)[b]
    by_chance = ((of_one @ far) * of_other).sum(axis=1)
    # Observed as a share of all items, by chance as one of all pairs of items.
    return 1 - _ratio(observed * drawn.sum(axis=1), by_chance)


def distances(values: int, *, squared: bool) -> Table:
    """Return how many places apart values are that have an order, or the square of it."""
    places = np.arange(values)
    found: Table = np.abs(places[:, None] - places[None]).astype(float)
    return found**2 if squared else found


def fleiss(counts: Table, weights: Weights, *, answers: int) -> Values:
    """Return Fleiss' kappa over the items with so many answers, whoever gave them (Fleiss 1971)."""
    complete = counts.sum(axis=1) == answers
    of_item, drawn = counts[complete], weights[:, complete]
    items = drawn.sum(axis=1)
    agreeing = ((of_item**2).sum(axis=1) - answers) / (answers * (answers - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = drawn @ agreeing / items
        shares = drawn @ of_item / (items * answers)[:, None]
    by_chance = (shares**2).sum(axis=1)
    return _ratio(observed - by_chance, 1 - by_chance)


def _ratio(part: Values, whole: Values) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = np.where(whole > 1e-12, part / whole, np.nan)
    return found

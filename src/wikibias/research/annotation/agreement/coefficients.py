"""Coefficients of agreement as statistics that can be resampled: see `resampling.Statistic`.

Each is undefined where chance alone would agree as much. Codes and counts are those of `ratings`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from wikibias.models.evaluation import krippendorff
from wikibias.models.evaluation.krippendorff import Level
from wikibias.research.annotation.agreement.ratings import GAP, Codes
from wikibias.research.annotation.agreement.resampling import Statistic, Table, Values


def alpha(counts: Table, level: Level, numbers: Sequence[float] | None) -> Statistic:
    """Return Krippendorff's alpha; see `krippendorff.alphas`."""
    values = counts.shape[1]
    if level == "ordinal" and values > krippendorff.MOST_COINCIDENCES:
        return Statistic(None, partial(krippendorff.alphas, counts, level=level))
    return Statistic(
        partial(krippendorff.summands, counts, level, numbers),
        partial(krippendorff.of_sums, level=level, numbers=numbers),
        values**2 if level == "ordinal" else values + 1,
    )


def percentage(counts: Table) -> Statistic:
    """Return the share of pairs of answers to one item that are equal, as a fraction."""

    def summands() -> Table:
        answers = counts.sum(axis=1)
        return np.column_stack(
            [(counts**2).sum(axis=1) - answers, answers * (answers - 1)],
        )

    return Statistic(summands, lambda sums: _ratio(sums[:, 0], sums[:, 1]), 2)


def cohen(one: Codes, other: Codes, *, values: int, apart: Table | None = None) -> Statistic:
    """Return Cohen's kappa of two annotators over the items that both judged (Cohen 1960).

    Args:
        one: codes of an annotator.
        other: codes of the other one.
        values: how many values there are.
        apart: how far each value is from each other one, for weighted kappa (Cohen 1968); None to
            count all alike.
    """
    far = 1 - np.eye(values) if apart is None else apart

    def summands() -> Table:
        both = (one != GAP) & (other != GAP)
        found = np.zeros((len(one), 1 + 2 * values))
        rows = np.flatnonzero(both)
        found[rows, 0] = far[one[rows], other[rows]]
        found[rows, 1 + one[rows]] = 1
        found[rows, 1 + values + other[rows]] = 1
        return found

    def kappa(sums: Table) -> Values:
        of_one, of_other = sums[:, 1 : 1 + values], sums[:, 1 + values :]
        by_chance = ((of_one @ far) * of_other).sum(axis=1)
        # Observed as a share of all items, by chance as one of all pairs of items.
        return 1 - _ratio(sums[:, 0] * of_one.sum(axis=1), by_chance)

    return Statistic(summands, kappa, 1 + 2 * values)


def distances(values: int, *, squared: bool) -> Table:
    """Return how many places apart values are that have an order, or the square of it."""
    places = np.arange(values)
    found: Table = np.abs(places[:, None] - places[None]).astype(float)
    return found**2 if squared else found


def fleiss(counts: Table, *, answers: int) -> Statistic:
    """Return Fleiss' kappa over the items with so many answers, whoever gave them (Fleiss 1971)."""

    def summands() -> Table:
        complete = (counts.sum(axis=1) == answers).astype(float)
        agreeing = ((counts**2).sum(axis=1) - answers) / (answers * (answers - 1))
        return np.column_stack([complete, complete * agreeing, complete[:, None] * counts])

    def kappa(sums: Table) -> Values:
        items = sums[:, 0]
        observed = _ratio(sums[:, 1], items)
        shares = sums[:, 2:] / np.maximum(items * answers, 1)[:, None]
        by_chance = (shares**2).sum(axis=1)
        return _ratio(observed - by_chance, 1 - by_chance)

    return Statistic(summands, kappa, 2 + counts.shape[1])


def _ratio(part: Values, whole: Values) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = np.where(whole > 1e-12, part / whole, np.nan)
    return found

"""Spearman's rank correlation of few points, with an exact p."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TypedDict

import numpy as np
from scipy.stats import rankdata
from scipy.stats import t as student

FEWEST = 3
"""Fewer points have no correlation worth the name."""
_EXACT = 8  # of so many points all orders are tried, 40,320
_EQUAL = 1e-12


class Correlation(TypedDict):
    """Spearman's rho, its two-sided p (None for fewer than five points), the number of points."""

    rho: float
    p: float | None
    points: int


_FEWEST_FOR_P = 5  # of four points no order has a p below .08


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
    if number < FEWEST:
        return None
    ranks = rankdata(points, axis=1)
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
        p = float(2 * student.sf(statistic, number - 2))
    return {"rho": rho, "p": p, "points": number}

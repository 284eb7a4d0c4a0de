"""Shares with intervals that respect what belongs together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wikibias.kits import RESAMPLES
from wikibias.models.evaluation.intervals import Interval, interval

_CELLS_AT_ONCE = 4_000_000


def share_with_interval(
    right: ArrayLike, clusters: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0
) -> Interval:
    """Return a mean with its 95 % interval by a percentile bootstrap of whole clusters.

    What shares a cluster (a page, a template) resembles itself, and an interval that ignores this
    is too narrow. Where all is of one cluster, each value stands for itself.

    Args:
        right: values, such as 1 for right and 0 for wrong.
        clusters: the number of the cluster of each.
        resamples: how many.
        seed: of the draws.

    Returns:
        `value`, `low` and `high`; None of no value.
    """
    values = np.asarray(right, dtype=np.float64)
    if not len(values):
        return interval(np.nan, ())
    cluster = np.unique(np.asarray(clusters), return_inverse=True)[1]
    if cluster.max() == 0:
        cluster = np.arange(len(values))
    count = int(cluster.max()) + 1
    sizes, sums = np.bincount(cluster).astype(float), np.bincount(cluster, weights=values)
    rng, chances = np.random.default_rng(seed), np.full(count, 1 / count)
    means: list[NDArray[np.float64]] = []
    at_once = max(1, _CELLS_AT_ONCE // count)
    for start in range(0, resamples, at_once):
        draws = rng.multinomial(count, chances, size=min(at_once, resamples - start))
        means.append((draws @ sums) / (draws @ sizes))
    return interval(values.mean(), means)


def numbered(names: Sequence[Hashable]) -> NDArray[np.int64]:
    """Return a number for each name, the same for the same name."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)

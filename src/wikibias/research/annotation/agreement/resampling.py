"""Intervals of many statistics at once, by one percentile bootstrap over the items.

Items with the same answers are interchangeable. So what is drawn is how often each pattern of
answers occurs. Nearly every statistic follows from sums over the items: then all of them, for all
resamples, are one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from wikibias.models.evaluation.intervals import Interval, interval

Values = NDArray[np.float64]
Table = NDArray[np.float64]
Weights = NDArray[np.float64]
"""How often each pattern counts, of shape (resamples, patterns)."""
K = TypeVar("K", bound=Hashable)
UNDEFINED: Interval = {"value": None, "low": None, "high": None}
_CELLS_AT_ONCE = 2_000_000


class Statistic(NamedTuple):
    """What is computed of each resample; not a number where it is undefined.

    Attributes:
        summands: returns what it needs the sums of, of shape (patterns, sums); None where it needs
            the weights themselves.
        of: its values from these sums (resamples, sums), or from the weights.
        size: how many sums.
    """

    summands: Callable[[], Table] | None
    of: Callable[[Table], Values]
    size: int = 0


def less(one: Statistic, other: Statistic) -> Statistic:
    """Return by how much a statistic is above another of the same kind."""
    first, second = one.summands, other.summands
    if first is None or second is None:
        return Statistic(None, lambda weights: one.of(weights) - other.of(weights))
    return Statistic(
        lambda: np.concatenate([first(), second()], axis=1),
        lambda sums: one.of(sums[:, : one.size]) - other.of(sums[:, one.size :]),
        one.size + other.size,
    )


def entries(
    statistics: Mapping[K, Statistic], times: NDArray[np.int64], *, resamples: int, seed: int
) -> dict[K, Interval]:
    """Return each statistic with its 95 % interval.

    Args:
        statistics: what to compute, all from the same draws.
        times: how many items have each pattern.
        resamples: how often to draw.
        seed: of the draws.

    Returns:
        For each `value`, `low` and `high`; None where it is undefined, and no ends for one item.
    """
    items = int(times.sum())
    whole = {name: float(found[0]) for name, found in _each(statistics, times[None].astype(float))}
    defined = {name: statistics[name] for name, value in whole.items() if not np.isnan(value)}
    drawn: dict[K, list[Values]] = {name: [] for name in defined}
    if items > 1 and defined:
        rng = np.random.default_rng(seed)
        at_once = max(1, _CELLS_AT_ONCE // len(times))
        for start in range(0, resamples, at_once):
            size = min(at_once, resamples - start)
            weights = rng.multinomial(items, times / items, size=size).astype(float)
            for name, found in _each(defined, weights):
                drawn[name].append(found)
    return {name: interval(value, drawn.get(name, ())) for name, value in whole.items()}


def _each(statistics: Mapping[K, Statistic], weights: Weights) -> Iterator[tuple[K, Values]]:
    """Yield the values of each statistic; many share one product of matrices."""
    waiting: list[tuple[K, Statistic]] = []
    columns = 0
    for name, statistic in statistics.items():
        if statistic.summands is None:
            yield name, statistic.of(weights)
            continue
        waiting.append((name, statistic))
        columns += statistic.size
        if columns * weights.shape[1] > _CELLS_AT_ONCE:
            yield from _of_sums(waiting, weights)
            waiting, columns = [], 0
    yield from _of_sums(waiting, weights)


def _of_sums(
    statistics: Sequence[tuple[K, Statistic]], weights: Weights
) -> Iterator[tuple[K, Values]]:
    tables = [statistic.summands() for _, statistic in statistics if statistic.summands]
    if not tables:
        return
    sums = weights @ np.concatenate(tables, axis=1)
    start = 0
    for (name, statistic), table in zip(statistics, tables, strict=True):
        end = start + table.shape[1]
        yield name, statistic.of(sums[:, start:end])
        start = end

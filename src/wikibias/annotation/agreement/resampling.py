"""Intervals of many statistics at once, by one percentile bootstrap over the items.

Items with the same answers are interchangeable. So what is drawn is how often each pattern of
answers occurs, of which there are few: the cost does not grow with the items.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Weights = NDArray[np.float64]
"""How often each pattern counts, of shape (resamples, patterns)."""
Statistic = Callable[[Weights], Values]
"""Returns a value for each row of weights; not a number where it is undefined."""
Entry = dict[str, float | None]
K = TypeVar("K", bound=Hashable)
UNDEFINED: Entry = {"value": None, "low": None, "high": None}
_CELLS_AT_ONCE = 2_000_000


def entries(
    statistics: Mapping[K, Statistic], times: NDArray[np.int64], *, resamples: int, seed: int
) -> dict[K, Entry]:
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
    whole = {name: float(of(times[None].astype(float))[0]) for name, of in statistics.items()}
    defined = {name: statistics[name] for name, value in whole.items() if not np.isnan(value)}
    drawn: dict[K, list[Values]] = {name: [] for name in defined}
    if items > 1 and defined:
        rng = np.random.default_rng(seed)
        at_once = max(1, _CELLS_AT_ONCE // len(times))
        for start in range(0, resamples, at_once):
            size = min(at_once, resamples - start)
            weights = rng.multinomial(items, times / items, size=size).astype(float)
            for name, of in defined.items():
                drawn[name].append(of(weights))
    return {name: _entry(value, drawn.get(name, [])) for name, value in whole.items()}


def _entry(value: float, drawn: list[Values]) -> Entry:
    if np.isnan(value):
        return dict(UNDEFINED)
    known = np.concatenate(drawn) if drawn else np.zeros(0)
    known = known[~np.isnan(known)]
    if not len(known):
        return {"value": value, "low": None, "high": None}
    low, high = np.percentile(known, [2.5, 97.5])
    return {"value": value, "low": float(low), "high": float(high)}

"""How long parts take on some workers, of which each takes the next part when it is free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heapreplace


def longest_first(seconds: Iterable[float]) -> list[float]:
    """Return the times of the parts in the order in which a run deals them out.

    Then no long part is left for the end: the whole is at most 4/3 of the best possible
    (Graham 1969, Bounds on multiprocessing timing anomalies).
    """
    return sorted(seconds, reverse=True)


def makespan(seconds: Sequence[float], workers: int) -> float:
    """Return the time from the first to the last part, in the order given.

    Args:
        seconds: that each part takes.
        workers: at least 1.
    """
    if not seconds:
        return 0.0
    free_at = [0.0] * min(workers, len(seconds))
    heapify(free_at)
    for each in seconds:
        heapreplace(free_at, free_at[0] + each)
    return max(free_at)


def dealt_in_advance(seconds: Sequence[float], shards: int) -> float:
    """Return the time where each of some shards does every so many-th part, as `--shard` does."""
    return max((sum(seconds[first::shards]) for first in range(shards)), default=0.0)


def lower_bound(seconds: Sequence[float], workers: int) -> float:
    """Return what no order can beat: the mean share of a worker, or the longest part."""
    return max(sum(seconds) / workers, max(seconds, default=0.0))

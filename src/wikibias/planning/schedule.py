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

"""Whether the lengths of a pair differ no more than those of others (Pryzant et al. 2020)."""

from __future__ import annotations

from math import sqrt

_DEVIATIONS = 2


class LengthRatios:
    """The ratios of the lengths of source and target, in characters, of a set of pairs.

    Mean and deviation are kept up to date pair by pair, so that no ratio is held in memory.
    """

    def __init__(self) -> None:
        self._count, self._mean, self._squares = 0, 0.0, 0.0

    def add(self, source: str, target: str) -> None:
        """Take one pair; none of its sides is empty."""
        ratio = len(source) / len(target)
        self._count += 1
        apart = ratio - self._mean
        self._mean += apart / self._count
        self._squares += apart * (ratio - self._mean)

    def mean_and_sd(self) -> tuple[float, float]:
        """Return the mean of the ratios, and their standard deviation; 0 for no pairs."""
        return self._mean, sqrt(self._squares / self._count) if self._count else 0.0

    def is_usual(self, source: str, target: str) -> bool:
        """Return whether the ratio of a pair is within two standard deviations of the mean."""
        mean, sd = self.mean_and_sd()
        # What adding up rounds must not throw out pairs that are all alike.
        return abs(len(source) / len(target) - mean) <= _DEVIATIONS * sd + 1e-9

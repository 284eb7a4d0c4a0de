"""Intervals of a share and of kappa: what they are, and how wide they will be."""

from __future__ import annotations

import math

Z = 1.959963984540054
"""Half a 95 % interval, in standard errors."""


def wilson(share: float, sentences: float, z: float = Z) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927).

    Args:
        share: of the sentences.
        sentences: how many there are; of a weighted sample the effective number.
        z: half the interval in standard errors.
    """
    if math.isinf(sentences):
        return share, share
    over = z * z / sentences
    middle = (share + over / 2) / (1 + over)
    half = z * math.sqrt(share * (1 - share) / sentences + over / (4 * sentences)) / (1 + over)
    return max(0.0, middle - half), min(1.0, middle + half)


def of_all(drawn: float, population: float | None) -> float:
    """Return how many sentences of an endless population tell as much as those drawn of this one.

    The finite population correction (Cochran 1977, section 2.6).
    """
    if population is None:
        return drawn
    if drawn >= population:
        return math.inf
    return drawn * (population - 1) / (population - drawn)


def kappa_error(kappa: float, share: float, sentences: int) -> float:
    """Return the standard error of the kappa of two annotators (Cohen 1960).

    Args:
        kappa: that is expected.
        share: judged biased, by both alike.
        sentences: that both judge.
    """
    by_chance = share**2 + (1 - share) ** 2
    observed = kappa * (1 - by_chance) + by_chance
    return math.sqrt(observed * (1 - observed) / sentences) / (1 - by_chance)

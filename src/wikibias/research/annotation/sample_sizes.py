"""Sizes of samples, and Wilson's and kappa's intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from wikibias.research.annotation.samples import Bin, allocated, bin_of, stratum_name

if TYPE_CHECKING:
    from wikibias.research.annotation.population import Removed

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


_MOST = 1 << 40


def stratum_sizes(
    population: Iterable[Removed], bins: Sequence[Bin], by: Sequence[str] = ()
) -> dict[str, int]:
    """Return how many sentences each stratum has, in the order of the bins."""
    counts: dict[tuple[int, tuple[str, ...]], int] = {}
    for sentence in population:
        of = bin_of(sentence.removed, bins)
        if of is not None:
            named = bins.index(of), tuple(sentence.value(name) for name in by)
            counts[named] = counts.get(named, 0) + 1
    return {
        stratum_name(bins[place], dict(zip(by, values, strict=True))): counts[place, values]
        for place, values in sorted(counts)
    }


def width(sentences: float, share: float, population: float | None = None) -> float:
    """Return how wide the 95 % interval of a share is (Wilson, in a finite population)."""
    low, high = wilson(share, of_all(sentences, population))
    return high - low


def needed(wished: float, share: float, population: int | None = None) -> int:
    """Return how many sentences give an interval no wider than wished; all, where it takes all."""
    most = population or _MOST
    return _least(lambda number: width(number, share, population) <= wished, 1, most)


def stratified_width(sizes: Mapping[str, int], sentences: int, share: float) -> float:
    """Return the width over all strata, each of which gives as many sentences as can be.

    The share is taken to be the same in all, which is the worst case for strata.
    """
    low, high = wilson(share, effective(sizes, allocated(sizes, sentences)))
    return high - low


def effective(sizes: Mapping[str, int], drawn: Mapping[str, int]) -> float:
    """Return how many sentences drawn from anywhere tell as much as these of strata.

    Over the number drawn this is one by the design effect (Kish 1965), but for the finite
    population correction.
    """
    whole = sum(sizes.values())
    error = sum((size / whole) ** 2 / of_all(drawn[name], size) for name, size in sizes.items())
    return 1 / error if error else math.inf


def needed_in_all(wished: float, share: float, sizes: Mapping[str, int]) -> int:
    """Return how many sentences of all strata give an interval over them no wider than wished."""
    return _least(
        lambda number: stratified_width(sizes, number, share) <= wished,
        len(sizes),
        sum(sizes.values()),
    )


def kappa_width(kappa: float, share: float, sentences: int) -> float:
    """Return how wide the 95 % interval of the kappa of two annotators is, at large numbers."""
    return 2 * Z * kappa_error(kappa, share, sentences)


def needed_for_kappa(wished: float, kappa: float, share: float) -> int:
    """Return how many sentences two annotators must share for such an interval of kappa."""
    return _least(lambda number: kappa_width(kappa, share, number) <= wished, 2, _MOST)


def _least(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the least number from which on something holds; `high` where nothing less does."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low

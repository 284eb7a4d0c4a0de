"""Krippendorff's alpha for any number of annotators and with gaps: nominal, ordinal, interval.

The library of that name is under the GPL, which this project cannot be shipped with.

Alpha follows from sums over the units, so that thousands of resamples are a product of matrices.
For nominal and interval data each unit adds how far its answers differ; for ordinal data, where
that depends on all answers, its coincidences. Where values are too many for these, ranks take their
place: the differences within a unit follow from the sum and the sum of squares of its ranks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import RESAMPLES
from wikibias.models.evaluation.intervals import Interval, interval

Counts = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]
MOST_COINCIDENCES = 20
"""So many values at most have all their pairs counted; see `summands`."""


def alpha(
    counts: Counts, level: Level = "nominal", numbers: Sequence[float] | None = None
) -> float | None:
    """Return Krippendorff's alpha (Krippendorff 2011).

    Args:
        counts: how many annotators gave each unit each value, of shape (units, values). A unit
            with fewer than two answers counts for nothing.
        level: how far two values differ: nominal, all alike; ordinal, by how many answers lie
            between them, the columns being in order; interval, by the square of their difference.
        numbers: what the values are; for interval data.

    Returns:
        1 where all agree, 0 at chance; None where nothing is to compare, or no two values occur.
    """
    return _known(alphas(counts, np.ones((1, len(counts))), level, numbers)[0])


def alpha_with_interval(counts: Counts, *, resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """Return alpha of nominal data with its 95 % interval by a percentile bootstrap over units."""
    units = len(counts)
    (value,) = alphas(counts, np.ones((1, units)))
    if np.isnan(value) or units < 2:
        return interval(value, ())
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype(float)
    return interval(value, [alphas(counts, weights)])


def alphas(
    counts: Counts,
    weights: NDArray[np.float64],
    level: Level = "nominal",
    numbers: Sequence[float] | None = None,
) -> NDArray[np.float64]:
    """Return alpha for each of many weightings of the units; not a number where it is undefined.

    Args:
        counts: see `alpha`.
        weights: how often each unit counts, of shape (weightings, units).
        level: see `alpha`.
        numbers: see `alpha`.

    Raises:
        ValueError: interval data without `numbers`.
    """
    if level != "ordinal" or counts.shape[1] <= MOST_COINCIDENCES:
        return of_sums(weights @ summands(counts, level, numbers), level, numbers)
    usable = counts.sum(axis=1) > 1
    known, drawn = counts[usable], weights[:, usable]
    sizes = known.sum(axis=1)
    of_value = drawn @ known
    places = _ranks(of_value)
    observed = _differences(known, sizes, drawn, places)
    return _alphas(observed, (of_value * places**2).sum(axis=1), of_value, places)


def summands(
    counts: Counts, level: Level = "nominal", numbers: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """Return what alpha needs the sum of, of shape (units, sums).

    Of nominal and interval data: by how much the answers to a unit differ, and how often each value
    occurs. Of ordinal data: how often each value occurs with each one, values times values.
    """
    sizes = counts.sum(axis=1)
    # Each unit as if its answers were paired once.
    once = (sizes > 1) / np.maximum(sizes - 1, 1)
    if level == "ordinal":
        pairs = counts[:, :, None] * (counts[:, None] - np.eye(counts.shape[1]))
        found: Counts = (once[:, None, None] * pairs).reshape(len(counts), counts.shape[1] ** 2)
        return found
    if level == "nominal":
        squares = sizes**2 - (counts**2).sum(axis=1)
    else:
        middle = _centred(numbers)
        squares = 2 * (sizes * (counts @ middle**2) - (counts @ middle) ** 2)
    return np.column_stack([once * squares, counts * (sizes > 1)[:, None]])


def of_sums(
    sums: NDArray[np.float64], level: Level = "nominal", numbers: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """Return alpha for each row of sums of `summands`; not a number where it is undefined."""
    if level == "ordinal":
        size = math.isqrt(sums.shape[1])
        pairs = sums.reshape(-1, size, size)
        of_value = pairs.sum(axis=2)
        places = _ranks(of_value)
        far = (places[:, :, None] - places[:, None]) ** 2
        observed = (pairs * far).sum(axis=(1, 2))
        return _alphas(observed, (of_value * places**2).sum(axis=1), of_value, places)
    observed, of_value = sums[:, 0], sums[:, 1:]
    if level == "nominal":
        total = of_value.sum(axis=1)
        return _ratio(observed, total**2 - (of_value**2).sum(axis=1), of_value)
    middle = _centred(numbers)
    return _alphas(observed, of_value @ middle**2, of_value, middle)


def _alphas(
    observed: NDArray[np.float64],
    squares: NDArray[np.float64],
    of_value: NDArray[np.float64],
    places: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return alpha of values with places on a line, whose squares are summed over all answers."""
    total = of_value.sum(axis=1)
    expected = 2 * (total * squares - (of_value * places).sum(axis=1) ** 2)
    return _ratio(observed, expected, of_value)


def _ratio(
    observed: NDArray[np.float64], expected: NDArray[np.float64], of_value: NDArray[np.float64]
) -> NDArray[np.float64]:
    defined = (expected > 0) & ((of_value > 0).sum(axis=1) > 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(defined, 1 - observed * (of_value.sum(axis=1) - 1) / expected, np.nan)


def _ranks(of_value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, with half of the equal ones below, less the mean rank."""
    total = of_value.sum(axis=1)
    found: Counts = of_value.cumsum(axis=1) - of_value / 2 - total[:, None] / 2
    return found


def _centred(numbers: Sequence[float] | None) -> NDArray[np.float64]:
    if numbers is None:
        raise ValueError("interval data need the numbers of the values")
    found: Counts = np.asarray(numbers, dtype=float) - np.mean(numbers)
    return found


def _differences(
    known: Counts, sizes: Counts, drawn: NDArray[np.float64], places: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the sum of squared differences within units, of shape (weightings,)."""
    weighted = drawn / (sizes - 1)
    squares = (((weighted * sizes) @ known) * places**2).sum(axis=1)
    sums = places @ known.T
    found: NDArray[np.float64] = 2 * (squares - (weighted * sums**2).sum(axis=1))
    return found


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)

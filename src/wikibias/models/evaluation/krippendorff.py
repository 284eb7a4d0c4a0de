"""Krippendorff's alpha for any number of annotators and with gaps: nominal, ordinal, interval.

The library of that name is under the GPL, which this project cannot be shipped with.

No matrix of coincidences is made. For values with a place on a line (their number; for ordinal data
their rank among all answers) the squared differences within a unit follow from its sum and its sum
of squares, so that thousands of resamples are a few products of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wikibias.models.constants import RESAMPLES

Counts = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]


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


def alpha_with_interval(
    counts: Counts, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, float | None]:
    """Return alpha of nominal data with its 95 % interval by a percentile bootstrap over units."""
    units = len(counts)
    value = alpha(counts)
    if value is None or units < 2:
        return {"value": value, "low": None, "high": None}
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype(float)
    drawn = alphas(counts, weights)
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.percentile(drawn, [2.5, 97.5]) if len(drawn) else (None, None)
    return {
        "value": value,
        "low": None if low is None else float(low),
        "high": None if high is None else float(high),
    }


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
    answers = counts.sum(axis=1)
    usable = answers > 1
    known, sizes, drawn = counts[usable], answers[usable], weights[:, usable]
    total, of_value = drawn @ sizes, drawn @ known
    if level == "nominal":
        # Pairs of answers to one unit that differ, each unit as if its answers were paired once.
        observed = drawn @ ((sizes**2 - (known**2).sum(axis=1)) / (sizes - 1))
        expected = total**2 - (of_value**2).sum(axis=1)
    else:
        if level == "ordinal":  # half of the equal ones lie below
            places = of_value.cumsum(axis=1) - of_value / 2 - total[:, None] / 2
        else:
            if numbers is None:
                raise ValueError("interval data need the numbers of the values")
            middle = np.asarray(numbers, dtype=float) - np.mean(numbers)
            places = np.broadcast_to(middle, of_value.shape)
        observed = _differences(known, sizes, drawn, places)
        squares, sums = (of_value * places**2).sum(axis=1), (of_value * places).sum(axis=1)
        expected = 2 * (total * squares - sums**2)
    defined = (expected > 0) & ((of_value > 0).sum(axis=1) > 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(defined, 1 - observed * (total - 1) / expected, np.nan)


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

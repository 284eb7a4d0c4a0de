"""Krippendorff's alpha of nominal data, for any number of annotators and with gaps.

The library of that name is under the GPL, which this project cannot be shipped with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.models.constants import RESAMPLES

Counts = NDArray[np.float64]


def alpha(counts: Counts) -> float | None:
    """Return Krippendorff's alpha (Krippendorff 2011, nominal data).

    Args:
        counts: how many annotators gave each unit each value, of shape (units, values). A unit
            with fewer than two answers counts for nothing.

    Returns:
        1 where all agree, 0 at chance; None where nothing is to compare, or no two values occur.
    """
    return _alpha(counts, np.ones((1, len(counts))))[0]


def alpha_with_interval(
    counts: Counts, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, float | None]:
    """Return alpha with its 95 % interval by a percentile bootstrap over the units."""
    units = len(counts)
    value = alpha(counts)
    if value is None or units < 2:
        return {"value": value, "low": None, "high": None}
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype(float)
    drawn = [found for found in _alpha(counts, weights) if found is not None]
    low, high = np.percentile(drawn, [2.5, 97.5]) if drawn else (None, None)
    return {
        "value": value,
        "low": None if low is None else float(low),
        "high": None if high is None else float(high),
    }


def _alpha(counts: Counts, weights: Any) -> Sequence[float | None]:
    answers = counts.sum(axis=1)
    usable = answers > 1
    known, sizes, drawn = counts[usable], answers[usable], weights[:, usable]
    # Pairs of answers to one unit that differ, each unit as if its answers were paired once.
    differing = (sizes**2 - (known**2).sum(axis=1)) / (sizes - 1)
    total, of_value = drawn @ sizes, drawn @ known
    observed = drawn @ differing
    expected = total**2 - (of_value**2).sum(axis=1)
    return [
        None if all_ < 2 or chance <= 0 else float(1 - seen * (all_ - 1) / chance)
        for seen, all_, chance in zip(observed, total, expected, strict=True)
    ]

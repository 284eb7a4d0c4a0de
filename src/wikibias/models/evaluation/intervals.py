"""The interval of a figure from its resamples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Interval = dict[str, float | None]
"""`value`, `low` and `high`; None where it is not defined."""
_LEVEL = (2.5, 97.5)


def interval(value: float, drawn: Sequence[NDArray[np.float64]]) -> Interval:
    """Return a figure with its 95 % interval (percentile bootstrap).

    Args:
        value: the figure; not a number where it is not defined.
        drawn: arrays of what it is in resamples; not a number in those that do not define it, which
            are left out.
    """
    if np.isnan(value):
        return {"value": None, "low": None, "high": None}
    known = np.concatenate(drawn) if len(drawn) else np.zeros(0)
    known = known[~np.isnan(known)]
    if not len(known):
        return {"value": float(value), "low": None, "high": None}
    low, high = np.percentile(known, _LEVEL)
    return {"value": float(value), "low": float(low), "high": float(high)}

"""Intervals over the seeds with which topics were fitted, and documents drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import t

from wikibias.kits.evaluation import Interval

_LEVEL = 0.975
_LIMIT = 1.0  # no similarity is above it, nor below -1


def over_fits(values: Sequence[float]) -> Interval:
    """Return the mean of a figure over fits of the same documents, with its 95 % interval (t).

    It tells what the chance of the fits does, not that of the documents. It ends at -1 and 1, as
    figures do.

    Args:
        values: of each seed; one that is not a number is left out. Of one number alone there is no
            interval, of none no mean.
    """
    known = _known(values)
    return _interval(known, 1 / max(len(known), 1), _LIMIT)


def over_draws(values: Sequence[float], *, limit: float = _LIMIT) -> Interval:
    """Return the mean of a figure over documents drawn anew, with its 95 % interval (t).

    Where each draw is half of the documents, the spread of the draws is that of a figure of all of
    them (the delete-half jackknife of Shao and Wu, 1989): so the interval tells what chance in the
    documents and in the fits does, and more draws do not make it narrow.

    Args:
        values: of each seed, as for `over_fits`.
        limit: beyond which the interval does not go, above 0 or below; 2 for a difference.
    """
    known = _known(values)
    return _interval(known, 1 + 1 / max(len(known), 1), limit)


def _known(values: Sequence[float]) -> list[float]:
    return [value for value in values if not np.isnan(value)]


def _interval(values: Sequence[float], share: float, limit: float) -> Interval:
    """Return a mean and its interval, whose variance is a share of that of the values."""
    if not values:
        return {"value": None, "low": None, "high": None}
    mean = float(np.mean(values))
    if len(values) == 1:
        return {"value": mean, "low": None, "high": None}
    half = float(t.ppf(_LEVEL, len(values) - 1) * np.std(values, ddof=1) * share**0.5)
    low, high = max(mean - half, -limit), min(mean + half, limit)
    return {"value": mean, "low": low, "high": high}

"""B1 and B2 of topics and keywords (Ousidhoum, Song and Yeung, 2020, section 3.3).

B1 (equations 1 and 2) is the mean over topics of the mean similarity of a topic's words to the
keywords. B2 has two readings: `max` is equation 3 as printed, one maximum for each topic;
`mean_max` is the mean over a topic's words of their best keyword, as the authors' program has it.
Both are the mean over topics. With a floor at 0 no maximum counts for less than 0, as in that
program. Where similarities are defined and at least 0, B1 <= B2 mean_max <= B2 max.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Missing = Literal["zero", "skip"]
"""A pair without a similarity counts as 0, or is left out; under "skip" a word without any defined
pair is left out of `mean_max`, and a topic without any of all figures."""
FIGURES = ("b1", "mean_max", "max", "mean_max_floor0", "max_floor0")
"""The figures of `Scores`, in the order of its columns."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of each topic, topics by `FIGURES`; not a number where none is defined."""

    by_topic: Matrix

    def mean(self) -> Matrix:
        """Return each of `FIGURES` for all topics together: the mean over those that have one."""
        return mean_of_known(self.by_topic, axis=0)


def with_identity(similarities: Matrix, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
    """Return similarities, words by keywords, with 1 where both are the same word.

    Also where it has no vector; letter case does not count.
    """
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, keyword in enumerate(keywords):
        places[keyword.casefold()].append(place)
    found = similarities.copy()
    for row, word in enumerate(words):
        if same := places.get(word.casefold()):
            found[row, same] = 1.0
    return found


def scores(similarities: Sequence[Matrix], missing: Missing) -> Scores:
    """Return the figures of topics.

    Args:
        similarities: of each topic its words by all keywords; not a number where not defined.
        missing: what such a pair counts for.
    """
    return Scores(np.array([_of_topic(each, missing) for each in similarities]).reshape(-1, 5))


def _of_topic(found: Matrix, missing: Missing) -> list[float]:
    if missing == "zero":
        found = np.where(np.isnan(found), 0.0, found)
    elif found.size == 0 or np.isnan(found).all():
        return [float("nan")] * len(FIGURES)
    best = _highest(found)
    best = best[~np.isnan(best)]
    floored = np.maximum(best, 0.0)
    each = (np.nanmean(found), best.mean(), best.max(), floored.mean(), floored.max())
    return [float(figure) for figure in each]


def _highest(found: Matrix) -> Matrix:
    """Return the highest of each row; not a number where it has none."""
    highest: Matrix = np.where(np.isnan(found), -np.inf, found).max(axis=1)
    return np.where(np.isneginf(highest), np.nan, highest)


def mean_of_known(values: Matrix, axis: int) -> Matrix:
    """Return the mean along an axis of what is a number; not a number where nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns of an empty mean
        found: Matrix = np.nanmean(values, axis=axis)
    return found

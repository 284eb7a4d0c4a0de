"""The figures of random lists of keywords, which those of a list are held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.research.selection_bias.metrics import FIGURES, Missing, mean_of_known
from wikibias.research.selection_bias.random_lists import RandomLists
from wikibias.research.selection_bias.shuffling import chance
from wikibias.research.selection_bias.similarity.table import SimilarityTable
from wikibias.research.selection_bias.topics import Topics

Matrix = NDArray[np.float64]

HELD = FIGURES[:3]
"""The figures that are held against those of random lists."""
_AT_ONCE = 2_000_000  # similarities
_EQUAL = 1e-12  # what sums in another order may differ by


@dataclass(frozen=True, slots=True)
class _Words:
    """What figures need of the words of a topic, words by lists.

    Attributes:
        total: of the similarities to the words of a list.
        defined: how many there are.
        best: the highest; minus infinity where there is none.
        length: of each list.
    """

    total: Matrix
    defined: NDArray[np.int64]
    best: Matrix
    length: int

    def figures(self, number: int, missing: Missing) -> Matrix:
        """Return `HELD` of the first words, figures by lists, as `metrics.scores` has them."""
        total, defined = self.total[:number].sum(axis=0), self.defined[:number]
        best = self.best[:number]
        if missing == "zero":
            best = np.where(defined < self.length, np.maximum(best, 0.0), best)
            mean = total / (len(best) * self.length)
            return np.array([mean, best.mean(axis=0), best.max(axis=0)])
        some, known = defined.sum(axis=0), (defined > 0).sum(axis=0)
        best_sum = np.where(defined > 0, best, 0.0).sum(axis=0)
        figures = [total / np.maximum(some, 1), best_sum / np.maximum(known, 1), best.max(axis=0)]
        return np.where(some > 0, figures, np.nan)


def of_lists(
    fits: Sequence[Topics],
    words: Sequence[int],
    lists: RandomLists,
    table: SimilarityTable,
    missing: Sequence[Missing],
) -> dict[tuple[int, Missing], Matrix]:
    """Return the figures of random lists, the mean over the fits.

    Args:
        fits: topics of the same number, one fit for each seed.
        words: how many of each topic are compared, each number in turn.
        lists: that were drawn.
        table: how alike all these words are.
        missing: what a pair without a similarity counts for, each way in turn.

    Returns:
        The number of words and how a missing pair counts -> `HELD` by lists.
    """
    keys = [(number, how) for number in words for how in missing]
    over_fits: dict[tuple[int, Missing], list[Matrix]] = {key: [] for key in keys}
    for fit in fits:
        topics = [
            _words(table.of(topic, lists.words), lists.places) for topic in fit.first(max(words))
        ]
        for number, how in keys:
            of_topics = np.array([topic.figures(number, how) for topic in topics])
            over_fits[number, how].append(mean_of_known(of_topics, axis=0))
    return {key: mean_of_known(np.array(found), axis=0) for key, found in over_fits.items()}


def held_against(figures: Mapping[str, float | None], lists: Matrix) -> dict[str, Any]:
    """Return what figures are by chance: mean, 95 % of the lists, and p of one as high.

    Args:
        figures: each of `HELD`; None where it is not defined.
        lists: the same of random lists, as `of_lists` returns them.
    """
    found: dict[str, Any] = {}
    for name, of_lists_ in zip(HELD, lists, strict=True):
        value, known = figures[name], of_lists_[~np.isnan(of_lists_)]
        if value is None or not len(known):
            found[name] = dict.fromkeys(("mean", "low", "high", "p"))
        else:
            found[name] = chance(known.tolist(), value - _EQUAL)
    return {"lists": lists.shape[1], "figures": found}


def _words(similarities: Matrix, places: NDArray[np.int64]) -> _Words:
    parts = [*_parts(similarities, places)]
    total, defined, best = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
    return _Words(total, defined, best, places.shape[1])


def _parts(
    similarities: Matrix, places: NDArray[np.int64]
) -> Iterator[tuple[Matrix, NDArray[np.int64], Matrix]]:
    """Yield total, number and highest of similarities for some lists at a time, to spare memory."""
    step = max(1, _AT_ONCE // max(1, len(similarities) * places.shape[1]))
    for start in range(0, len(places), step):
        cut = similarities[:, places[start : start + step]]
        gone = np.isnan(cut)
        yield (
            np.where(gone, 0.0, cut).sum(axis=2),
            (~gone).sum(axis=2),
            np.where(gone, -np.inf, cut).max(axis=2),
        )

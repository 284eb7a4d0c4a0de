"""B1 and B2 of topics that were fitted with several seeds, as the result holds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from wikibias.kits.evaluation import Interval
from wikibias.research.selection_bias.metrics import FIGURES, Missing, scores
from wikibias.research.selection_bias.seeds import over_fits
from wikibias.research.selection_bias.similarity.table import SimilarityTable
from wikibias.research.selection_bias.topics import Topics

MISSING: tuple[Missing, ...] = get_args(Missing)
SHOWN = FIGURES[:3]
"""The figures without a floor."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """How alike words are, and of which of them it is known.

    Attributes:
        table: similarities of all words of topics to all keywords.
        known: the words that the measure knows.
    """

    table: SimilarityTable
    known: frozenset[str]

    def coverage(self, words: Sequence[str]) -> float:
        """Return the share of words that the measure knows, each word once."""
        distinct = set(words)
        return len(distinct & self.known) / max(len(distinct), 1)


def by_seed(
    fits: Sequence[Topics],
    words: int,
    keywords: Sequence[str],
    table: SimilarityTable,
    missing: Missing,
) -> NDArray[np.float64]:
    """Return the figures of each fit, seeds by `FIGURES`; not a number where not defined.

    Args:
        fits: topics of the same number, one fit for each seed.
        words: how many of each topic are compared.
        keywords: that they are compared with.
        table: how alike they are.
        missing: what a pair without a similarity counts for.
    """
    found = [
        scores([table.of(topic, keywords) for topic in fit.first(words)], missing).mean()
        for fit in fits
    ]
    return np.array(found)


def entry(
    fits: Sequence[Topics],
    words: int,
    keywords: Sequence[str],
    yardstick: Yardstick,
    missing: Missing,
    interval: Callable[[Sequence[float]], Interval] = over_fits,
) -> dict[str, Any]:
    """Return the figures of fits with their intervals, and the coverage beside them."""
    found = by_seed(fits, words, keywords, yardstick.table, missing)
    intervals = dict(zip(FIGURES, map(interval, found.T.tolist()), strict=True))
    used = [word for fit in fits for topic in fit.first(words) for word in topic]
    return {
        "topics": len(fits[0].words),
        "words": words,
        "missing": missing,
        "b1": intervals["b1"],
        "b2": {name: intervals[name] for name in FIGURES[1:]},
        "coverage": {
            "topic_words": yardstick.coverage(used),
            "keywords": yardstick.coverage(keywords),
        },
        "by_seed": [
            {"seed": fit.seed, **dict(zip(SHOWN, row, strict=False))}
            for fit, row in zip(fits, found.tolist(), strict=True)
        ],
    }


def value_of(figures: Mapping[str, Any], name: str) -> float | None:
    """Return the value of one of `FIGURES`; None where it is not defined."""
    held = figures["b1"] if name == "b1" else figures["b2"][name]
    value: float | None = held["value"]
    return value

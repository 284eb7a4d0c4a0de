"""Shuffles which of two sides documents are of, to tell what of a figure is chance.

Sentences of a page are about one thing. A test that shuffles them one by one takes any two sets of
pages for different, since it knows no chance but that of single sentences. So what is of one page
moves together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import load_config
from wikibias.research.selection_bias.documents import Documents

DRAWS = 999
"""How often chance is drawn."""
Sides = NDArray[np.bool_]
Groups = NDArray[np.int64]
_DIGITS = 9  # beyond which figures that are the same may differ, by the order of additions


def together(documents: Documents) -> tuple[Groups, str]:
    """Return the group of each document, and what a group is: "page" or "sentence".

    Where pages are not known or too few, sentences that are the same are one group.
    """
    if documents.pages is not None:
        pages = numbered(documents.pages)
        if len(pages) and pages.max() + 1 >= load_config().scores.min_groups:
            return pages, "page"
    return numbered(documents.texts), "sentence"


def numbered(values: Sequence[str]) -> Groups:
    """Return for each value a number, the same for the same one, counted from 0."""
    # Not as an array of texts, in which each takes as much room as the longest.
    place = {value: number for number, value in enumerate(sorted(set(values)))}
    return np.array([place[value] for value in values], dtype=np.int64)


def swapped(sides: Sides, groups: Groups, number: int, seed: int) -> Iterator[Sides]:
    """Yield so many draws, in each of which some groups have changed sides, each by a coin.

    For sides of equal size. What a group has on both sides, such as a sentence of two dumps, stays
    on both.
    """
    rng = np.random.default_rng(seed)
    for _ in range(number):
        coins = rng.random(int(groups.max()) + 1) < 0.5
        yield sides ^ coins[groups]


def chance(drawn: Sequence[float], value: float) -> dict[str, float]:
    """Return what a figure is by chance: `mean`, `low` and `high` of 95 % of the draws, and `p`.

    p is the share of draws that are at least as high, the figure itself among them.
    """
    low, high = np.percentile(drawn, (2.5, 97.5))
    p = share_above(drawn, value)
    return {"mean": float(np.mean(drawn)), "low": float(low), "high": float(high), "p": p}


def share_above(drawn: Sequence[float], value: float) -> float:
    """Return the share of figures that are at least as high as one, this one among them."""
    above = np.round(drawn, _DIGITS) >= round(value, _DIGITS)
    return (int(above.sum()) + 1) / (len(drawn) + 1)

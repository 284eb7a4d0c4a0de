"""Shuffles which of two sides documents are of, with those of one page kept together.

Sentences of a page are about one thing. A test that shuffles them one by one takes any two sets of
pages for different, since it knows no chance but that of single sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import load_config

Sides = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Draws of sides that leave what is of one page together.

    Attributes:
        sides: the side of each document as it is.
        blocks: the places of documents that move together, block by block.
        by: "page", or "sentence" where pages are not known or too few.
    """

    sides: Sides
    blocks: Sequence[NDArray[np.int64]]
    by: str

    def drawn(self, number: int, seed: int) -> Iterator[Sides]:
        """Yield so many draws, each with as many documents of either side as there are.

        The blocks come in a random order; the sides lie along it, each block's in their own order,
        as those of the blocks in another random order. So what is of one page stays of one side,
        or as mixed as pages are.
        """
        rng = np.random.default_rng(seed)
        for _ in range(number):
            places = self._in_order(rng.permutation(len(self.blocks)))
            sides = np.empty_like(self.sides)
            sides[places] = self.sides[self._in_order(rng.permutation(len(self.blocks)))]
            yield sides

    def _in_order(self, order: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.concatenate([self.blocks[place] for place in order.tolist()])


def shuffling(sides: Sides, pages: Sequence[str] | None) -> Shuffling:
    """Return how to shuffle sides: by page where there are enough pages, else by sentence."""
    if pages is not None:
        member = np.unique(np.asarray(pages, dtype=object).astype(str), return_inverse=True)[1]
        order = np.argsort(member, kind="stable")
        blocks = np.split(order, np.flatnonzero(np.diff(member[order])) + 1)
        if len(blocks) >= load_config().scores.min_groups:
            return Shuffling(sides, blocks, "page")
    return Shuffling(sides, [np.array([place]) for place in range(len(sides))], "sentence")


def chance(drawn: Sequence[float], value: float) -> dict[str, float]:
    """Return what a figure is by chance: mean, 95 % of draws, and p of one as high as it is.

    p is the share of draws at or above it, the figure itself among them.
    """
    low, high = np.percentile(drawn, (2.5, 97.5))
    above = sum(one >= value for one in drawn)
    return {
        "mean": float(np.mean(drawn)),
        "low": float(low),
        "high": float(high),
        "p": (above + 1) / (len(drawn) + 1),
    }

"""Pairs texts that share most of their words, at a bounded cost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

# From this share of common words on, one text became the other.
_ALIKE = 0.5
# Texts on a side, and characters of each, that are compared.
_MOST_TEXTS = 20
_MOST_CHARACTERS = 1_000
_WORD = re.compile(r"\w+")


class Overlap:
    """The likeness of some texts to some others: the share of words that they have in common."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._old = [_words(text) for text in old[:_MOST_TEXTS]]
        self._new = [_words(text) for text in new[:_MOST_TEXTS]]

    def pairs(self) -> list[tuple[int, int]]:
        """Return which became which, the most alike first, each at most once."""
        scored = [
            (-likeness, left, right)
            for left, old in enumerate(self._old)
            for right, new in enumerate(self._new)
            if (likeness := _likeness(old, new)) >= _ALIKE
        ]
        used_old: set[int] = set()
        used_new: set[int] = set()
        found = []
        for _, left, right in sorted(scored):
            if left not in used_old and right not in used_new:
                used_old.add(left)
                used_new.add(right)
                found.append((left, right))
        return found


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text[:_MOST_CHARACTERS].casefold()))


def _likeness(old: Counter[str], new: Counter[str]) -> float:
    """Return Dice's coefficient of two bags of words; 0 where it is too small to matter."""
    sizes = old.total(), new.total()
    # Seldom are two texts alike, and of most the number of words tells.
    if 2 * min(sizes) < _ALIKE * sum(sizes) or not min(sizes):
        return 0.0
    common = sum(min(old[word], new[word]) for word in old.keys() & new.keys())
    return 2 * common / sum(sizes)

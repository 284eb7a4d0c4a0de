"""What pages are about, in a few numbers each: the words of a page, hashed.

A page is a vector of `DIMENSIONS`: each word adds one to one of them or takes one away, as its hash
says. From all vectors their mean is taken, so that words which every page has count for nothing.
Two pages are alike as far as these vectors point in one direction. A page takes a kilobyte, however
long it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wikibias.text.unsegmented import is_unspaced

DIMENSIONS = 256
Vectors = NDArray[np.float32]
_REMEMBERED = 1 << 16


class Topics:
    """Collects the words of pages, which are numbered from 0."""

    def __init__(self) -> None:
        self._rows: list[NDArray[np.float32]] = []

    def add(self, page: int, norm: str) -> None:
        """Add a sentence of a page, in its normal form."""
        while len(self._rows) <= page:
            self._rows.append(np.zeros(DIMENSIONS, np.float32))
        places = [_place(word) for word in _words(norm)]
        if places:
            numbers, signs = zip(*places, strict=True)
            self._rows[page] += np.bincount(numbers, signs, DIMENSIONS).astype(np.float32)

    def vectors(self, pages: int) -> Vectors:
        """Return a row of length 1 for each of so many pages, of zeros for one without words."""
        rows = np.zeros((pages, DIMENSIONS), np.float32)
        for page, row in enumerate(self._rows):
            rows[page] = row
        rows = _unit(rows)
        known = np.any(rows, axis=1)
        if known.sum() > 1:
            rows[known] -= rows[known].mean(axis=0)
        return _unit(rows)


def _unit(rows: Vectors) -> Vectors:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Vectors = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return found


def _words(norm: str) -> Sequence[str]:
    """Return the words of a sentence; pairs of letters where a script has no spaces."""
    if is_unspaced(norm):
        return [norm[at : at + 2] for at in range(len(norm) - 1)]
    return norm.split()


@lru_cache(_REMEMBERED)
def _place(word: str) -> tuple[int, int]:
    """Return which number of the vector a word counts in, and its sign."""
    digest = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest())
    return (digest >> 1) % DIMENSIONS, 1 if digest & 1 else -1

"""The cosine of vectors, words by keywords."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]


def unit(vectors: ArrayLike) -> Matrix:
    """Return vectors, a row each, of length 1; a row of not-a-number for one that is no vector.

    That is one of zeros, or with a number that is infinite or none.
    """
    found: Matrix = np.array(vectors, dtype=np.float64)
    largest = np.abs(found).max(axis=1, initial=0.0, keepdims=True)
    none = ~(np.isfinite(largest) & (largest > 0)).ravel()
    largest[none] = 1.0
    found /= largest  # or the square of a large number is infinite
    found[none] = np.nan
    lengths: Matrix = np.sqrt((found**2).sum(axis=1, keepdims=True))
    return found / lengths


def cosines(words: Matrix, keywords: Matrix) -> Matrix:
    """Return the cosine of each word and each keyword, given as `unit` has them."""
    with np.errstate(invalid="ignore"):
        found: Matrix = words @ keywords.T
    return np.clip(found, -1.0, 1.0, out=found)

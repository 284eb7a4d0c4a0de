"""A measure of how alike words are that is made of vectors in a test."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from wikibias.research.selection_bias.similarity import Similarity

Matrix = NDArray[np.float64]


class Vectors(Similarity):
    """The cosine of vectors; of a word without one there is none."""

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self._vectors = {word: np.array(vector) for word, vector in vectors.items()}
        self.asked = 0
        self.about = {"name": "made", "title": "cosine of made vectors"}

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return the cosines, words by keywords."""
        self.asked += 1
        rows, columns = self._unit(words), self._unit(keywords)
        found: Matrix = rows @ columns.T
        return found

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector."""
        return np.array([word in self._vectors for word in words], dtype=bool)

    def _unit(self, words: Sequence[str]) -> Matrix:
        size = len(next(iter(self._vectors.values())))
        none = np.full(size, np.nan)
        found = np.array([self._vectors.get(word, none) for word in words]).reshape(-1, size)
        unit: Matrix = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit


def random_vectors(words: Sequence[str], seed: int, size: int = 6) -> dict[str, list[float]]:
    """Return a vector for each word, in any direction."""
    drawn = np.random.default_rng(seed).normal(size=(len(words), size))
    return dict(zip(words, drawn.tolist(), strict=True))

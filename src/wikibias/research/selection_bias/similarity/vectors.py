"""The cosine of word vectors that a file or an installed package holds."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.research.selection_bias.similarity.cosine import Matrix, cosines, unit
from wikibias.research.selection_bias.similarity.packages import find
from wikibias.research.selection_bias.similarity.registry import Wanted
from wikibias.research.selection_bias.similarity.sought import Vector, names, sought
from wikibias.research.selection_bias.similarity.vector_file import read_file


class WordVectors:
    """The cosine of vectors of words.

    A word is looked up as it is, then lower-cased. A phrase without a vector of its own, its words
    apart or joined by "_" or "-", has the mean of those of its words that have one.

    Args:
        vectors: by name.
        dimensions: of each.
        words: all that may be asked about.
        about: what they are; see `registry.Similarity`.
    """

    def __init__(
        self,
        vectors: Mapping[str, Vector],
        dimensions: int,
        words: Collection[str],
        about: Mapping[str, Any],
    ) -> None:
        self._vectors = {name: each for name, each in vectors.items() if _is_one(each)}
        self._none = np.zeros(dimensions)
        known = int(self.knows(sorted(words)).sum())
        self._about = {**about, "words": len(words), "with_vector": known}

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return cosines, words by keywords; not a number where one has no vector."""
        return cosines(self._units(words), self._units(keywords))

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector, or a phrase one of its words."""
        return np.array([_is_one(self._vector(word)) for word in words], dtype=np.bool_)

    @property
    def about(self) -> Mapping[str, Any]:
        """What the vectors are; see `registry.Similarity`."""
        return self._about

    def _units(self, words: Sequence[str]) -> Matrix:
        found = [self._vector(word) for word in words]
        return unit(np.array(found).reshape(len(words), len(self._none)))

    def _vector(self, word: str) -> Vector:
        """Return the vector of a word or phrase; zeros where it has none."""
        if (own := self._own(word)) is not None:
            return own
        parts = [each for part in word.split() if (each := self._own(part)) is not None]
        mean: Vector = np.mean(parts, axis=0) if parts else self._none
        return mean

    def _own(self, word: str) -> Vector | None:
        found = (self._vectors[name] for name in names(word) if name in self._vectors)
        return next(found, None)


def read(wanted: Wanted) -> WordVectors:
    """Read the vectors of the words that are wanted.

    Raises:
        UsageError: there is no such file and no such package.
        WikibiasError: the file holds no word vectors, or is damaged.
    """
    path, title = find(wanted.vectors)
    found = read_file(path, sought(wanted.words))
    about = {
        "name": "vectors",
        "title": f"cosine of {title}",
        "file": path.name,
        "sha256": _digest(path),
        "dimensions": found.dimensions,
        **({"caution": found.caution} if found.caution else {}),
    }
    return WordVectors(found.vectors, found.dimensions, frozenset(wanted.words), about)


def _is_one(vector: Vector) -> bool:
    """Return whether numbers are a vector that has a direction."""
    return bool(np.isfinite(vector).all() and vector.any())


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error

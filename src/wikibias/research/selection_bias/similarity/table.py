"""Similarities of words to keywords, each asked for once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from wikibias.research.selection_bias.metrics import with_identity
from wikibias.research.selection_bias.similarity.registry import Matrix, Similarity


class SimilarityTable:
    """How alike words of topics are to keywords; the same word is 1, even without a vector.

    Args:
        similarity: which is asked once.
        words: of topics.
        keywords: of all lists, drawn ones too.
    """

    def __init__(
        self, similarity: Similarity, words: Collection[str], keywords: Collection[str]
    ) -> None:
        rows, columns = sorted(set(words)), sorted(set(keywords))
        self._row = {word: place for place, word in enumerate(rows)}
        self._column = {word: place for place, word in enumerate(columns)}
        self._values = with_identity(similarity.matrix(rows, columns), rows, columns)

    def of(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return words by keywords; not a number where it is not defined."""
        rows = [self._row[word] for word in words]
        columns = [self._column[keyword] for keyword in keywords]
        found: Matrix = self._values[np.ix_(rows, columns)]
        return found

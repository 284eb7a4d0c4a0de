"""How often each word stands in each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from wikibias.corpus.topic_words import topic_words

LEAST = 5
"""In how many of many documents a word stands at least to be counted."""
_PER_WORD = 500


@dataclass(frozen=True, slots=True)
class Counts:
    """Words of documents.

    Attributes:
        matrix: how often each word stands in each document, documents by words (CSR).
        vocabulary: the words, sorted.
        documents_with: any word, of the vocabulary or too rare for it -> in how many documents.
    """

    matrix: csr_matrix
    vocabulary: Sequence[str]
    documents_with: Mapping[str, int]

    def of(self, rows: Sequence[int]) -> Counts:
        """Return the counts of some documents alone, of the words that they have."""
        matrix = self.matrix[rows]
        held = np.asarray((matrix > 0).sum(axis=0)).ravel()
        kept = np.flatnonzero(held)
        words = [self.vocabulary[place] for place in kept.tolist()]
        return Counts(matrix[:, kept], words, dict(zip(words, held[kept].tolist(), strict=True)))


def least_of(documents: int) -> int:
    """Return in how many of so many documents a word stands at least to be counted.

    That is in one of 500, but in two at least, and never in more than `LEAST`.
    """
    return max(2, min(LEAST, documents // _PER_WORD))


def counted(texts: Sequence[str], stop_words: Collection[str], least: int | None = None) -> Counts:
    """Count the words of documents, as `topic_words` has them.

    Args:
        texts: the documents, in their normal form.
        stop_words: which are not counted.
        least: in how many documents a word stands at least; by default as `least_of` says.
    """
    least = least_of(len(texts)) if least is None else least
    stop_words = frozenset(stop_words)
    documents_with: Counter[str] = Counter()
    for text in texts:
        documents_with.update(set(topic_words(text, stop_words)))
    vocabulary = sorted(word for word, number in documents_with.items() if number >= least)
    matrix = counts_of(texts, vocabulary, stop_words)
    return Counts(matrix, vocabulary, dict(sorted(documents_with.items())))


def counts_of(
    texts: Iterable[str], vocabulary: Sequence[str], stop_words: Collection[str]
) -> csr_matrix:
    """Count words that are known already, documents by words (CSR)."""
    place = {word: number for number, word in enumerate(vocabulary)}
    starts, words, numbers = [0], [], []
    for text in texts:
        found = Counter(place[w] for w in topic_words(text, stop_words) if w in place)
        words += sorted(found)
        numbers += [found[word] for word in sorted(found)]
        starts.append(len(words))
    return csr_matrix(
        (np.array(numbers, np.int64), np.array(words, np.int64), np.array(starts, np.int64)),
        shape=(len(starts) - 1, len(vocabulary)),
    )

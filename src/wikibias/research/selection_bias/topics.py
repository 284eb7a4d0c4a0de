"""Topics of documents: words counted, latent Dirichlet allocation fitted, first words, shares."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wikibias.corpus.log_odds import tokens
from wikibias.errors import UsageError
from wikibias.text.unsegmented import is_unspaced

LEAST = 5
"""In how many of many documents a word stands at least to be counted."""
_PER_WORD = 500
_PASSES = 10
_NUMBERS = ("numtkn", "нумткн")  # for a number: ours, and of the published Bulgarian corpus
_DIGITS = 10  # of a weight, by which words are ordered


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
        return _frequent_counts(self.matrix[rows], self.vocabulary, 1)


@dataclass(frozen=True, slots=True)
class Topics:
    """Topics that were fitted with a seed.

    Attributes:
        words: of each topic, those of the highest weight first; of equal weight in alphabetical
            order.
        shares: of each topic in each document, documents by topics; rows add up to 1.
        seed: with which they were fitted.
    """

    words: list[list[str]]
    shares: NDArray[np.float64]
    seed: int

    def first(self, number: int) -> list[list[str]]:
        """Return so many words of each topic, the first ones."""
        return [words[:number] for words in self.words]


def topic_words(norm: str, stop_words: Collection[str]) -> list[str]:
    """Return the words of a normal form, without stop words, numbers and single letters.

    Where apostrophes are kept, a word loses what is elided before it if that is a stop word: with
    "l'" among them "l'église" is "église". Text without spaces gives each two letters side by side,
    as elsewhere, but for two that are both stop words.
    """
    words = tokens(norm) if "'" not in norm else (_whole(each, stop_words) for each in tokens(norm))
    return [
        word
        for word in words
        if len(word) > 1
        and word not in _NUMBERS
        and word not in stop_words
        and not (len(word) == 2 and _are_both(word, stop_words))
    ]


def _whole(word: str, stop_words: Collection[str]) -> str:
    elided, apostrophe, rest = word.partition("'")
    return rest if apostrophe and elided + apostrophe in stop_words else word


def _are_both(pair: str, stop_words: Collection[str]) -> bool:
    return pair[0] in stop_words and pair[1] in stop_words and is_unspaced(pair)


def least_of(documents: int) -> int:
    """Return in how many of so many documents a word stands at least to be counted.

    That is in one of 500, but in two at least, and never in more than `LEAST`.
    """
    return max(2, min(LEAST, documents // _PER_WORD))


def count_words(
    texts: Sequence[str], stop_words: Collection[str], least: int | None = None
) -> Counts:
    """Count the words of documents, as `topic_words` has them.

    Args:
        texts: the documents, in their normal form.
        stop_words: which are not counted.
        least: in how many documents a word stands at least; by default as `least_of` says.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    left_out = frozenset(stop_words)
    vectorizer = CountVectorizer(analyzer=lambda text: topic_words(text, left_out))
    try:
        matrix = vectorizer.fit_transform(texts)
    except ValueError:  # of no word at all
        return Counts(csr_matrix((len(texts), 0), dtype=np.int64), [], {})
    words = vectorizer.get_feature_names_out().tolist()
    return _frequent_counts(matrix, words, least_of(len(texts)) if least is None else least)


def _frequent_counts(matrix: csr_matrix, words: Sequence[str], least: int) -> Counts:
    """Return the counts of the words that stand in so many documents at least."""
    documents = matrix.getnnz(axis=0)
    kept = np.flatnonzero(documents >= least)
    vocabulary = [words[place] for place in kept.tolist()]
    return Counts(matrix[:, kept], vocabulary, dict(zip(words, documents.tolist(), strict=True)))


def fit_topics(counts: Counts, number: int, seed: int, most: int) -> Topics:
    """Fit so many topics (Blei, Ng and Jordan, 2003), by scikit-learn.

    Args:
        counts: of the words of documents.
        number: of topics.
        seed: of the fit; the same one gives the same bytes.
        most: how many words of each topic are kept.

    Raises:
        UsageError: no word was counted.
    """
    from sklearn.decomposition import LatentDirichletAllocation

    if not counts.vocabulary:
        raise UsageError(
            "no word but stop words stands in enough of the sentences for topics; give more of them"
        )
    model = LatentDirichletAllocation(
        n_components=number, max_iter=_PASSES, learning_method="batch", random_state=seed, n_jobs=1
    ).fit(counts.matrix)
    weights = model.components_ / model.components_.sum(axis=1, keepdims=True)
    # Last digits depend on the machine. The vocabulary is sorted, so a stable sort leaves equal
    # weights in alphabetical order.
    order = np.argsort(-np.round(weights, _DIGITS), axis=1, kind="stable")[:, :most]
    words = [[counts.vocabulary[place] for place in row] for row in order.tolist()]
    return Topics(words, model.transform(counts.matrix), seed)

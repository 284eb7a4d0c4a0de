"""Latent Dirichlet allocation (Blei, Ng and Jordan, 2003) by variational Bayes.

The algorithm, its defaults and its random numbers are those of scikit-learn's
`LatentDirichletAllocation(learning_method="batch")`, after Hoffman, Blei and Bach (2010), and so
are the topics, which a test holds. That goes document by document; here many are worked on
together, which takes a quarter of the time or less, and no step depends on the number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import psi

_PASSES = 10
_MOST = 100  # rounds of a document in a pass
_CHANGE = 1e-3  # of its mean share, below which its rounds end
_AT_ONCE = 2000  # documents; few enough for the cache of a processor
_TINY = float(np.finfo(np.float64).eps)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lda:
    """A fitted model; see `corpus.topic_models.TopicModel`.

    Attributes:
        weights: the parameters of the words of each topic, words by topics.
    """

    weights: Floats

    @property
    def word_weights(self) -> Floats:
        """The weight of each word in each topic, topics by words; a row adds up to 1."""
        found: Floats = (self.weights / self.weights.sum(axis=0)).T
        return found

    def shares(self, counts: Any) -> Floats:
        """Return the share of each topic in each document, documents by topics."""
        found = np.ones((counts.shape[0], self.weights.shape[1]))
        _pass(counts, _expected(self.weights.T).T, found)
        found /= found.sum(axis=1, keepdims=True)
        return found


def fit(counts: Any, topics: int, seed: int) -> Lda:
    """Fit a model on counts, documents by words (CSR); the same seed gives the same bytes."""
    rng = np.random.RandomState(seed)
    prior = 1 / topics
    weights = rng.gamma(100.0, 0.01, (topics, counts.shape[1])).T
    for _ in range(_PASSES):
        shares = rng.gamma(100.0, 0.01, (counts.shape[0], topics))
        weights = prior + _pass(counts, _expected(weights.T).T, shares)
    return Lda(weights)


def _expected(parameters: Floats) -> Floats:
    """Return the exponential of the expected logarithm under a Dirichlet distribution a row."""
    found: Floats = np.exp(psi(parameters) - psi(parameters.sum(axis=1, keepdims=True)))
    return found


def _pass(counts: Any, words: Floats, shares: Floats) -> Floats:
    """Bring the parameters of the shares of all documents up to date, in place.

    Args:
        counts: documents by words.
        words: what is expected of the words, words by topics.
        shares: parameters to begin with, documents by topics.

    Returns:
        How often each topic is expected to have given each word, words by topics.
    """
    words = np.ascontiguousarray(words)
    found = np.zeros_like(words)
    for first in range(0, counts.shape[0], _AT_ONCE):
        part = counts[first : first + _AT_ONCE]
        topics = _settled(part, words, shares[first : first + _AT_ONCE])
        found += _ratios(part, _entries(part, words), topics).T @ topics
    found *= words
    return found


def _settled(counts: Any, words: Floats, shares: Floats) -> Floats:
    """Bring documents up to date until they hardly change; return what is expected of their topics.

    Rounds of what has settled already end: each time half of the documents have, the others go on
    alone.
    """
    prior = 1 / words.shape[1]
    topics = _expected(shares)
    left = np.arange(len(shares))
    part, entries = counts, _entries(counts, words)
    moves = np.ones(len(shares), dtype=bool)
    for _ in range(_MOST):
        new = topics[left] * (_ratios(part, entries, topics[left]) @ words) + prior
        going = moves[left]
        at, new = left[going], new[going]
        moves[at] = np.abs(new - shares[at]).mean(axis=1) >= _CHANGE
        shares[at], topics[at] = new, _expected(new)
        still = int(np.count_nonzero(moves))
        if not still:
            break
        if 2 * still <= len(left):
            left = np.flatnonzero(moves)
            part = counts[left]
            entries = _entries(part, words)
    return topics


def _entries(counts: Any, words: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return of each count that is not 0 its document, and what is expected of its word."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return rows, words[counts.indices]


def _ratios(counts: Any, entries: tuple[NDArray[np.int64], Floats], topics: Floats) -> csr_matrix:
    """Return each count by what its document's topics make its word likely."""
    rows, of_words = entries
    likely = np.einsum("ij,ij->i", topics[rows], of_words) + _TINY
    return csr_matrix((counts.data / likely, counts.indices, counts.indptr), shape=counts.shape)

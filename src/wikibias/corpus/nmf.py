"""Non-negative matrix factorisation (Lee and Seung, 1999) of tf-idf, by scikit-learn.

Of sentences, which have few words each, it tells topics better than latent Dirichlet allocation.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer

_PASSES = 200


@dataclass(frozen=True, slots=True)
class Factors:
    """A fitted model; see `corpus.topic_models.TopicModel`."""

    model: NMF
    tf_idf: TfidfTransformer

    @property
    def word_weights(self) -> NDArray[np.float64]:
        """The weight of each word in each topic, topics by words; a row adds up to 1."""
        return _shared(self.model.components_)

    def shares(self, counts: Any) -> NDArray[np.float64]:
        """Return the share of each topic in each document, documents by topics."""
        return _shared(self.model.transform(self.tf_idf.transform(counts)))


def fit(counts: Any, topics: int, seed: int) -> Factors:
    """Fit a model on counts, documents by words (CSR); the same seed gives the same bytes."""
    tf_idf = TfidfTransformer(sublinear_tf=True)
    start = "nndsvda" if topics <= min(counts.shape) else "random"
    model = NMF(n_components=topics, init=start, max_iter=_PASSES, random_state=seed)
    # It takes a root of the error, which may come out below 0 where topics tell counts in full.
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        # More passes move no topic.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(tf_idf.fit_transform(counts))
    return Factors(model, tf_idf)


def _shared(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows that add up to 1; of a row of zeros equal shares."""
    sums = weights.sum(axis=1, keepdims=True)
    equal = np.full_like(weights, 1 / weights.shape[1])
    found: NDArray[np.float64] = np.divide(weights, sums, out=equal, where=sums > 0)
    return found

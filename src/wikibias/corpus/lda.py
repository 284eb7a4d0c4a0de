"""Latent Dirichlet allocation (Blei, Ng and Jordan, 2003) by scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import LatentDirichletAllocation

_PASSES = 10


@dataclass(frozen=True, slots=True)
class Lda:
    """A fitted model; see `corpus.topic_models.TopicModel`."""

    model: LatentDirichletAllocation

    @property
    def word_weights(self) -> NDArray[np.float64]:
        """The weight of each word in each topic, topics by words; a row adds up to 1."""
        weights: NDArray[np.float64] = self.model.components_
        found: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return found

    def shares(self, counts: Any) -> NDArray[np.float64]:
        """Return the share of each topic in each document, documents by topics."""
        found: NDArray[np.float64] = self.model.transform(counts)
        return found


def fit(counts: Any, topics: int, seed: int) -> Lda:
    """Fit a model on counts, documents by words (CSR); the same seed gives the same bytes."""
    model = LatentDirichletAllocation(
        n_components=topics, max_iter=_PASSES, learning_method="batch", random_state=seed, n_jobs=1
    )
    return Lda(model.fit(counts))

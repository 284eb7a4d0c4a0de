"""Topic models by name; other packages add theirs as entry points `wikibias.topic_models`.

None is imported before it is asked for: an extraction needs none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wikibias.kits.plugins import Registry

DEFAULT = "lda"
OF_SENTENCES = "nmf"
"""The one that tells the topics of single sentences best."""


class TopicModel(Protocol):
    """What is fitted on counts, documents by words."""

    @property
    def word_weights(self) -> NDArray[np.float64]:
        """The weight of each word in each topic, topics by words; a row adds up to 1."""

    def shares(self, counts: Any) -> NDArray[np.float64]:
        """Return the share of each topic in each document, documents by topics; rows add up to 1.

        Args:
            counts: a sparse matrix (CSR) of the words that the model was fitted on.
        """


Fit = Callable[[Any, int, int], TopicModel]
"""Fits a model on counts (documents by words, CSR), a number of topics and a seed."""

TOPIC_MODELS: Registry[Fit] = Registry(
    "topic model",
    "wikibias.topic_models",
    {DEFAULT: "wikibias.corpus.lda:fit", OF_SENTENCES: "wikibias.corpus.nmf:fit"},
)

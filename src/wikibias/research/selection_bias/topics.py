"""The topics of documents: their words by falling weight, and their share of each document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus.topic_models import DEFAULT, TOPIC_MODELS
from wikibias.errors import UsageError

if TYPE_CHECKING:
    from wikibias.corpus.topic_counts import Counts

_DIGITS = 10  # of a weight, by which words are ordered


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


def fitted(counts: Counts, number: int, seed: int, most: int, model: str = DEFAULT) -> Topics:
    """Fit so many topics on counts.

    Args:
        counts: of the words of documents.
        number: of topics.
        seed: of the fit; the same one gives the same bytes.
        most: how many words of each topic are kept.
        model: its name in `TOPIC_MODELS`.

    Raises:
        UsageError: there is no such model, or no word was counted.
    """
    if not counts.vocabulary:
        raise UsageError(
            "no word but stop words stands in enough of the sentences for topics; give more of them"
        )
    made = TOPIC_MODELS[model](counts.matrix, number, seed)
    # Last digits depend on the machine. The vocabulary is sorted, so a stable sort leaves equal
    # weights in alphabetical order.
    order = np.argsort(-np.round(made.word_weights, _DIGITS), axis=1, kind="stable")[:, :most]
    words = [[counts.vocabulary[place] for place in row] for row in order.tolist()]
    return Topics(words, made.shares(counts.matrix), seed)

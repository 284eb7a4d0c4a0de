"""Logistic regression on what differs between the two sides of an edit."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline

from wikibias.models.estimators.pipelines import PipelineModel, characters, no_convergence_warnings

_WORD = r"(?u)\w+|[^\w\s]"


class SentenceLength(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The words of a sentence, times `weight`: TF-IDF vectors all have the same length."""

    def __init__(self, weight: float = 0.1) -> None:
        self.weight = weight

    def fit(self, texts: Any, biased: Any = None) -> Self:
        """Learn nothing."""
        del texts, biased
        return self

    def transform(self, texts: Any) -> Any:
        """Return a column."""
        return sparse.csr_matrix([[self.weight * len(text.split())] for text in texts])


class PairLr(PipelineModel):
    """Logistic regression over words, characters and length, on the differences of both sides.

    What the sides have in common, the topic, cancels out. Without edits to learn from it is plain
    logistic regression on the same features.
    """

    name = "pair-lr"

    @staticmethod
    def build(
        stopwords: Sequence[str],
        seed: int,
        *,
        ngrams: int = 2,
        shortest: int = 2,
        longest: int = 5,
        length: float = 0.1,
        c: float = 10.0,
    ) -> Pipeline:
        """Return words, characters and length, and logistic regression; stop words count too."""
        del stopwords
        words = TfidfVectorizer(ngram_range=(1, ngrams), sublinear_tf=True, token_pattern=_WORD)
        letters = characters(shortest, longest)
        features = FeatureUnion(
            [("words", words), ("letters", letters), ("length", SentenceLength(length))]
        )
        return make_pipeline(features, LogisticRegression(C=c, max_iter=2000, random_state=seed))

    def fit_pairs(
        self, texts: Sequence[str], biased: NDArray[np.bool_], edits: NDArray[np.int64]
    ) -> Self:
        """Learn from the mean of the biased sentences of each edit less that of the neutral ones.

        The threshold is such that sentences are as often called biased as neutral.
        """
        mixing = _mixing(biased, edits)
        if not mixing.shape[0]:
            return self.fit(texts, biased)
        features, classifier = self.pipeline[0], self.pipeline[-1]
        rows = features.fit_transform(texts)
        differences = mixing @ rows
        truth = np.repeat([True, False], mixing.shape[0])
        with no_convergence_warnings():
            classifier.set_params(fit_intercept=False)
            classifier.fit(sparse.vstack([differences, -differences]), truth)
        classifier.set_params(fit_intercept=True)
        margins = rows @ classifier.coef_[0]
        classifier.intercept_ = np.array([-float(np.median(margins))])
        return self


def _mixing(biased: NDArray[np.bool_], edits: NDArray[np.int64]) -> Any:
    """Return a matrix, edits with both sides by sentences: biased ones sum to 1, others to -1."""
    numbers = np.unique(edits, return_inverse=True)[1]
    count = int(numbers.max()) + 1 if len(numbers) else 0
    of_side = [np.bincount(numbers[biased == side], minlength=count) for side in (True, False)]
    whole = (of_side[0] > 0) & (of_side[1] > 0)
    shares = np.where(
        biased, 1 / np.maximum(of_side[0], 1)[numbers], -1 / np.maximum(of_side[1], 1)[numbers]
    )
    mixing = sparse.csr_matrix((shares, (numbers, np.arange(len(numbers)))), (count, len(numbers)))
    return mixing[np.flatnonzero(whole)]

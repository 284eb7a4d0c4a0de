"""Counts all n-grams once; every bag of words of a grid is a selection of these columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each n-gram occurs in each training and dev sentence (sparse, sentences by terms).

    Terms are sorted; `lengths` is the number of words of each, `totals` its count in train.
    """

    train: Any
    dev: Any
    lengths: NDArray[np.int64]
    totals: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        train: Sequence[str],
        dev: Sequence[str],
        *,
        ngrams: int,
        stopwords: Sequence[str] = (),
    ) -> Counts:
        """Count 1- to `ngrams`-grams; reads the sentences, once."""
        vectorizer = CountVectorizer(ngram_range=(1, ngrams), stop_words=list(stopwords) or None)
        counted = vectorizer.fit_transform(train)
        terms = vectorizer.get_feature_names_out()
        lengths = np.array([term.count(" ") + 1 for term in terms], dtype=np.int64)
        totals = np.asarray(counted.sum(axis=0)).ravel()
        return cls(counted, vectorizer.transform(dev), lengths, totals)

    def bag(self, *, ngrams: int, max_features: int, idf: bool) -> tuple[Any, Any]:
        """Return train and dev as `pipelines.bag_of_words` with these parameters would make them.

        Selects the most frequent terms by the same expression as scikit-learn, so that ties are
        broken alike. The values differ by rounding only (1e-16: a row's length is summed in another
        order); a test compares matrices, scores and winners.
        """
        short = np.flatnonzero(self.lengths <= ngrams)
        chosen = short[np.sort((-self.totals[short]).argsort()[:max_features])]
        weigh = TfidfTransformer(use_idf=idf)
        return weigh.fit_transform(self.train[:, chosen]), weigh.transform(self.dev[:, chosen])

"""A bag of words selected from the counts is that of the vectorizer."""

from __future__ import annotations

import numpy as np
import pytest

from sample_examples import examples
from wikibias.models.estimators import pipelines
from wikibias.models.grid_search import Counts

STOPWORDS = ("the", "of")


TRAIN, DEV = examples("train", 240, 1), examples("dev", 80, 2)


@pytest.mark.parametrize("size", [1, 7, 30, 100, 3000])
@pytest.mark.parametrize("ngrams", [1, 2, 3])
def test_a_bag_cut_from_the_counts_is_the_vectorizers(ngrams: int, size: int) -> None:
    counts = Counts.of(TRAIN.texts, DEV.texts, ngrams=3, stopwords=STOPWORDS)
    ours = counts.bag(ngrams=ngrams, max_features=size, idf=True)
    bag = pipelines.bag_of_words(STOPWORDS, ngrams=ngrams, max_features=size, idf=True)
    theirs = bag.fit_transform(TRAIN.texts), bag.transform(DEV.texts)
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        assert np.allclose(a.toarray(), b.toarray(), rtol=0, atol=1e-12)

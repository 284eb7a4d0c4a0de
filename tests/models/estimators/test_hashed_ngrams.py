"""Hashed n-grams have the values of scikit-learn's vectorizers."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from wikibias.models.estimators.hashed_ngrams import HashedNgrams

WORDS = st.text(alphabet="abc_é1-'.я の😀", min_size=0, max_size=12)
SENTENCES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=12)


def slowly(texts: list[str], **characters: Any) -> tuple[Any, Any]:
    """Return the rows of the two vectorizers, or None where one finds nothing."""
    found = []
    for how in ({"analyzer": "char_wb", "ngram_range": (2, 6)}, {"ngram_range": (1, 3)}):
        try:
            found.append(
                TfidfVectorizer(sublinear_tf=True, min_df=2, **how, **characters).fit_transform(
                    texts
                )
            )
        except ValueError:  # no word is in two sentences
            found.append(None)
    return found[0], found[1]


def row_values(*parts: Any) -> list[Any]:
    """Return the values of each row, sorted: without the order of the columns."""
    count = next(part.shape[0] for part in parts if part is not None)
    return [
        np.sort(np.concatenate([part[i].data for part in parts if part is not None]))
        for i in range(count)
    ]


@given(SENTENCES)
def test_the_values_are_those_of_the_slow_vectorizers(texts: list[str]) -> None:
    texts = [*texts, "the abbey", "an abbey"]
    expected = row_values(*slowly(texts))
    found = row_values(HashedNgrams().fit(texts).transform(texts))
    for one, other in zip(expected, found, strict=True):
        assert np.allclose(one, other, atol=1e-6)


def test_columns_are_of_the_same_sentences_as_those_of_the_slow_vectorizers() -> None:
    texts = [f"The village of {a}{b} has a {b}{a} church" for a in "abcde" for b in "vwxyz"] * 20
    expected, found = slowly(texts), HashedNgrams().fit(texts).transform(texts)
    columns = [
        sorted(
            (tuple(part[:, i].nonzero()[0]), round(float(part[:, i].sum()), 3))
            for i in range(part.shape[1])
        )
        for part in (expected[0].tocsc(), expected[1].tocsc(), found.tocsc())
    ]
    assert sorted(columns[0] + columns[1]) == columns[2]


def test_a_sentence_has_the_same_row_in_any_batch() -> None:
    texts = [f"the {n}th mill of the valley burnt in {1700 + n}" for n in range(700)]
    vectors = HashedNgrams().fit(texts)
    together = vectors.transform(texts)
    alone = vectors.transform(texts[400:401])
    assert (together[400] != alone).nnz == 0


def test_of_too_many_ngrams_those_of_the_fewest_sentences_are_left_out() -> None:
    texts = ["mill road", "mill lane", "mill road", "mill bridge", "mill bridge", "mill bridge"]
    every = HashedNgrams(ngrams=1).fit(texts)
    some = HashedNgrams(ngrams=1, most=len(every.idf_) - 1).fit(texts)
    assert len(some.idf_) < len(every.idf_)
    assert set(some.hashes_) < set(every.hashes_)
    assert some.idf_.max() < every.idf_.max()
    assert (some.transform(["road"]) != 0).nnz < (every.transform(["road"]) != 0).nnz


def test_no_word_in_two_sentences_is_an_error() -> None:
    with pytest.raises(ValueError, match="no word is in two"):
        HashedNgrams().fit(["abcd", "bcde"])


def test_a_vocabulary_takes_little_room() -> None:
    texts = [
        f"parish {n} lies {n * 7919 % 10007} miles north of {n * 31 % 997}" for n in range(4000)
    ]
    vectors = HashedNgrams()
    tracemalloc.start()
    try:
        vectors.fit(texts)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Measured: 12 MB; the slow vectorizers take five times as much.
    assert peak < 40e6
    assert vectors.hashes_.nbytes + vectors.idf_.nbytes == 12 * len(vectors.hashes_)

"""Topics as lists of words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from wikibias.corpus.topic_counts import counted
from wikibias.selection_bias.topics import fitted
from wikibias.storage.some_columns import read_some_columns


def test_words_come_by_falling_weight_and_shares_by_document() -> None:
    texts = ["mill river mill"] * 5 + ["king queen king"] * 5
    found = fitted(counted(texts, frozenset()), 2, 0, 2)
    assert sorted(found.words) == [["king", "queen"], ["mill", "river"]]
    assert found.first(1) == [words[:1] for words in found.words]
    assert found.shares.shape == (10, 2)
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert found.seed == 0


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["mill river", "king queen", "river king", ""]), min_size=1))
def test_any_counts_give_topics_whatever_their_number(texts: list[str]) -> None:
    """One document, more topics than documents or words: nothing of it is an error here."""
    found = fitted(counted(texts, frozenset(), 1), 4, 0, 3)
    assert len(found.words) == 4
    assert found.shares.shape == (len(texts), 4)
    assert np.isfinite(found.shares).all()


def test_words_of_real_sentences_are_those_that_scikit_learn_finds(shared: Path) -> None:
    path = shared / "annotation" / "babe_train_runs.parquet"
    counts = counted(read_some_columns(path, ["text"])["text"], ENGLISH_STOP_WORDS)
    model = LatentDirichletAllocation(8, max_iter=10, random_state=0).fit(counts.matrix)
    wanted = np.argsort(-model.components_, axis=1, kind="stable")[:, :20].tolist()
    found = fitted(counts, 8, 0, 20).words
    assert found == [[counts.vocabulary[place] for place in row] for row in wanted]

"""Topics as lists of words."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wikibias.errors import UsageError
from wikibias.research.selection_bias.topics import count_words, fit_topics


def test_words_come_by_falling_weight_and_shares_by_document() -> None:
    texts = ["mill river mill"] * 5 + ["king queen king"] * 5
    found = fit_topics(count_words(texts, frozenset()), 2, 0, 2)
    assert sorted(found.words) == [["king", "queen"], ["mill", "river"]]
    assert found.first(1) == [words[:1] for words in found.words]
    assert found.shares.shape == (10, 2)
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert found.seed == 0


def test_without_a_word_there_are_no_topics() -> None:
    with pytest.raises(UsageError, match="no word but stop words"):
        fit_topics(count_words(["", ""], frozenset(), 1), 2, 0, 3)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["mill river", "king queen", "river king", ""]), min_size=1))
def test_any_counts_give_topics_whatever_their_number(texts: list[str]) -> None:
    """One document, more topics than documents or words: nothing of it is an error here."""
    assume(any(texts))
    found = fit_topics(count_words(texts, frozenset(), 1), 4, 0, 3)
    assert len(found.words) == 4
    assert found.shares.shape == (len(texts), 4)
    assert np.isfinite(found.shares).all()

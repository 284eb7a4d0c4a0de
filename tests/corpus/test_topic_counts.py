"""Counts of words are those that a slow count gives."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wikibias.corpus.topic_counts import Counts, counted, counts_of
from wikibias.corpus.topic_words import topic_words

STOP_WORDS = {"the", "of", "l'", "的"}
WORDS = ["mill", "river", "the", "of", "x", "numtkn", "l'eau", "eau", "水車", "的村", "village"]
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=12)


def columns_of(counts: Counts) -> list[dict[str, int]]:
    """Return the counts of each document by word."""
    rows = counts.matrix.toarray().tolist()
    return [
        {word: count for word, count in zip(counts.vocabulary, row, strict=True) if count}
        for row in rows
    ]


@given(texts, st.integers(1, 4))
def test_counts_are_those_of_a_slow_count(documents: list[str], least: int) -> None:
    found = counted(documents, STOP_WORDS, least)
    words = [topic_words(text, STOP_WORDS) for text in documents]
    everywhere = Counter(word for each in words for word in set(each))
    kept = sorted(word for word, number in everywhere.items() if number >= least)
    assert found.vocabulary == kept
    assert found.documents_with == everywhere
    assert list(found.documents_with) == sorted(everywhere)
    assert found.matrix.shape == (len(documents), len(kept))
    assert columns_of(found) == [dict(Counter(w for w in each if w in kept)) for each in words]


@given(texts, st.data())
def test_counts_of_some_documents_are_those_of_these_alone(
    documents: list[str], data: st.DataObject
) -> None:
    rows = sorted(data.draw(st.sets(st.sampled_from(range(len(documents)))))) if documents else []
    whole = counted(documents, STOP_WORDS, 2)
    some = whole.of(rows)
    alone = counted([documents[row] for row in rows], STOP_WORDS, 1)
    wanted = [word for word in alone.vocabulary if word in whole.vocabulary]
    assert some.vocabulary == wanted
    assert some.documents_with == {word: alone.documents_with[word] for word in wanted}
    again = counts_of([documents[row] for row in rows], wanted, STOP_WORDS)
    assert np.array_equal(some.matrix.toarray(), again.toarray())


def test_words_that_are_not_known_count_for_nothing() -> None:
    found = counts_of(["mill river", "village"], ["mill"], frozenset())
    assert found.toarray().tolist() == [[1], [0]]

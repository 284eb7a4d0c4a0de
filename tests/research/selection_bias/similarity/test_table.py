"""Similarities are asked for once, and the same word is one."""

from __future__ import annotations

import numpy as np

from made_similarity import Vectors
from wikibias.research.selection_bias.similarity.table import SimilarityTable

MADE = {"islam": [1.0, 0.0], "tax": [0.0, 1.0], "faith": [3.0, 4.0]}


def test_words_and_keywords_in_any_order_and_as_often_as_asked() -> None:
    similarity = Vectors(MADE)
    table = SimilarityTable(similarity, ["tax", "islam"], ["faith", "tax"])
    assert np.allclose(table.of(["tax", "islam"], ["faith", "tax"]), [[0.8, 1], [0.6, 0]])
    assert np.allclose(table.of(["islam", "tax"], ["tax"]), [[0], [1]])
    assert table.of([], ["tax"]).shape == (0, 1)
    assert similarity.asked == 1


def test_the_same_word_is_one_without_a_vector_whatever_its_case() -> None:
    table = SimilarityTable(Vectors(MADE), ["nameless", "tax"], ["Nameless", "islam"])
    found = table.of(["nameless", "tax"], ["Nameless", "islam"])
    assert found[0, 0] == 1
    assert np.isnan(found[0, 1])
    assert np.isnan(found[1, 0])
    assert found[1, 1] == 0


def test_the_order_of_a_set_changes_nothing() -> None:
    words = [f"word{number}" for number in range(50)]
    vectors = {word: [1.0, float(place)] for place, word in enumerate(words)}
    first, second = (
        SimilarityTable(Vectors(vectors), given, given).of(words, words)
        for given in (set(words), words)
    )
    assert np.array_equal(first, second)

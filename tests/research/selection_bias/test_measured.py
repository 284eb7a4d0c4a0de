"""What the result tells of a corpus and of a list of keywords."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from made_similarity import Vectors
from wikibias.corpus.topic_counts import counted
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.figures import Yardstick
from wikibias.research.selection_bias.keywords import KeywordList
from wikibias.research.selection_bias.measured import about, keywords
from wikibias.research.selection_bias.similarity.table import SimilarityTable

VECTORS = {"sea": [1.0, 0.0], "tide": [0.8, 0.6], "farm": [0.0, 1.0]}


def test_a_list_tells_how_alike_its_keywords_are_and_which_are_known() -> None:
    words = [*VECTORS, "nameless"]
    vectors = Vectors(VECTORS)
    yardstick = Yardstick(SimilarityTable(vectors, words, words), frozenset(VECTORS))
    standing = {"sea": 3, "tide": 0, "farm": 1, "nameless": 0}
    found = keywords("made", KeywordList("list", "by hand", words), standing, yardstick, vectors)
    assert found["mean_similarity"] == pytest.approx((0.8 + 0 + 0.6) / 3)
    assert (found["in_corpus"], found["coverage"]) == (2, 0.75)
    assert (found["corpus"], found["name"], found["source"]) == ("made", "list", "by hand")
    alone = keywords("made", KeywordList("one", "", ["sea"]), {"sea": 3}, yardstick, vectors)
    assert alone["mean_similarity"] is None
    assert found["seen"] is None


class Learnt(Vectors):
    """Vectors that were learnt from a text."""

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the text has each word; it has but "sea"."""
        return np.array([word == "sea" for word in words])


def test_what_was_learnt_from_a_text_tells_how_many_keywords_it_has() -> None:
    learnt = Learnt(VECTORS)
    words = [*VECTORS]
    yardstick = Yardstick(SimilarityTable(learnt, words, words), frozenset(VECTORS))
    found = keywords("made", KeywordList("list", "", words), {}, yardstick, learnt)
    assert (found["seen"], found["coverage"]) == (pytest.approx(1 / 3), 1)


def test_a_corpus_tells_its_size_without_stop_words() -> None:
    made = Documents("made", ["the sea is wide", "the tide"] * 5, {}, None, "en", 40)
    found = about(made, counted(made.texts, {"the", "is"}))
    assert found == {
        "name": "made",
        "language": "en",
        "documents": 10,
        "of": 40,
        "vocabulary": 3,
        "words_per_document": 1.5,
    }

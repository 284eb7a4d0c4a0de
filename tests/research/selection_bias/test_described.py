"""Topics as people read them."""

from __future__ import annotations

import numpy as np
import pytest

from made_similarity import Vectors
from wikibias.research.selection_bias.described import described
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.keywords import KeywordList
from wikibias.research.selection_bias.similarity.table import SimilarityTable
from wikibias.research.selection_bias.topics import Topics

VECTORS = {"sea": [1.0, 0.0], "tide": [0.8, 0.6], "farm": [0.0, 1.0], "barn": [-0.6, 0.8]}
WORDS = [*VECTORS, "nameless"]
TABLE = SimilarityTable(Vectors(VECTORS), WORDS, WORDS)
TOPICS = Topics(
    [["farm", "barn", "nameless"], ["sea", "tide", "farm"]],
    np.array([[0.9, 0.1], [0.2, 0.8], [0.1, 0.9], [0.1, 0.9]]),
    0,
)
TEXTS = ["a barn on a farm", "the tide", "the open sea", "the open sea"]
LABELS = {"label": ["biased", "biased", "neutral", ""]}
LISTS = [KeywordList("water", "made", ["sea", "tide"]), KeywordList("rare", "made", ["nameless"])]


def topics(texts: list[str] = TEXTS, facts: dict[str, list[str]] | None = None) -> list[dict]:  # type: ignore[type-arg]
    documents = Documents("made", texts, LABELS if facts is None else facts)
    return list(described(documents, TOPICS, LISTS, TABLE, 2))


def test_the_topic_of_the_largest_share_comes_first() -> None:
    found = topics()
    assert [each["topic"] for each in found] == [1, 2]
    assert [each["words"][0] for each in found] == ["sea", "farm"]
    assert [each["share"] for each in found] == pytest.approx([0.675, 0.325])
    assert found[0]["share_by_label"] == pytest.approx({"biased": 0.45, "neutral": 0.9})


def test_nearest_keywords_with_their_word_and_cells_that_make_up_b1() -> None:
    first, second = topics()
    assert [each["keyword"] for each in first["nearest"]["water"]] == ["sea", "tide"]
    assert first["nearest"]["water"][0] == {"keyword": "sea", "word": "sea", "similarity": 1}
    assert first["nearest"]["rare"] == []
    assert second["nearest"]["water"] == [
        {"keyword": "tide", "word": "farm", "similarity": pytest.approx(0.6)}
    ]
    for each in (first, second):
        for name in ("water", "rare"):
            assert np.mean(each["cells"][name]) == pytest.approx(each["b1"][name])
    assert first["cells"]["water"] == pytest.approx([0.9, 0.9])
    assert first["mean_max"]["water"] == pytest.approx(1)


def test_examples_are_the_sentences_most_of_a_topic_each_once_and_cut() -> None:
    assert topics()[0]["examples"] == ["the open sea", "the tide", "a barn on a farm"]
    long = topics(["x" * 600, "b", "c", "d"])[1]["examples"][0]
    assert long == "x" * 500 + "…"


def test_of_versions_of_a_sentence_one_is_an_example() -> None:
    begin = "the harbour of the isles is the pride of the county"
    texts = [f"{begin} and noble", "the tide", f"{begin} and old", begin]
    assert topics(texts)[0]["examples"] == [f"{begin} and old", "the tide"]


def test_without_labels_there_is_no_share_by_label() -> None:
    assert topics(facts={})[0]["share_by_label"] is None
    assert topics(facts={"label": [""] * 4})[0]["share_by_label"] is None

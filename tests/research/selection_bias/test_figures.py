"""The figures of fits, with their intervals and the coverage beside them."""

from __future__ import annotations

import numpy as np
import pytest

from made_similarity import Vectors
from wikibias.research.selection_bias.figures import Yardstick, by_seed, entry, value_of
from wikibias.research.selection_bias.similarity.table import SimilarityTable
from wikibias.research.selection_bias.topics import Topics

VECTORS = {"sea": [1.0, 0.0], "tide": [0.8, 0.6], "farm": [0.0, 1.0], "barn": [-0.6, 0.8]}
WORDS = [*VECTORS, "nameless", "other"]
YARDSTICK = Yardstick(SimilarityTable(Vectors(VECTORS), WORDS, WORDS), frozenset(VECTORS))
FITS = [
    Topics([["tide", "nameless"], ["farm", "barn"]], np.zeros((0, 2)), 3),
    Topics([["tide", "farm"], ["barn", "nameless"]], np.zeros((0, 2)), 4),
]


def test_figures_of_each_seed_by_hand() -> None:
    # Of the first seed the topics have .8 and nothing, 0 and -.6; of the second .8 and 0, -.6 and
    # nothing.
    zero = by_seed(FITS, 2, ["sea"], YARDSTICK.table, "zero")
    assert zero[:, 0] == pytest.approx([(0.4 - 0.3) / 2, (0.4 - 0.3) / 2])
    skip = by_seed(FITS, 2, ["sea"], YARDSTICK.table, "skip")
    assert skip[:, 0] == pytest.approx([(0.8 - 0.3) / 2, (0.4 - 0.6) / 2])


def test_an_entry_has_intervals_coverage_and_each_seed() -> None:
    found = entry(FITS, 2, ["sea", "other"], YARDSTICK, "skip")
    assert {found["topics"], found["words"]} == {2}
    assert found["missing"] == "skip"
    assert set(found["b2"]) == {"mean_max", "max", "mean_max_floor0", "max_floor0"}
    assert found["b1"]["low"] < found["b1"]["value"] < found["b1"]["high"]
    assert found["coverage"] == {"topic_words": 3 / 4, "keywords": 1 / 2}
    assert [each["seed"] for each in found["by_seed"]] == [3, 4]
    values = [each["b1"] for each in found["by_seed"]]
    assert value_of(found, "b1") == pytest.approx(sum(values) / 2)
    assert value_of(found, "max") == found["b2"]["max"]["value"]


def test_fewer_words_are_the_first_ones() -> None:
    found = by_seed(FITS, 1, ["sea"], YARDSTICK.table, "zero")
    assert found[:, 0] == pytest.approx([0.4, 0.1])

"""The figures of random lists, and what those of a list are worth beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstest

from made_similarity import Vectors, random_vectors
from wikibias.research.selection_bias.baseline import HELD, held_against, of_lists
from wikibias.research.selection_bias.figures import MISSING, by_seed
from wikibias.research.selection_bias.metrics import Missing
from wikibias.research.selection_bias.random_lists import RandomLists, drawn
from wikibias.research.selection_bias.similarity.table import SimilarityTable
from wikibias.research.selection_bias.topics import Topics

WORDS = [f"word{number:03}" for number in range(300)]


def made_fits(seed: int, topics: int = 4, words: int = 6, seeds: int = 2) -> list[Topics]:
    """Return topics of words drawn at random."""
    rng = np.random.default_rng(seed)
    return [
        Topics([rng.choice(WORDS, words, replace=False).tolist() for _ in range(topics)],
               np.zeros((0, topics)), number)
        for number in range(seeds)
    ]  # fmt: skip


class _Given:
    """Similarities as they are given."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> np.ndarray:
        return self._values[: len(words), : len(keywords)]

    def knows(self, words: Sequence[str]) -> np.ndarray:
        return np.ones(len(words), dtype=bool)

    @property
    def about(self) -> Mapping[str, Any]:
        return {"name": "given", "title": "given"}


@given(
    arrays(np.float64, (6, 5), elements=st.floats(-1, 1) | st.just(float("nan"))),
    st.lists(st.permutations(range(5)).map(lambda order: order[:3]), min_size=1, max_size=4),
)
def test_lists_have_the_figures_that_keywords_have(
    values: np.ndarray, places: list[list[int]]
) -> None:
    words, listed = list("abcdef"), list("vwxyz")
    table = SimilarityTable(_Given(values), words, listed)
    fits = [Topics([words[:3], words[3:]], np.zeros((0, 2)), 0)]
    found = of_lists(fits, (2, 3), RandomLists(listed, np.array(places)), table, MISSING)
    for (number, missing), figures in found.items():
        for row, own in enumerate(places):
            known = by_seed(fits, number, [listed[place] for place in own], table, missing)[0]
            assert figures[:, row] == pytest.approx(known[: len(HELD)], nan_ok=True)


def p_of(keywords: list[str], seed: int, missing: Missing = "zero") -> dict[str, float]:
    """Return p of each figure of keywords against random lists."""
    table = SimilarityTable(Vectors(random_vectors(WORDS, seed)), WORDS, WORDS)
    frequencies = {word: 10 + place for place, word in enumerate(WORDS)}
    lists = drawn(
        {word: frequencies[word] for word in keywords}, frequencies, WORDS, number=99, seed=seed
    )
    assert lists is not None
    fits = made_fits(seed)
    by_chance = of_lists(fits, (6,), lists, table, (missing,))[6, missing]
    values = by_seed(fits, 6, keywords, table, missing).mean(axis=0)[: len(HELD)]
    found = held_against(dict(zip(HELD, values.tolist(), strict=True)), by_chance)
    return {name: found["figures"][name]["p"] for name in HELD}


def test_random_keywords_have_any_p_as_often_as_another() -> None:
    rng = np.random.default_rng(17)
    found = [
        p_of(rng.choice(WORDS[20:-20], 8, replace=False).tolist(), seed) for seed in range(100)
    ]
    for name in ("b1", "mean_max"):
        of_figure = [each[name] for each in found]
        assert kstest(of_figure, "uniform").pvalue > 0.01
        assert 0.01 <= np.mean([p <= 0.05 for p in of_figure]) <= 0.12


def test_words_of_the_topics_themselves_have_the_lowest_p_there_is() -> None:
    topics = made_fits(3)
    keywords = sorted({word for fit in topics for topic in fit.words for word in topic[:3]})
    assert p_of(keywords, 3)["mean_max"] == pytest.approx(0.01)


def test_a_figure_that_is_not_defined_is_held_against_nothing() -> None:
    found = held_against(
        {"b1": None, "mean_max": 0.5, "max": 0.5}, np.array([[1.0, 1], [0, 1], [np.nan] * 2])
    )
    nothing = {"mean": None, "low": None, "high": None, "p": None}
    assert found["lists"] == 2
    assert found["figures"]["b1"] == nothing
    assert found["figures"]["max"] == nothing
    assert found["figures"]["mean_max"]["p"] == pytest.approx(2 / 3)

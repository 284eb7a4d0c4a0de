"""The figures of fits, with their intervals and the coverage beside them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstest

from made_documents import Vectors, random_vectors
from wikibias.research.selection_bias.documents import Lists, random_lists
from wikibias.research.selection_bias.samples import Topics
from wikibias.research.selection_bias.similarity import (
    COMPARED,
    FIGURES,
    MISSING,
    Missing,
    Similarity,
    SimilarityTable,
    against_random,
    by_seed,
    by_topic,
    correlations,
    interval,
    mean_of_known,
)

VECTORS = {"sea": [1.0, 0.0], "tide": [0.8, 0.6], "farm": [0.0, 1.0], "barn": [-0.6, 0.8]}
WORDS = [*VECTORS, "nameless", "other"]
TABLE = SimilarityTable(Vectors(VECTORS), WORDS, WORDS)
FITS = [
    Topics([["tide", "nameless"], ["farm", "barn"]], np.zeros((0, 2)), 3),
    Topics([["tide", "farm"], ["barn", "nameless"]], np.zeros((0, 2)), 4),
]


def test_figures_of_each_seed_by_hand() -> None:
    # Of the first seed the topics have .8 and nothing, 0 and -.6; of the second .8 and 0, -.6 and
    # nothing.
    found = by_seed(FITS, [1, 2], Lists.of(["sea"]), TABLE)
    assert found[2, "zero"][:, 0, 0] == pytest.approx([(0.4 - 0.3) / 2, (0.4 - 0.3) / 2])
    assert found[2, "skip"][:, 0, 0] == pytest.approx([(0.8 - 0.3) / 2, (0.4 - 0.6) / 2])
    # Fewer words are the first ones.
    assert found[1, "zero"][:, 0, 0] == pytest.approx([0.4, 0.1])


class _Given(Similarity):
    """Similarities as they are given."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> np.ndarray:
        return self._values[: len(words), : len(keywords)]

    def knows(self, words: Sequence[str]) -> np.ndarray:
        return np.ones(len(words), dtype=bool)


def topics_figures(similarities: Sequence[np.ndarray], missing: Missing) -> dict[str, float]:
    """Return the figures of topics whose similarities to one list are given."""
    values = np.concatenate(similarities)
    words = [f"w{place:02}" for place in range(len(values))]
    keywords = [f"x{place:02}" for place in range(values.shape[1])]
    table, rest = SimilarityTable(_Given(values), words, keywords), iter(words)
    topics = [[next(rest) for _ in each] for each in similarities]
    number = max(map(len, topics))
    found = by_topic(topics, [number], Lists.of(keywords), table)[number, missing]
    return dict(zip(FIGURES, mean_of_known(found)[:, 0].tolist(), strict=True))


NAN = float("nan")


def test_two_topics_by_hand() -> None:
    first = np.array([[0.5, 0.1], [NAN, NAN]])
    second = np.array([[-0.4, -0.2], [0.8, NAN]])
    zero = topics_figures([first, second], "zero")
    assert np.isclose(zero["b1"], (0.15 + 0.05) / 2)
    assert np.isclose(zero["mean_max"], (0.25 + 0.3) / 2)
    assert np.isclose(zero["max"], (0.5 + 0.8) / 2)
    assert np.isclose(zero["mean_max_floor0"], (0.25 + 0.4) / 2)
    skip = topics_figures([first, second], "skip")
    assert np.isclose(skip["b1"], (0.3 + 0.2 / 3) / 2)
    assert np.isclose(skip["mean_max"], (0.5 + 0.3) / 2)


def test_a_topic_without_any_pair_is_left_out_or_zero() -> None:
    none, one = np.full((2, 2), NAN), np.array([[0.5, 0.5]])
    assert set(topics_figures([none, one], "skip").values()) == {0.5}
    assert set(topics_figures([none, one], "zero").values()) == {0.25}
    assert np.isnan([*topics_figures([none], "skip").values()]).all()


@given(
    st.lists(
        arrays(
            np.float64,
            st.tuples(st.integers(1, 5), st.just(4)),
            elements=st.floats(0, 1),
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(MISSING),
)
def test_b1_is_below_b2(similarities: list[np.ndarray], missing: Missing) -> None:
    b1, mean_max, largest, floored, _ = topics_figures(similarities, missing).values()
    assert b1 <= mean_max + 1e-12
    assert mean_max <= largest + 1e-12
    assert mean_max == floored


def test_the_interval_over_fits_is_that_of_t() -> None:
    # Mean 3, standard error sqrt(2.5 / 5), t(4) at .975 = 2.776445.
    half = 2.776445 * (2.5 / 5) ** 0.5
    found = interval([0.1, 0.2, 0.3, 0.4, 0.5])
    expected = {"value": 0.3, "low": 0.3 - half / 10, "high": 0.3 + half / 10}
    assert found == pytest.approx(expected, abs=1e-6)


def test_no_interval_goes_beyond_what_a_figure_or_a_difference_can_be() -> None:
    assert interval([0.9, 0.99])["high"] == 1
    assert interval([-0.9, 0.9], drawn=True) == {"value": 0, "low": -1, "high": 1}
    assert interval([-0.9, 0.9], drawn=True, limit=2) == {"value": 0, "low": -2, "high": 2}


def test_one_seed_has_no_interval_and_none_no_figure() -> None:
    for drawn in (False, True):
        for known in ([0.25], [NAN, 0.25]):
            assert interval(known, drawn=drawn) == {"value": 0.25, "low": None, "high": None}
        for unknown in ([NAN], []):
            assert interval(unknown, drawn=drawn) == dict.fromkeys(("value", "low", "high"))


def test_halves_of_documents_tell_what_chance_does_to_the_figure_of_all() -> None:
    """The interval of the mean of 200 documents holds the true mean about 95 times of 100."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        documents = rng.normal(0.3, 1, 200)
        found = interval([rng.permutation(documents)[:100].mean() for _ in range(5)], drawn=True)
        held += bool(found["low"] <= 0.3 <= found["high"])  # type: ignore[operator]
    assert 930 <= held <= 990


LISTED = [f"word{number:03}" for number in range(300)]


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
    found = by_seed(fits, (2, 3), Lists(listed, np.array(places)), table)
    for key, figures in found.items():
        for row, own in enumerate(places):
            one = by_seed(fits, key[:1], Lists.of([listed[place] for place in own]), table)[key]
            assert figures[0, :, row] == pytest.approx(one[0, :, 0], nan_ok=True)


def p_of(keywords: list[str], seed: int) -> dict[str, float]:
    """Return p of each figure of keywords against random lists."""
    table = SimilarityTable(Vectors(random_vectors(LISTED, seed)), LISTED, LISTED)
    frequencies = {word: 10 + place for place, word in enumerate(LISTED)}
    lists = random_lists(
        {word: frequencies[word] for word in keywords}, frequencies, LISTED, number=99, seed=seed
    )
    assert lists is not None
    rng = np.random.default_rng(seed)
    drawn = ([rng.choice(LISTED, 6, replace=False).tolist() for _ in range(4)] for _ in range(2))
    fits = [Topics(words, np.zeros((0, 4)), number) for number, words in enumerate(drawn)]
    by_chance = by_seed(fits, (6,), lists, table)[6, "zero"]
    values = by_seed(fits, (6,), Lists.of(keywords), table)[6, "zero"].mean(axis=0)[:, 0]
    found = against_random(as_entry(*values.tolist()[:3]), by_chance)
    return {name: found["figures"][name]["p"] for name in COMPARED}


def as_entry(b1: float | None, mean_max: float | None, largest: float | None) -> dict[str, Any]:
    """Return figures as the result holds them."""
    return {"b1": {"value": b1}, "b2": {"mean_max": {"value": mean_max}, "max": {"value": largest}}}


def test_random_keywords_have_any_p_as_often_as_another() -> None:
    rng = np.random.default_rng(17)
    found = [
        p_of(rng.choice(LISTED[20:-20], 8, replace=False).tolist(), seed) for seed in range(100)
    ]
    for name in ("b1", "mean_max"):
        of_figure = [each[name] for each in found]
        assert kstest(of_figure, "uniform").pvalue > 0.01
        assert 0.01 <= np.mean([p <= 0.05 for p in of_figure]) <= 0.12


def test_a_figure_that_is_not_defined_is_held_against_nothing() -> None:
    drawn = np.array([[[1.0, 1], [0, 1], [np.nan] * 2]])
    found = against_random(as_entry(None, 0.5, 0.5), drawn)
    nothing = {"mean": None, "low": None, "high": None, "p": None}
    assert found["lists"] == 2
    assert found["figures"]["b1"] == nothing
    assert found["figures"]["max"] == nothing
    assert found["figures"]["mean_max"]["p"] == pytest.approx(2 / 3)


def figure(
    corpus: str, topics: int, words: int, value: float | None, **other: Any
) -> dict[str, Any]:
    """Return a figure whose B1 is the value, and whose B2 goes the other way."""
    down = {"value": None if value is None else -value}
    return {
        "corpus": corpus,
        "keywords": "list",
        "group": None,
        "topics": topics,
        "words": words,
        "missing": "zero",
        "b1": {"value": value},
        "b2": {"mean_max": down, "max": {"value": 1.0}},
        **other,
    }


def result(corpora: int) -> dict[str, Any]:
    """Return what `correlations` reads: B1 grows with topics and with the corpus."""
    names = [f"corpus {number}" for number in range(corpora)]
    return {
        "corpora": [
            {"name": name, "documents": 100 * place, "vocabulary": 50, "words_per_document": -place}
            for place, name in enumerate(names, 1)
        ],
        "keywords": [
            {"corpus": name, "name": "list", "words": ["a"] * place, "mean_similarity": None}
            for place, name in enumerate(names, 1)
        ],
        "figures": [
            each
            for place, name in enumerate(names, 1)
            for topics in (2, 4, 8)
            for words in (5, 10)
            for each in (
                figure(name, topics, words, topics + place / 10),
                figure(name, topics, words, -topics, missing="skip"),
                figure(name, topics, words, -topics, group={"by": "label", "value": "biased"}),
            )
        ],
    }


def found(corpora: int) -> dict[tuple[str | None, str, str], dict[str, Any]]:
    each = correlations(result(corpora))
    return {(one["corpus"], one["figure"], one["with"]): one for one in each}


def test_within_a_corpus_over_the_grid() -> None:
    of = found(1)
    assert of["corpus 0", "b1", "topics"]["rho"] == pytest.approx(1)
    assert of["corpus 0", "b1", "topics"]["points"] == 6
    assert of["corpus 0", "mean_max", "topics"]["rho"] == pytest.approx(-1)
    assert of["corpus 0", "b1", "words"]["rho"] == pytest.approx(0)
    assert {each["p"] for each in of.values()} == {None}
    assert ("corpus 0", "max", "topics") not in of  # it is the same everywhere


def test_over_corpora_where_there_are_four() -> None:
    assert None not in {corpus for corpus, _, _ in found(3)}
    of = found(5)
    assert of[None, "b1", "documents"]["rho"] == pytest.approx(1)
    assert of[None, "b1", "documents"]["p"] == pytest.approx(2 / 120)
    assert of[None, "b1", "words_per_document"]["rho"] == pytest.approx(-1)
    assert of[None, "b1", "keywords"]["rho"] == pytest.approx(1)
    assert (None, "b1", "vocabulary") not in of
    assert (None, "b1", "keyword_similarity") not in of

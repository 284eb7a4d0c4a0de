"""Groups of documents, and the figures of fits with their intervals."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstest

from made_documents import SUBJECTS, Vectors, corpus, fit_quickly, labelled, random_vectors
from wikibias.errors import UsageError
from wikibias.research.selection_bias import samples
from wikibias.research.selection_bias.documents import Documents, Lists, random_lists
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


def documents(**facts: dict[str, int]) -> Documents:
    """Return documents whose facts have values, each so often."""
    values = {
        name: [value for value, number in of.items() for _ in range(number)]
        for name, of in facts.items()
    }
    number = max(map(len, values.values()), default=1)
    padded = {name: [*of, *[""] * (number - len(of))] for name, of in values.items()}
    return Documents("made", ["text"] * number, padded)


def test_groups_by_one_fact_have_half_of_the_smallest_drawn() -> None:
    found, notes = samples.groups_of(documents(label={"neutral": 500, "biased": 301}), None)
    assert [(each.value, each.drawn, len(each.rows)) for each in found] == [
        ("neutral", 150, 500),
        ("biased", 150, 301),
    ]
    assert notes == []
    assert [str(each) for each in found] == ["label neutral", "label biased"]


def test_biased_less_neutral_and_train_less_test_else_the_largest_less_each() -> None:
    made = documents(
        label={"neutral": 500, "biased": 301},
        split={"dev": 100, "test": 150, "train": 700},
        year={"2019": 200, "2020": 300, "2021": 100},
    )
    found = samples.pairs(samples.groups_of(made, None)[0])
    assert [(first.by, first.value, second.value) for first, second in found] == [
        ("label", "biased", "neutral"),
        ("split", "train", "test"),
        ("year", "2020", "2019"),
        ("year", "2020", "2021"),
    ]


def test_small_groups_are_left_out_and_it_is_said() -> None:
    found, notes = samples.groups_of(documents(year={"2019": 200, "2020": 300, "2021": 99}), None)
    assert [each.value for each in found] == ["2020", "2019"]
    assert notes == [
        "made: groups left out, 1 by year: fewer than 100 documents, less than a twentieth of the "
        "largest group, or not among the 12 largest"
    ]


def test_facts_with_one_large_group_make_none() -> None:
    made = documents(label={"biased": 400, "neutral": 20}, year={"2019": 3, "2020": 2})
    found, notes = samples.groups_of(made, None)
    assert found == []
    assert notes == ["made: no groups by label, year: at least two need 100 documents each"]
    assert samples.groups_of(made, ["label"])[1] == [
        "made: no groups by label: at least two need 100 documents each, and there are biased 400, "
        "neutral 20"
    ]
    assert samples.groups_of(documents(label={"biased": 400}), None) == ([], [])


def test_a_document_of_several_tags_is_of_each() -> None:
    found, _ = samples.groups_of(documents(tag={"pov|weasel": 120, "weasel": 100}), ["tag"])
    assert [(each.value, len(each.rows)) for each in found] == [("weasel", 220), ("pov", 120)]


def test_no_more_are_drawn_than_are_needed_and_the_largest_twelve_are_taken() -> None:
    found, notes = samples.groups_of(
        documents(year={str(year): 5000 + year for year in range(14)}), None
    )
    assert {each.drawn for each in found} == {2000}
    assert [each.value for each in found] == [str(year) for year in range(13, 1, -1)]
    assert notes[0].startswith("made: groups left out, 2 by year")


def test_what_was_asked_for_and_parts_no_corpus_is_refused() -> None:
    empty = documents(label={"biased": 400})
    both = documents(label={"biased": 400, "neutral": 200})
    with pytest.raises(UsageError, match="cannot compare groups by label: at least two need 100"):
        samples.check_asked(["label"], [empty])
    with pytest.raises(UsageError, match="by year: the corpus does not tell it; leave it out of"):
        samples.check_asked(["year"], [both])
    samples.check_asked(["label"], [empty, both])
    assert samples.groups_of(empty, ["label"])[1] == [
        "made: no groups by label: at least two need 100 documents each, and there are biased 400"
    ]


def test_corpora_have_half_of_the_smallest_drawn_of_each() -> None:
    made = [Documents(name, ["text"] * n, {}) for name, n in (("a", 500), ("b", 241), ("c", 99))]
    note = "c: not compared with other corpora, which needs 100 documents"
    groups, notes = samples.corpus_groups(made)
    assert {name: group.drawn for name, group in groups.items()} == {"a": 120, "b": 120}
    assert notes == [note]
    assert samples.corpus_groups(made[1:]) == ({}, [note])
    assert samples.corpus_groups(made[:1]) == samples.corpus_groups(made[2:]) == ({}, [])
    large = [Documents(name, ["text"] * 9000, {}) for name in ("a", "b")]
    assert {group.drawn for group in samples.corpus_groups(large)[0].values()} == {2000}


SETTINGS = samples.Settings(topics=(2, 4), words=(4, 8), seeds=(7, 8))


def test_all_is_fitted_once_for_each_seed_and_group(monkeypatch: pytest.MonkeyPatch) -> None:
    fit_quickly(monkeypatch)
    made = labelled({"sea": 1.0}, {"farm": 1.0}, 240)
    groups, _ = samples.groups_of(made, None)
    said: list[str] = []
    found = samples.fit_all(
        made, samples.count_words(made.texts, ()), groups, SETTINGS, said.append
    )
    assert [*found.grid] == [2, 4]
    assert [str(group) for group in found.groups] == ["label biased", "label neutral"]
    for of in (found.grid, found.groups):
        for several in of.values():
            assert [each.seed for each in several] == [7, 8]
    assert len(said) == len(set(said)) == 2 * (2 + 2)
    assert said[0] == "made: 2 topics of all documents, seed 7 (1 of 8)"
    assert said[-1].endswith("(8 of 8)")
    assert {*found.words()} >= {*SUBJECTS["sea"], *SUBJECTS["farm"]}
    # A group has the topics of its own documents.
    for fits, other in zip(found.groups.values(), ("farm", "sea"), strict=True):
        words = {word for fit in fits for topic in fit.words for word in topic}
        assert words.isdisjoint(SUBJECTS[other])


def test_what_is_drawn_is_of_whole_pages() -> None:
    made = corpus("made", {"sea": 0.5, "farm": 0.5}, 100, 0)
    assert made.pages is not None
    rows = samples.sample_rows(range(100), made.pages, 50, np.random.default_rng(0))
    assert rows == sorted(set(rows))
    assert set(Counter(made.pages[row] for row in rows).values()) == {5}
    alone = samples.sample_rows(range(100), None, 50, np.random.default_rng(0))
    assert len(set(alone)) == 50
    one_page = samples.sample_rows(range(20, 100), ["only"] * 100, 30, np.random.default_rng(0))
    assert len(one_page) == 30
    assert min(one_page) >= 20
    assert one_page != list(range(20, 50))


def test_words_come_by_falling_weight_and_shares_by_document() -> None:
    texts = ["mill river mill"] * 5 + ["king queen king"] * 5
    found = samples.fit_topics(samples.count_words(texts, frozenset()), 2, 0, 2)
    assert sorted(found.words) == [["king", "queen"], ["mill", "river"]]
    assert found.shares.shape == (10, 2)
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert found.seed == 0


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["mill river", "king queen", "river king", ""]), min_size=1))
def test_any_counts_give_topics_whatever_their_number(texts: list[str]) -> None:
    """One document, more topics than documents or words: nothing of it is an error here."""
    assume(any(texts))
    found = samples.fit_topics(samples.count_words(texts, frozenset(), 1), 4, 0, 3)
    assert len(found.words) == 4
    assert found.shares.shape == (len(texts), 4)
    assert np.isfinite(found.shares).all()


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


@settings(max_examples=20)
@given(
    st.lists(
        arrays(np.float64, st.tuples(st.integers(1, 5), st.just(4)), elements=st.floats(0, 1)),
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
    for _ in range(400):
        documents = rng.normal(0.3, 1, 200)
        found = interval([rng.permutation(documents)[:100].mean() for _ in range(5)], drawn=True)
        held += bool(found["low"] <= 0.3 <= found["high"])  # type: ignore[operator]
    assert 367 <= held <= 393  # three standard deviations


LISTED = [f"word{number:03}" for number in range(150)]


@settings(max_examples=15)
@given(
    arrays(np.float64, (6, 5), elements=st.floats(-1, 1) | st.just(float("nan"))),
    st.lists(st.permutations(range(5)).map(lambda order: order[:3]), min_size=1, max_size=4),
)
def test_lists_have_the_figures_of_keywords(values: np.ndarray, places: list[list[int]]) -> None:
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
        {word: frequencies[word] for word in keywords}, frequencies, LISTED, number=49, seed=seed
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
        p_of(rng.choice(LISTED[20:-20], 8, replace=False).tolist(), seed) for seed in range(60)
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


def figure(corpus: str, topics: int, words: int, value: float, **other: Any) -> dict[str, Any]:
    """Return a figure whose B1 is the value, and whose B2 goes the other way."""
    of = {"corpus": corpus, "keywords": "list", "group": None, "missing": "zero"}
    grid = {"topics": topics, "words": words}
    b2 = {"mean_max": {"value": -value}, "max": {"value": 1.0}}
    return {**of, **grid, "b1": {"value": value}, "b2": b2, **other}


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

"""Folds and their groups, how much there must be to judge by, sides of edits, several labels."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from sample_sentences import as_examples
from wikibias.config.thresholds import Scores
from wikibias.errors import WikibiasError
from wikibias.kits.evaluation import Predictions, score
from wikibias.models.estimators.registry import GROUPINGS, create
from wikibias.models.evaluation import experiment
from wikibias.models.evaluation.experiment import co_occurrence, judge, pairs_shortage, shortage
from wikibias.models.examples import LABELS, Examples, pooled
from wikibias.models.reading import read_corpus, read_files


@pytest.mark.parametrize("kind", GROUPINGS)
def test_no_group_stands_on_both_sides_of_a_fold(kind: str, corpus: Path) -> None:
    everything = pooled([*read_corpus(corpus, pytest.fail).by_name.values()])
    groups = experiment.grouping(everything, kind)
    parts = experiment.folds(everything, groups, 4)
    for train, held_out in parts:
        assert not set(groups[train]) & set(groups[held_out])
    assert sorted(np.concatenate([b for _, b in parts])) == list(range(len(everything)))


def test_a_page_is_larger_than_an_edit(corpus: Path) -> None:
    everything = pooled([*read_corpus(corpus, pytest.fail).by_name.values()])
    counts = [len(np.unique(experiment.grouping(everything, kind))) for kind in ("page", "pair")]
    assert counts[0] < counts[1] < len(everything)


@pytest.mark.parametrize(
    ("groups", "kind", "said"),
    [
        (1, "page", "are of 1 page, which cannot make 50 folds; try --cv near-duplicate or more s"),
        (3, "pair", "are of 3 edits, which cannot make 50 folds; try --folds 3 or --cv near-dup"),
        (
            1,
            "near-duplicate",
            "of 1 group of near-duplicates, which cannot make 50 folds; try more",
        ),
        (80, "random", "only 40 of its sentences are of the rarer class, which cannot make 50"),
    ],
)
def test_too_many_folds(groups: int, kind: str, said: str, tsv: dict[str, Path]) -> None:
    part = read_files({"train": tsv["dev"]}, LABELS, print).train
    with pytest.raises(WikibiasError, match=said):
        experiment.folds(part, np.arange(len(part)) % groups, 50, kind=kind)


def test_every_sentence_is_judged_by_a_model_that_did_not_see_it(tsv: dict[str, Path]) -> None:
    part = read_files({"train": tsv["train"]}, LABELS, print).train
    part = replace(part, biased=np.random.default_rng(0).random(len(part)) < 0.5)
    parts = experiment.folds(part, experiment.grouping(part, "near-duplicate"), 3)
    found = experiment.held_out_probabilities(lambda: create("char-lr", c=1e6), part, parts)
    # A model that had seen them would repeat every label.
    assert np.mean((found > 0.5) == part.biased) < 0.7


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20))
def test_two_groupings_are_joined_as_by_hand(cells: list[tuple[int, int]]) -> None:
    first, second = (np.array(column) for column in zip(*cells, strict=True))
    sets = [{place} for place in range(len(cells))]
    for groups in (first, second):
        for group in np.unique(groups):
            together = [one for one in sets if any(groups[place] == group for place in one)]
            sets = [one for one in sets if one not in together] + [set().union(*together)]
    found = experiment.both_groupings(first, second)
    assert {frozenset(np.flatnonzero(found == group).tolist()) for group in found} == {
        frozenset(one) for one in sets
    }


LIMITS = Scores(min_per_class=3, min_groups=2)


@pytest.mark.parametrize(
    ("labels", "pages", "missing"),
    [
        ("bbbnnn", None, None),
        ("bbbnnn", "112211", None),
        ("bbbbnn", None, "6 sentences, 2 of the rarer class; 3 of each class are enough"),
        ("bb", None, "2 sentences, 0 of the rarer class; 3 of each class are enough"),
        ("bbbnnn", "111111", "6 sentences, of 1 page; 2 pages are enough"),
        (
            "b",
            "1",
            "1 sentence, 0 of the rarer class, of 1 page; 3 of each class and 2 pages are enough",
        ),
    ],
)
def test_sentences_of_each_class_and_pages(
    labels: str, pages: str | None, missing: str | None
) -> None:
    given = as_examples("x", [("biased" if label == "b" else "neutral", "a") for label in labels])
    if pages is not None:
        given = replace(given, pages=np.array([*map(int, pages)]))
    assert shortage(given, LIMITS) == missing


def test_the_groups_of_folds_count_beside_the_pages() -> None:
    given = as_examples("x", [("biased", "a"), ("neutral", "b")] * 3)
    assert shortage(given, LIMITS, np.arange(6)) is None
    few_pages = replace(given, pages=np.zeros(6, dtype=np.int64))
    few = "6 sentences, of 1 page; 2 pages are enough"
    assert shortage(few_pages, LIMITS, np.arange(6)) == few
    given = replace(given, pages=np.arange(6))
    assert shortage(given, LIMITS, np.zeros(6, np.int64)) == (
        "6 sentences, of 1 group; 2 groups are enough"
    )


def test_edits_with_both_sides() -> None:
    assert pairs_shortage({"edits": 1}, LIMITS) == "1 edit with both sides; 2 are enough"
    assert pairs_shortage({"edits": 2}, LIMITS) is None


def edited(sides: list[tuple[list[str], list[str]]], pages: int) -> Examples:
    """Return what edits removed and added, of so many pages."""
    rows = [
        (text, role, edit)
        for edit, both in enumerate(sides)
        for role, texts in zip(("removed", "added"), both, strict=True)
        for text in texts
    ]
    edits = np.array([edit for *_, edit in rows])
    roles = [role for _, role, _ in rows]
    return Examples(
        "made up",
        [text for text, *_ in rows],
        np.array(roles) == "removed",
        np.arange(len(rows)),
        pages=edits % pages,
        edits=edits,
        roles=roles,
    )


def test_whole_sides_of_an_edit_are_compared() -> None:
    part = edited([(["one truly great"], ["one"]), (["a", "b"], ["c"]), (["only removed"], [])], 3)
    result = experiment.evaluate(part, np.array([0.9, 0.2, 0.1, 0.3, 0.2, 0.5]))
    assert result["edits"] == 2  # an edit with one side only is no pair
    assert result["accuracy"]["value"] == 0.75  # one right, one tie of means
    assert result["constant"]["accuracy"]["value"] == 0.5


def test_edits_of_a_single_page_still_have_an_interval() -> None:
    part = edited([([f"r{i}"], [f"a{i}"]) for i in range(20)], 1)
    accuracy = experiment.evaluate(part, np.random.default_rng(0).random(len(part)))["accuracy"]
    assert accuracy["low"] < accuracy["value"] < accuracy["high"]


RNG = np.random.default_rng(0)
SIZE, NAMES = 200, ("a", "b", "c")
HELD = RNG.random((SIZE, 3)) < [0.5, 0.3, 0.1]
JUDGED = (RNG.random((SIZE, 3)) < 0.8) | HELD
GUESSES = np.clip(HELD * 0.4 + RNG.random((SIZE, 3)) * 0.6, 0, 1)


def sentences(pages: bool = True) -> Examples:
    places = np.arange(SIZE)
    return Examples(
        "made up",
        [f"sentence {n}" for n in places],
        np.asarray(HELD.any(axis=1)),
        places + 1,
        pages=places // 4 if pages else None,
        names=NAMES,
        labels=HELD,
        judged=JUDGED,
    )


@pytest.mark.parametrize("pages", [True, False])
def test_scores_are_those_of_scikit_learn(pages: bool) -> None:
    found = judge(sentences(pages), GUESSES, [0.5] * 3, resamples=50).facts()
    decided = GUESSES > 0.5
    by_hand = [f1_score(HELD[JUDGED[:, n], n], decided[JUDGED[:, n], n]) for n in range(len(NAMES))]
    for name, f1 in zip(NAMES, by_hand, strict=True):
        assert found["labels"][name]["f1"]["value"] == pytest.approx(f1)
    assert found["macro"]["f1"]["value"] == pytest.approx(np.mean(by_hand))
    assert found["micro"]["f1"]["value"] == pytest.approx(f1_score(HELD[JUDGED], decided[JUDGED]))
    known = JUDGED.any(axis=1)
    right = ((decided == HELD) | ~JUDGED).all(axis=1)[known].mean()
    assert found["subset_accuracy"]["value"] == pytest.approx(right)
    for entry in (found["micro"]["mcc"], found["macro"]["mcc"], found["subset_accuracy"]):
        assert entry["low"] < entry["value"] < entry["high"]


def test_what_is_not_judged_changes_nothing() -> None:
    other = GUESSES.copy()
    other[~JUDGED] = 1 - other[~JUDGED]
    first, second = (
        judge(sentences(), guesses, [0.5] * 3, resamples=20, seed=1).facts()
        for guesses in (GUESSES, other)
    )
    assert first == second


def test_a_label_that_no_sentence_has_leaves_the_means_alone() -> None:
    without = replace(sentences(), labels=HELD & [True, True, False])
    found = judge(without, GUESSES, [0.5] * 3, resamples=20).facts()
    assert found["labels"]["c"]["recall"]["value"] is None
    recalls = [
        score(without.of_label(name).biased, Predictions.of(GUESSES[JUDGED[:, n], n]))["recall"]
        for n, name in enumerate(NAMES[:2])
    ]
    assert found["macro"]["recall"]["value"] == pytest.approx(np.mean([r or 0 for r in recalls]))


def test_co_occurrence_counts_sentences() -> None:
    counts = co_occurrence(sentences())
    assert counts["a"]["a"] == int(HELD[:, 0].sum())
    assert counts["a"]["b"] == counts["b"]["a"] == int((HELD[:, 0] & HELD[:, 1]).sum())


def test_a_label_that_judges_no_sentence_has_no_scores() -> None:
    few = [True, True, False]
    none = replace(sentences(), labels=HELD & few, judged=JUDGED & few)
    found = judge(none, GUESSES, [0.5] * 3, resamples=20).facts()
    assert list(found["labels"]) == ["a", "b"]
    assert found["macro"]["f1"]["value"] is not None
    assert found["co_occurrence"]["c"]["c"] == 0

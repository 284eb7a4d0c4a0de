from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError, WikibiasError
from wikibias.models.constants import GROUPINGS
from wikibias.models.estimators.registry import create
from wikibias.models.evaluation import cross_validation
from wikibias.models.examples import LABELS
from wikibias.models.reading import read_corpus, read_files


@pytest.mark.parametrize("kind", GROUPINGS)
def test_no_group_stands_on_both_sides_of_a_fold(kind: str, corpus: Path) -> None:
    everything = cross_validation.pooled(read_corpus(corpus, pytest.fail))
    groups = cross_validation.grouping(everything, kind)
    parts = cross_validation.folds(everything, groups, 4)
    for train, held_out in parts:
        assert not set(groups[train]) & set(groups[held_out])
    assert sorted(np.concatenate([b for _, b in parts])) == list(range(len(everything)))


def test_a_page_is_larger_than_an_edit(corpus: Path) -> None:
    everything = cross_validation.pooled(read_corpus(corpus, pytest.fail))
    counts = [
        len(np.unique(cross_validation.grouping(everything, kind))) for kind in ("page", "pair")
    ]
    assert counts[0] < counts[1] < len(everything)


def test_a_tsv_file_has_no_pages(tsv: dict[str, Path]) -> None:
    part = read_files({"train": tsv["train"]}, LABELS, print).train
    with pytest.raises(UsageError, match="--cv page needs a corpus directory"):
        cross_validation.grouping(part, "page")
    assert len(cross_validation.grouping(part, "near-duplicate")) == len(part)


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
        cross_validation.folds(part, np.arange(len(part)) % groups, 50, kind=kind)


def test_every_sentence_is_judged_by_a_model_that_did_not_see_it(tsv: dict[str, Path]) -> None:
    part = cross_validation.pooled(read_files({"train": tsv["train"]}, LABELS, print))
    parts = cross_validation.folds(part, np.arange(len(part)), 3)
    probabilities = cross_validation.held_out_probabilities(lambda: create("nearest"), part, parts)
    # A model that had seen them would repeat every label.
    assert np.mean((probabilities > 0.5) == part.biased) < 0.9


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20))
def test_two_groupings_are_joined_as_by_hand(cells: list[tuple[int, int]]) -> None:
    first, second = (np.array(column) for column in zip(*cells, strict=True))
    sets = [{place} for place in range(len(cells))]
    for groups in (first, second):
        for group in np.unique(groups):
            together = [one for one in sets if any(groups[place] == group for place in one)]
            sets = [one for one in sets if one not in together] + [set().union(*together)]
    found = cross_validation.both_groupings(first, second)
    assert {frozenset(np.flatnonzero(found == group).tolist()) for group in found} == {
        frozenset(one) for one in sets
    }

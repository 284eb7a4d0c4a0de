"""Pages stay whole."""

from __future__ import annotations

import numpy as np

from made_edits import CHOICE, edit, word
from wikibias.config.thresholds import Build
from wikibias.corpus.candidates import read
from wikibias.corpus.splits import LEFT_OUT, deal_groups, main_split, split_of


def rng() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(0))


def test_by_page_what_is_not_chosen_goes_with_its_page() -> None:
    candidates = read([edit(page, [f"A {word(page)}.", "B."]) for page in range(20)], CHOICE)
    chosen = np.arange(0, 20, 2)
    split = split_of(candidates, chosen, Build(), "page", rng())
    assert (split[0::2] == split[1::2]).all()
    assert (split[:20] != LEFT_OUT).all()
    assert (split[20:] == LEFT_OUT).all()


def test_by_sentence_only_what_is_chosen_has_a_split() -> None:
    candidates = read([edit(1, [f"A {word(n)}." for n in range(100)])], CHOICE)
    split = split_of(candidates, np.arange(50), Build(), "sentence", rng())
    assert np.bincount(split[:50]).tolist() == [40, 5, 5]
    assert (split[50:] == LEFT_OUT).all()


def test_a_group_belongs_where_most_of_it_stands() -> None:
    split = np.array([2, 0, 2, 1, LEFT_OUT, 1, 0])
    group = np.array([0, 0, 0, 3, 3, 5, 5])
    assert main_split(split, group).tolist() == [2, 2, 2, 1, 1, 0, 0]


def test_each_stratum_is_dealt_by_the_shares_and_groups_stay_whole() -> None:
    # Two strata of 100; the first has two groups of ten, and the rest are of one each.
    stratum = np.repeat([0, 1], 100)
    group = np.concatenate([np.repeat([0, 1], 10), np.arange(20, 200)])
    split = deal_groups(group, stratum, Build(), rng())
    for number in (0, 1):
        assert np.bincount(split[stratum == number]).tolist() == [80, 10, 10]
        assert len(set(split[group == number].tolist())) == 1


def test_a_group_of_two_strata_goes_where_both_have_room() -> None:
    group = np.array([0, 0, 0, 0, 1, 2, 3, 4])
    split = deal_groups(group, np.array([0, 0, 1, 1, 0, 1, 0, 1]), Build(0.5, 0.25, 0.25), rng())
    assert split[:4].tolist() == [0, 0, 0, 0]
    assert sorted(split[[4, 6]].tolist()) == sorted(split[[5, 7]].tolist()) == [1, 2]
    assert deal_groups(group[:0], group[:0], Build(), rng()).tolist() == []


def test_without_sentences() -> None:
    candidates = read([], CHOICE)
    nothing = np.zeros(0, np.int64)
    assert len(split_of(candidates, nothing, Build(), "page", rng())) == 0
    assert len(main_split(nothing, nothing)) == 0

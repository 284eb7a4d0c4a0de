"""Pages stay whole."""

from dataclasses import replace

import numpy as np

from made_edits import CHOICE, candidates_of, edit, rng, word
from wikibias.corpus.splits import LEFT_OUT, main_split, split_of


def test_by_page_what_is_not_chosen_goes_with_its_page() -> None:
    candidates = candidates_of([edit(page, [f"A {word(page)}.", "B."]) for page in range(20)])
    chosen = np.arange(0, 20, 2)
    split, _, _ = split_of(candidates, chosen, CHOICE, rng())
    assert (split[0::2] == split[1::2]).all()
    assert (split[:20] != LEFT_OUT).all()
    assert (split[20:] == LEFT_OUT).all()


def test_by_sentence_only_what_is_chosen_has_a_split() -> None:
    candidates = candidates_of([edit(1, [f"A {word(n)}." for n in range(100)])])
    split, _, _ = split_of(candidates, np.arange(50), replace(CHOICE, split_by="sentence"), rng())
    assert np.bincount(split[:50]).tolist() == [40, 5, 5]
    assert (split[50:] == LEFT_OUT).all()


def test_a_group_belongs_where_most_of_it_stands() -> None:
    split = np.array([2, 0, 2, 1, LEFT_OUT, 1, 0])
    group = np.array([0, 0, 0, 3, 3, 5, 5])
    assert main_split(split, group).tolist() == [2, 2, 2, 1, 1, 0, 0]


def test_without_sentences() -> None:
    candidates = candidates_of([])
    nothing = np.zeros(0, np.int64)
    assert len(split_of(candidates, nothing, CHOICE, rng())[0]) == 0
    assert len(main_split(nothing, nothing)) == 0

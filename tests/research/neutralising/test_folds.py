"""Pairs are dealt into folds by what they belong to."""

from __future__ import annotations

from wikibias.research.neutralising.folds import in_fold
from wikibias.research.neutralising.rewriters import Pair


def test_pairs_of_one_page_share_a_fold_and_all_folds_are_used() -> None:
    assert in_fold(Pair("a", "b", "page 1"), 0, 10) == in_fold(Pair("c", "d", "page 1"), 0, 10)
    assert {in_fold(Pair(f"{n}", ""), 0, 10) for n in range(200)} == set(range(10))

"""Shuffles of sides keep pages together, and tell chance from more."""

from __future__ import annotations

import numpy as np
import pytest

from made_documents import SUBJECTS, corpus
from wikibias.research.selection_bias.documents import Documents
from wikibias.research.selection_bias.shuffling import chance, numbered, swapped, together

GROUPS = np.repeat(np.arange(30), 4)
ONE_SIDED = GROUPS % 2 == 0


def test_what_is_of_one_page_is_one_group_where_there_are_enough_pages() -> None:
    of_pages = corpus("a", dict.fromkeys(SUBJECTS, 0.25), 100, 0)
    groups, kind = together(of_pages)
    assert kind == "page"
    assert len(np.unique(groups)) == 20
    assert together(of_pages.chosen(range(95)))[1] == "sentence"


def test_the_same_sentence_is_one_group_where_pages_are_not_known() -> None:
    groups, kind = together(Documents("a", ["tide", "reef", "tide"]))
    assert kind == "sentence"
    assert groups.tolist() == numbered(["x", "a", "x"]).tolist()


def test_one_long_text_takes_no_more_room_than_it_has() -> None:
    texts = [f"{number:05}" for number in range(20_000)] + ["x" * 1_000_000]
    assert numbered(texts).tolist() == [*range(20_001)]


def test_a_swap_moves_whole_groups() -> None:
    for sides in swapped(ONE_SIDED, GROUPS, 20, seed=1):
        assert all(len(np.unique(sides[group == GROUPS])) == 1 for group in range(30))


def test_a_swap_leaves_on_both_sides_what_is_on_both() -> None:
    both = np.tile([True, False], 60)
    assert all(sides.reshape(-1, 2).sum() == 60 for sides in swapped(both, GROUPS, 20, seed=1))


def test_the_same_seed_gives_the_same_draws() -> None:
    first, again, other = (
        [sides.tobytes() for sides in swapped(ONE_SIDED, GROUPS, 5, seed)] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_chance_counts_the_figure_itself() -> None:
    assert chance([0.1, 0.2, 0.3], 0.4)["p"] == 1 / 4
    assert chance([0.1, 0.2, 0.3], 0.2)["p"] == 3 / 4
    assert chance([0.1, 0.2, 0.3], 0.2)["mean"] == pytest.approx(0.2)

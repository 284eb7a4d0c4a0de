"""No edit gives too many of the biased sentences."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from made_edits import candidates_of, chosen_of, edit, word
from wikibias.corpus.composition import Composition
from wikibias.corpus.two_classes import within_share
from wikibias.records import Edit


def edits(*sizes: int) -> list[Edit]:
    return [
        edit(n, [f"A {word(n, k)} here." for k in range(size)], [f"B {word(n)}."], number=n)
        for n, size in enumerate(sizes, 1)
    ]


@pytest.mark.parametrize(
    ("sizes", "share", "kept"),
    [
        ((10, 1, 1), 0.5, (2, 1, 1)),
        ((10, 10, 10, 10), 0.25, (10, 10, 10, 10)),
        ((9, 4, 4, 3), 0.3, (4, 4, 4, 3)),
        ((9, 4, 3), 1.0, (9, 4, 3)),
        ((100,), 1.0, (100,)),
    ],
)
def test_the_most_that_no_edit_gives_more_than_its_share(
    sizes: tuple[int, ...], share: float, kept: tuple[int, ...]
) -> None:
    candidates = candidates_of(edits(*sizes))
    biased = np.flatnonzero(candidates.role == 0)
    composition = Composition()
    found = within_share(candidates, biased, share, composition)
    assert composition.notes == []
    assert tuple(np.bincount(candidates.edit[found]).tolist()) == kept


def test_a_share_that_cannot_be_is_not_applied_and_a_note_says_so() -> None:
    composition = chosen_of(edits(3, 3), max_share=0.1).composition
    assert composition.removed == 6
    assert "--max-share was not applied" in composition.notes[0]
    assert chosen_of([], max_share=0.1).composition.total == 0


def test_of_one_edit_the_best_tiers_are_taken_first() -> None:
    made = edit(removed=["One", "Two here", "Three.", "Four.", "Five"], added=["B."])
    corpus = chosen_of([made], max_per_edit=3)
    biased = [s.text for s in corpus.rows() if s.label == "biased"]
    assert biased == ["One", "Three.", "Four."]
    assert corpus.composition.left_out["max_per_edit"]["removed"] == 2


def test_both_limits_hold_together() -> None:
    corpus = chosen_of(edits(30, 8, 8, 8, 8, 8), max_per_edit=10, max_share=0.18)
    counts = Counter(s.provenance.after_rev_id for s in corpus.rows() if s.label == "biased")
    assert max(counts.values()) == 8
    assert corpus.composition.largest_share == round(8 / 48, 4)

"""No edit gives too many of the biased sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_edits import CHOICE, chosen_of, edit, word
from wikibias.config.choices import Negatives
from wikibias.corpus.candidates import read
from wikibias.corpus.composition import Composition
from wikibias.corpus.evidence import ROLES
from wikibias.corpus.two_classes import classes_by_topic, pools, within_share
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
    candidates = read(edits(*sizes), CHOICE)
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
    biased = [s.text for s in corpus.sentences() if s.label == "biased"]
    assert biased == ["One", "Three.", "Four."]
    assert corpus.composition.left_out["max_per_edit"]["removed"] == 2


def test_both_limits_hold_together() -> None:
    corpus = chosen_of(edits(30, 8, 8, 8, 8, 8), max_per_edit=10, max_share=0.18)
    counts = Counter(s.provenance.after_rev_id for s in corpus.sentences() if s.label == "biased")
    assert max(counts.values()) == 8
    assert corpus.composition.largest_share == round(8 / 48, 4)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), max_size=6),
    st.randoms(use_true_random=False),
    st.integers(1, 4),
    st.sampled_from([None, "edited", "unchanged", "mixed"]),
)
def test_within_each_topic_the_smaller_class_decides(
    sizes: list[tuple[int, int, int]],
    rng: Random,
    topics: int,
    negatives: Negatives | None,
) -> None:
    """Compared with a slow version, topic by topic and sentence by sentence."""
    made = []
    for n, (x, y, z) in enumerate(sizes, 1):
        removed, added_ones, left_alone = (
            [f"{kind} {word(n, k)} here" for k in range(size)]
            for kind, size in (("x", x), ("y", y), ("z", z))
        )
        made.append(edit(n, removed, added_ones, left_alone, n))
    choice = replace(CHOICE, negatives=negatives)
    candidates = read(made, choice)
    topic = np.array([rng.randrange(topics) for _ in candidates.form], np.int8)
    there = pools(candidates, choice, Composition())
    drawn = np.random.Generator(np.random.PCG64(rng.randrange(100)))
    strata = classes_by_topic(candidates, choice, there, topic, drawn)
    for number, found in enumerate(strata):
        role = [ROLES[each] for each in candidates.role.tolist()]
        of = [at for at in range(len(topic)) if topic[at] == number]
        biased = [at for at in of if role[at] == "removed"]
        added = [at for at in of if role[at] == "added" and negatives != "unchanged"]
        left = [at for at in of if role[at] == "unchanged" and negatives != "edited"]
        most = min(len(biased), len(added) + len(left))
        taken = found.taken().tolist()
        first, second = taken[: len(taken) // 2], taken[len(taken) // 2 :]
        assert len(first) == len(second) == most
        assert set(first) <= set(biased)
        assert set(second) <= {*added, *left}
        best = sorted(candidates.tier[biased].tolist())[:most]
        assert sorted(candidates.tier[first].tolist()) == best
        if negatives is None:
            assert len(set(second) & set(added)) == min(len(added), most)
        if negatives == "mixed" and min(len(added), len(left)) * 2 >= most:
            assert abs(len(set(second) & set(added)) * 2 - most) <= 1


def test_unchanged_ones_of_a_topic_come_first_from_the_page_that_lacks_some() -> None:
    plenty = [f"u {word(n)}" for n in range(50)]
    rich = edit(page=1, removed=["A x"], added=["B x"], unchanged=plenty)
    poor = edit(page=2, removed=["A a", "A b"], unchanged=["V a", "V b", "V c", "V d"])
    candidates = read([rich, poor], CHOICE)
    # The last two sentences of the poor page are about something else.
    topic = np.array([*[0] * (len(candidates.form) - 2), 1, 1], np.int8)
    there = pools(candidates, CHOICE, Composition())
    drawn = np.random.Generator(np.random.PCG64(0))
    first, _ = classes_by_topic(candidates, CHOICE, there, topic, drawn)
    taken = first.taken()[3:]
    assert candidates.page[taken].tolist() == [0, 1, 1]

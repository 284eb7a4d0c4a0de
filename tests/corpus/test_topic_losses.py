"""What the balance of topics cost, and what equal classes alone would have cost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from wikibias.corpus.balance import Pools
from wikibias.corpus.topic_losses import TopicLosses, topic_losses

BIASED, ADDED, UNCHANGED = np.arange(6), np.arange(6, 10), np.arange(10, 20)


def losses(gone: Sequence[int], *, unchanged: int = 10, added_first: bool = True) -> TopicLosses:
    """Return what is lost where some sentences are in the corpus."""
    there = Pools(BIASED, ADDED, UNCHANGED[:unchanged], BIASED[:0])
    flags = np.zeros(20, np.bool_)
    flags[list(gone)] = True
    return topic_losses(there, there.neutral, flags, added_first=added_first)


def test_neutral_ones_in_plenty_count_only_if_they_were_added() -> None:
    found = losses([0, 1, 2, 3, 4, 6, 7, 10, 11, 12])
    assert (found.biased.tolist(), found.neutral.tolist(), found.surplus) == ([5], [8, 9], 0)
    assert found.all.tolist() == [5, 8, 9]
    assert found.notes("page") == [
        "left out: 2 of 4 added sentences without a biased one of the same topic in the same split",
        "left out: 1 biased sentence without a neutral one of the same topic in the same split; "
        "more dump parts would keep more",
    ]
    assert losses([0, 6], added_first=False).neutral.tolist() == []


@pytest.mark.parametrize("added_first", [True, False])
def test_where_neutral_ones_are_few_each_counts(added_first: bool) -> None:
    found = losses([0, 1, 6, 7], unchanged=1, added_first=added_first)
    assert (found.neutral.tolist(), found.surplus) == ([8, 9, 10], 1)
    assert found.notes("sentence") == [
        "left out: 3 neutral sentences without a biased one of the same topic",
        "left out: 4 biased sentences without a neutral one of the same topic (1 of them without "
        "one of any topic); more dump parts would keep more",
    ]


def test_where_nothing_is_lost_nothing_is_said() -> None:
    assert losses(range(20)).notes("page") == []

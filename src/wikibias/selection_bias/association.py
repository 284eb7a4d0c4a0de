"""How much the main topic of a sentence goes with its label."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.selection_bias.shuffling import Groups, Sides, chance, shuffled


def association(
    topics: NDArray[np.int64], labels: Sides, groups: Groups, draws: int, seed: int
) -> dict[str, Any]:
    """Return Cramér's V of topic and label, and what it is by chance.

    Args:
        topics: the number of the main topic of each document, from 0.
        labels: whether each is biased.
        groups: what is of one page; labels of groups are shuffled together.
        draws: how often.
        seed: of the draws.

    Returns:
        `cramers_v`, and `chance` as `shuffling.chance` gives it.
    """
    value = cramers_v(topics, labels)
    drawn = [cramers_v(topics, one) for one in shuffled(labels, groups, draws, seed)]
    return {"cramers_v": value, "chance": chance(drawn, value)}


def cramers_v(topics: NDArray[np.int64], labels: Sides) -> float:
    """Return Cramér's V of topics and a label of two values: 0 for no association, 1 for all.

    0 also where all are of one topic or one label.
    """
    counts = np.stack(
        [np.bincount(topics[labels == of], minlength=1 + topics.max()) for of in (0, 1)]
    )
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    there = expected > 0
    chi_squared = ((counts - expected)[there] ** 2 / expected[there]).sum()
    return math.sqrt(float(chi_squared) / len(topics))

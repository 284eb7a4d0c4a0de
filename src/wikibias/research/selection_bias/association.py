"""How much the main topic of a sentence goes with its label."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.research.selection_bias.shuffling import Groups, Sides, chance


def association(
    topics: NDArray[np.int64], labels: Sides, groups: Groups, draws: int, seed: int
) -> dict[str, Any]:
    """Return Cramér's V of topic and label, and what it is by chance.

    What a page adds to the association is as likely to be for as against it, where topic and label
    have nothing to do with each other, however alike the sentences of the page are. So in each draw
    a coin turns the sign of what each page adds (a wild bootstrap by clusters).

    Args:
        topics: the number of the main topic of each document, from 0.
        labels: whether each is biased.
        groups: the number of the page of each, from 0.
        draws: how often.
        seed: of the draws.

    Returns:
        `cramers_v`, and `chance` as `shuffling.chance` gives it.
    """
    value = cramers_v(topics, labels)
    held = np.bincount(topics)
    parts = np.zeros((int(groups.max()) + 1, len(held)))
    rest = labels - labels.mean()
    np.add.at(parts, (groups, topics), rest)
    parts -= np.bincount(groups, rest)[:, np.newaxis] * held / len(topics)
    rng = np.random.default_rng(seed)
    drawn = [
        _v(np.where(rng.random(len(parts)) < 0.5, -1.0, 1.0) @ parts, held, labels)
        for _ in range(draws)
    ]
    return {"cramers_v": value, "chance": chance(drawn, value)}


def _v(more: NDArray[np.float64], held: NDArray[np.int64], labels: Sides) -> float:
    """Return Cramér's V, from how many more biased documents each topic has than is its share."""
    varied = float(labels.mean() * (1 - labels.mean())) * len(labels)
    there = held > 0
    return math.sqrt(float((more[there] ** 2 / held[there]).sum()) / varied) if varied else 0.0


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

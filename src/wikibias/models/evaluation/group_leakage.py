"""Measures leakage between splits of any size, by groups of near-duplicates that MinHash finds.

To find every pair and the nearest of all sentences takes time that grows with their square; this
grows in a straight line. It sees less, as
`corpus.near_duplicate_groups` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus import near_duplicate_groups
from wikibias.kits.evaluation import Predictions, score_with_intervals
from wikibias.models.examples import Examples, Splits

Decisions = NDArray[np.bool_]
Baseline = tuple[str, str, Decisions, Decisions]
"""Name, how it decides, its decisions, and for which sentences they count."""
Groups = Mapping[str, NDArray[np.int64]]


def groups(splits: Splits) -> Groups:
    """Return, by split, the number of the group of each sentence; no number reaches their count."""
    parts = splits.by_name
    texts = chain.from_iterable(part.texts for part in parts.values())
    found = near_duplicate_groups.groups(
        near_duplicate_groups.signatures(texts, sum(map(len, parts.values())))
    )
    ends = np.cumsum([len(part) for part in parts.values()])
    return dict(zip(parts, np.split(found, ends[:-1]), strict=True))


def count_pairs(splits: Splits, found: Groups) -> list[dict[str, Any]]:
    """Count pairs of sentences of one group, within each split and across each two."""
    counts = {name: _counts(part, found, name) for name, part in splits.by_name.items()}
    rows = []
    for first, second in [*((n, n) for n in counts), *combinations(counts, 2)]:
        one, other = counts[first], counts[second]
        if first == second:
            alike = int((one * (one - 1) // 2).sum())
            pairs = alike + int((one[0] * one[1]).sum())
        else:
            alike = int((one * other).sum())
            pairs = int((one.sum(0) * other.sum(0)).sum())
        same = alike / pairs if pairs else None
        rows.append({"splits": [first, second], "pairs": pairs, "same_label": same})
    return rows


def in_train(splits: Splits, found: Groups, name: str, seed: int) -> dict[str, Any]:
    """Find the sentences of a split with a near-duplicate in train, and what its label betrays.

    Of several near-duplicates in train, the label of most counts. Only those lookup baselines are
    scored that ask for no other neighbours.
    """
    part, groups_of = splits.by_name[name], found[name]
    neutral, biased = _counts(splits.train, found, "train")[:, groups_of]
    has, label = neutral + biased > 0, biased >= neutral
    agree = label[has] == part.biased[has]
    coin = np.random.default_rng(seed).random(len(part)) < 0.5
    everyone = np.ones(len(part), dtype=bool)
    baselines: list[Baseline] = [
        ("opposite, covered", "opposite of the near-duplicate, where there is one", ~label, has),
        (
            "opposite or coin",
            "opposite of the near-duplicate, else random",
            np.where(has, ~label, coin),
            everyone,
        ),
    ]
    return {
        "sentences": len(part),
        "with_neighbour": int(has.sum()),
        "share": float(has.mean()),
        "labels_agree": float(agree.mean()) if has.any() else None,
        "cheats": scored(part.biased, baselines, seed),
    }


def scored(
    truth: NDArray[np.bool_], baselines: Iterable[Baseline], seed: int
) -> list[dict[str, Any]]:
    """Score lookup baselines, but for those that decide on fewer than two sentences."""
    return [
        {
            "name": name,
            "how": how,
            "sentences": int(where.sum()),
            **score_with_intervals(
                truth[where], Predictions.of(decisions[where].astype(float)), seed=seed
            ),
        }
        for name, how, decisions, where in baselines
        if where.sum() > 1
    ]


def _counts(part: Examples, found: Groups, name: str) -> NDArray[np.int64]:
    """Return how many neutral and how many biased sentences of a split each group has: 2 rows."""
    width = sum(map(len, found.values()))
    own = found[name]
    return np.stack([np.bincount(own[part.biased == side], minlength=width) for side in (0, 1)])

"""What a split gives away: duplicates, near-duplicates, and what they are worth to a cheat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE
from wikibias.corpus import near_duplicates
from wikibias.models.evaluation.metrics import Predictions, score_with_intervals
from wikibias.models.examples import Examples, Splits

_VOTERS = 11
# What train tells of so small a share of the held-out sentences cannot move accuracy by more.
_LITTLE = 0.05
_EXAMPLES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Cheat:
    """A classifier that knows nothing of bias: its name, how, and its scores on a split."""

    name: str
    how: str
    sentences: int
    scores: dict[str, dict[str, float | None]]


def audit(
    splits: Splits,
    *,
    ngrams: str = "char",
    threshold: float = NEAR_DUPLICATE_COSINE,
    seed: int = 0,
) -> dict[str, Any]:
    """Return everything the audit found, as plain values for JSON.

    `duplicates` counts texts that stand more than once; `within` and `across` count
    near-duplicate pairs of sentences; `neighbours` tells for each split that is not for training
    how many of its sentences have a neighbour in train, how often the labels agree, and how far
    cheats get. `leaks` says whether a twentieth of any such split has one; None where there is
    no such split.
    """
    result: dict[str, Any] = {
        "ngrams": ngrams,
        "threshold": threshold,
        "sentences": {name: len(part) for name, part in splits.by_name.items()},
        "duplicates": duplicates(splits),
        "near_duplicates": count_near_duplicates(splits, ngrams, threshold),
    }
    if "train" in splits.by_name:
        result["neighbours"] = {
            name: neighbours_in_train(splits.train, part, ngrams, threshold, seed)
            for name, part in splits.held_out()
        }
    shares = [part["share"] for part in result.get("neighbours", {}).values()]
    result["leaks"] = max(shares) >= _LITTLE if shares else None
    return result


def duplicates(splits: Splits) -> dict[str, Any]:
    """Count exact duplicates: texts that occur again, by where and under which labels."""
    places: dict[str, list[tuple[str, int, bool]]] = {}
    for name, part in splits.by_name.items():
        for text, row, biased in zip(part.texts, part.rows, part.biased, strict=True):
            places.setdefault(text, []).append((name, int(row), bool(biased)))
    again = {text: found for text, found in places.items() if len(found) > 1}
    both = {t: f for t, f in again.items() if len({biased for *_, biased in f}) == 2}
    return {
        "texts": len(again),
        "with_both_labels": len(both),
        "within_a_split": sum(len({n for n, *_ in f}) < len(f) for f in again.values()),
        "across_splits": sum(len({n for n, *_ in f}) > 1 for f in again.values()),
        "examples": [
            {"text": text[:200], "places": [f"{name}:{row}" for name, row, _ in found]}
            for text, found in list(both.items())[:_EXAMPLES_SHOWN]
        ],
    }


def count_near_duplicates(splits: Splits, ngrams: str, threshold: float) -> list[dict[str, Any]]:
    """Count pairs of similar sentences within each split and across each two splits."""
    names = list(splits.by_name)
    rows = near_duplicates.vectors(ngrams, *(splits.by_name[name].texts for name in names))
    table = dict(zip(names, rows, strict=True))
    found = []
    for first, second in [*((n, n) for n in names), *combinations(names, 2)]:
        pairs = near_duplicates.similar(table[first], table[second], threshold)
        one_way = pairs.left < pairs.right if first == second else np.ones(len(pairs.left), bool)
        left, right = pairs.left[one_way], pairs.right[one_way]
        labels = splits.by_name[first].biased[left], splits.by_name[second].biased[right]
        found.append(
            {
                "splits": [first, second],
                "pairs": len(left),
                "same_label": float(np.mean(labels[0] == labels[1])) if len(left) else None,
            }
        )
    return found


def neighbours_in_train(
    train: Examples, part: Examples, ngrams: str, threshold: float, seed: int
) -> dict[str, Any]:
    """Look up each sentence's nearest training sentences, and let the cheats play."""
    known, asked = near_duplicates.vectors(ngrams, train.texts, part.texts)
    blocks = list(near_duplicates.nearest_rows(asked, known, _VOTERS))
    order = np.concatenate([rows for rows, _ in blocks])
    cosine = np.concatenate([values for _, values in blocks])
    labels = train.biased[order]
    has = cosine[:, 0] >= threshold - 1e-9
    agree = labels[has, 0] == part.biased[has]
    cheats = _cheats(part.biased, labels, has, seed)
    return {
        "sentences": len(part),
        "with_neighbour": int(has.sum()),
        "share": float(has.mean()),
        "labels_agree": float(agree.mean()) if has.any() else None,
        "cheats": [
            {"name": c.name, "how": c.how, "sentences": c.sentences, **c.scores} for c in cheats
        ],
    }


def _cheats(
    truth: NDArray[np.bool_], labels: NDArray[np.bool_], has: NDArray[np.bool_], seed: int
) -> Sequence[Cheat]:
    """Score classifiers that look at the training labels of similar sentences only."""
    nearest, vote = labels[:, 0], labels.mean(axis=1) >= 0.5
    everyone = np.ones(len(truth), dtype=bool)
    coin = np.random.default_rng(seed).random(len(truth)) < 0.5
    plays = [
        ("nearest", "label of the nearest training sentence", nearest, everyone),
        ("opposite, covered", "opposite of the neighbour, where there is one", ~nearest, has),
        (
            "opposite or coin",
            "opposite of the neighbour, else a coin",
            _either(has, ~nearest, coin),
            everyone,
        ),
        (
            "opposite or vote",
            f"opposite of the neighbour, else the vote of the {labels.shape[1]} nearest",
            _either(has, ~nearest, vote),
            everyone,
        ),
    ]
    return [
        Cheat(
            name,
            how,
            int(where.sum()),
            score_with_intervals(
                truth[where], Predictions.of(says[where].astype(float)), seed=seed
            ),
        )
        for name, how, says, where in plays
        if where.sum() > 1
    ]


def _either(
    where: NDArray[np.bool_], there: NDArray[np.bool_], elsewhere: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    return np.where(where, there, elsewhere)

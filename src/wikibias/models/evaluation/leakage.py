"""Measures leakage between splits: duplicates, near-duplicates, and how they predict labels."""

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
# Near-duplicates of a smaller share of the held-out sentences move accuracy by no more than that.
_LEAK = 0.05
_EXAMPLES_SHOWN = 5
# Of fewer held-out sentences, the intervals of the lookup baselines are too wide to judge by.
_FEWEST = 100


@dataclass(frozen=True, slots=True)
class LookupBaseline:
    """A baseline that only looks up labels of similar training sentences, with its scores."""

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
    """Return everything the audit finds, as plain values for JSON.

    `duplicates` counts texts that occur more than once; `near_duplicates` counts pairs within and
    across splits; `neighbours` tells for dev and test how many sentences have a near-duplicate in
    train, how often the labels agree, and the scores of the lookup baselines (`cheats`). `leaks`
    says whether at least 5 % of dev or of test have one; None if there is neither. `too_few` names
    those of dev and test with fewer than 100 sentences.
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
            name: near_duplicates_in_train(splits.train, part, ngrams, threshold, seed)
            for name, part in splits.held_out()
        }
    shares = [part["share"] for part in result.get("neighbours", {}).values()]
    result["leaks"] = max(shares) >= _LEAK if shares else None
    result["too_few"] = [name for name, part in splits.held_out() if len(part) < _FEWEST]
    return result


def duplicates(splits: Splits) -> dict[str, Any]:
    """Count exact duplicates, by split and by label."""
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
    """Count near-duplicate pairs within each split and across each two splits."""
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


def near_duplicates_in_train(
    train: Examples, part: Examples, ngrams: str, threshold: float, seed: int
) -> dict[str, Any]:
    """Find each sentence's nearest training sentences, and score the lookup baselines."""
    known, asked = near_duplicates.vectors(ngrams, train.texts, part.texts)
    batches = list(near_duplicates.nearest_rows(asked, known, _VOTERS))
    order = np.concatenate([rows for rows, _ in batches])
    cosine = np.concatenate([values for _, values in batches])
    labels = train.biased[order]
    has = cosine[:, 0] >= threshold - 1e-9
    agree = labels[has, 0] == part.biased[has]
    baselines = _lookup_baselines(part.biased, labels, has, seed)
    return {
        "sentences": len(part),
        "with_neighbour": int(has.sum()),
        "share": float(has.mean()),
        "labels_agree": float(agree.mean()) if has.any() else None,
        "cheats": [
            {"name": b.name, "how": b.how, "sentences": b.sentences, **b.scores} for b in baselines
        ],
    }


def _lookup_baselines(
    truth: NDArray[np.bool_], labels: NDArray[np.bool_], has: NDArray[np.bool_], seed: int
) -> Sequence[LookupBaseline]:
    """Score baselines that only look at the labels of similar training sentences."""
    nearest, vote = labels[:, 0], labels.mean(axis=1) >= 0.5
    everyone = np.ones(len(truth), dtype=bool)
    random = np.random.default_rng(seed).random(len(truth)) < 0.5
    baselines = [
        ("nearest", "label of the nearest training sentence", nearest, everyone),
        ("opposite, covered", "opposite of the near-duplicate, where there is one", ~nearest, has),
        (
            "opposite or coin",
            "opposite of the near-duplicate, else random",
            _either(has, ~nearest, random),
            everyone,
        ),
        (
            "opposite or vote",
            f"opposite of the near-duplicate, else the vote of the {labels.shape[1]} nearest",
            _either(has, ~nearest, vote),
            everyone,
        ),
    ]
    return [
        LookupBaseline(
            name,
            how,
            int(where.sum()),
            score_with_intervals(
                truth[where], Predictions.of(decisions[where].astype(float)), seed=seed
            ),
        )
        for name, how, decisions, where in baselines
        if where.sum() > 1
    ]


def _either(
    where: NDArray[np.bool_], there: NDArray[np.bool_], elsewhere: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    return np.where(where, there, elsewhere)

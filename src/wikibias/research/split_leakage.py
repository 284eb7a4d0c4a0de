"""Leakage between the splits of a corpus: shared pages, and near-duplicate sentences.

To find every pair and the nearest of all sentences takes time that grows with their square; groups
of near-duplicates that MinHash finds take time that grows in a straight line, and see less.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE, load_config
from wikibias.corpus import near_duplicate_groups, near_duplicates
from wikibias.kits.evaluation import Predictions, score_with_intervals
from wikibias.models.evaluation.experiment import shortage
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


_VOTERS = 11
# Near-duplicates of a smaller share of the held-out sentences move accuracy by no more than that.
_LEAK = 0.05
_EXAMPLES_SHOWN = 5


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
    says whether at least 5 % of dev or of test have one; None if there is neither, or too little of
    them to say. `too_few` names those of dev and test that are too small, `warnings` says what
    there is too little of.

    Of more than `near_duplicates.MOST_EXACT` sentences in all, near-duplicates are those that
    MinHash finds, pairs those of its groups, and `cheats` fewer: see `group_leakage`. `method`
    tells which.
    """
    exact = is_exact(splits)
    result: dict[str, Any] = {
        "method": "exact" if exact else "minhash",
        "ngrams": ngrams if exact else "char",
        "threshold": threshold if exact else near_duplicate_groups.SIMILARITY,
        "sentences": {name: len(part) for name, part in splits.by_name.items()},
        "duplicates": duplicates(splits),
    }
    found = None if exact else groups(splits)
    if found is None:
        result["near_duplicates"] = count_near_duplicates(splits, ngrams, threshold)
    else:
        result["near_duplicates"] = count_pairs(splits, found)
    if "train" in splits.by_name:
        result["neighbours"] = {
            name: near_duplicates_in_train(splits.train, part, ngrams, threshold, seed)
            if found is None
            else in_train(splits, found, name, seed)
            for name, part in splits.held_out()
        }
    limits = load_config().scores
    short = {name: shortage(part, limits) for name, part in splits.held_out()}
    result["too_few"] = [name for name, missing in short.items() if missing]
    result["warnings"] = [
        f"{name}: too few sentences to judge the split by ({missing})"
        for name, missing in short.items()
        if missing
    ]
    result["leaks"] = _leaks(result.get("neighbours", {}), result["too_few"])
    return result


def _leaks(neighbours: Mapping[str, Mapping[str, Any]], too_few: Sequence[str]) -> bool | None:
    """Return whether a split leaks; None where those that are large enough do not tell."""
    shares = {name: part["share"] for name, part in neighbours.items()}
    if any(share >= _LEAK for name, share in shares.items() if name not in too_few):
        return True
    return False if shares and not too_few else None


def is_exact(splits: Splits) -> bool:
    """Say whether splits are small enough to find every pair of near-duplicates."""
    return sum(map(len, splits.by_name.values())) <= near_duplicates.MOST_EXACT


def duplicates(splits: Splits) -> dict[str, Any]:
    """Count exact duplicates, by split and by label."""
    repeated = _repeated(text for part in splits.by_name.values() for text in part.texts)
    again: dict[str, list[tuple[str, int, bool]]] = {}
    for name, part in splits.by_name.items():
        for text, row, biased in zip(part.texts, part.rows, part.biased, strict=True):
            if text in repeated:
                again.setdefault(text, []).append((name, int(row), bool(biased)))
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


def _repeated(texts: Iterable[str]) -> set[str]:
    seen, again = set[str](), set[str]()
    for text in texts:
        (again if text in seen else seen).add(text)
    return again


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
    baselines = _lookup_baselines(labels, has, seed)
    return {
        "sentences": len(part),
        "with_neighbour": int(has.sum()),
        "share": float(has.mean()),
        "labels_agree": float(agree.mean()) if has.any() else None,
        "cheats": scored(part.biased, baselines, seed),
    }


def _lookup_baselines(
    labels: NDArray[np.bool_], has: NDArray[np.bool_], seed: int
) -> list[Baseline]:
    """Return baselines that only look at the labels of similar training sentences."""
    nearest, vote = labels[:, 0], labels.mean(axis=1) >= 0.5
    everyone = np.ones(len(has), dtype=bool)
    random = np.random.default_rng(seed).random(len(has)) < 0.5
    return [
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


def _either(
    where: NDArray[np.bool_], there: NDArray[np.bool_], elsewhere: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    return np.where(where, there, elsewhere)

"""Leakage between the splits of a corpus: duplicates, and near-duplicate sentences.

To find every pair and the nearest of all sentences takes time that grows with their square; groups
of near-duplicates that MinHash finds take time that grows in a straight line, and see less.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE, load_config
from wikibias.corpus import near_duplicates
from wikibias.corpus.splits import SIMILARITY, minhash_groups
from wikibias.kits.evaluation import Predictions, score_with_intervals
from wikibias.models.evaluation.experiment import shortage
from wikibias.models.examples import Examples, Splits

Decisions = NDArray[np.bool_]
Groups = Mapping[str, NDArray[np.int64]]
_NGRAMS = "char"
_VOTERS = 11
# Near-duplicates of a smaller share of the held-out sentences move accuracy by no more than that.
_LEAK = 0.05
_EXAMPLES_SHOWN = 5
_SEED = 0


class Neighbours(NamedTuple):
    """What train says of each sentence of a split.

    Attributes:
        has: whether it has a near-duplicate there.
        label: that of the nearest sentence there, or of most of the near-duplicates.
        vote: the label of most of the nearest sentences; None where only near-duplicates are known.
    """

    has: Decisions
    label: Decisions
    vote: Decisions | None = None


def audit(splits: Splits) -> dict[str, Any]:
    """Return everything the audit finds, as plain values for JSON.

    `duplicates` counts texts that occur more than once; `near_duplicates` counts pairs within and
    across splits; `neighbours` tells for dev and test how many sentences have a near-duplicate in
    train, how often the labels agree, and the scores of the lookup baselines (`cheats`). `leaks`
    says whether at least 5 % of dev or of test have one; None if there is neither, or too little of
    them to say. `too_few` names those of dev and test that are too small, `warnings` says what
    there is too little of.

    Of more than `near_duplicates.MOST_EXACT` sentences in all, near-duplicates are those that
    MinHash finds, pairs those of its groups, and `cheats` fewer. `method` tells which.
    """
    exact = sum(map(len, splits.by_name.values())) <= near_duplicates.MOST_EXACT
    found = None if exact else groups(splits)
    result: dict[str, Any] = {
        "method": "exact" if exact else "minhash",
        "ngrams": _NGRAMS,
        "threshold": NEAR_DUPLICATE_COSINE if exact else SIMILARITY,
        "sentences": {name: len(part) for name, part in splits.by_name.items()},
        "duplicates": duplicates(splits),
        "near_duplicates": [*(pairs_by_cosine(splits) if found is None else pairs(splits, found))],
    }
    if "train" in splits.by_name:
        result["neighbours"] = {
            name: _described(
                part,
                _nearest(splits.train, part)
                if found is None
                else _of_groups(splits.train, found["train"], found[name]),
            )
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
    shares = {name: part["share"] for name, part in result.get("neighbours", {}).items()}
    if any(share >= _LEAK for name, share in shares.items() if not short[name]):
        result["leaks"] = True
    else:  # None where those that are large enough do not tell
        result["leaks"] = False if shares and not result["too_few"] else None
    return result


def duplicates(splits: Splits) -> dict[str, Any]:
    """Count exact duplicates, by split and by label."""
    parts = (
        pd.DataFrame({"text": part.texts, "biased": part.biased, "row": part.rows, "split": name})
        for name, part in splits.by_name.items()
    )
    frame = pd.concat(parts, ignore_index=True)
    again = frame[frame.duplicated("text", keep=False)].groupby("text", sort=False)
    labels, of_splits = again["biased"].nunique(), again["split"].nunique()
    both = labels.index[labels == 2]
    places = frame["split"] + ":" + frame["row"].astype(str)
    return {
        "texts": len(labels),
        "with_both_labels": len(both),
        "within_a_split": int((again.size() > of_splits).sum()),
        "across_splits": int((of_splits > 1).sum()),
        "examples": [
            {"text": text[:200], "places": places[(frame["text"] == text)].tolist()}
            for text in both[:_EXAMPLES_SHOWN]
        ],
    }


def groups(splits: Splits) -> Groups:
    """Return, by split, the number of the group of each sentence; no number reaches their count."""
    parts = splits.by_name
    texts = chain.from_iterable(part.texts for part in parts.values())
    found = minhash_groups(texts, sum(map(len, parts.values())))
    ends = np.cumsum([len(part) for part in parts.values()])
    return dict(zip(parts, np.split(found, ends[:-1]), strict=True))


def pairs(splits: Splits, found: Groups) -> Iterator[dict[str, Any]]:
    """Yield the pairs of sentences of one group, within each split and across each two."""
    width = sum(map(len, found.values()))
    counts = {name: _counts(part, found[name], width) for name, part in splits.by_name.items()}
    for first, second in [*((n, n) for n in counts), *combinations(counts, 2)]:
        one, other = counts[first], counts[second]
        if first == second:
            alike = int((one * (one - 1) // 2).sum())
            number = alike + int((one[0] * one[1]).sum())
        else:
            alike = int((one * other).sum())
            number = int((one.sum(0) * other.sum(0)).sum())
        same = alike / number if number else None
        yield {"splits": [first, second], "pairs": number, "same_label": same}


def _counts(part: Examples, own: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Return how many neutral and how many biased sentences of a split each group has: 2 rows."""
    return np.stack([np.bincount(own[part.biased == side], minlength=width) for side in (0, 1)])


def pairs_by_cosine(splits: Splits) -> Iterator[dict[str, Any]]:
    """Yield the near-duplicate pairs within each split and across each two splits."""
    names = list(splits.by_name)
    rows = near_duplicates.vectors(_NGRAMS, *(splits.by_name[name].texts for name in names))
    table = dict(zip(names, rows, strict=True))
    for first, second in [*((n, n) for n in names), *combinations(names, 2)]:
        left, right = near_duplicates.similar(table[first], table[second], NEAR_DUPLICATE_COSINE)
        if first == second:
            one_way = left < right
            left, right = left[one_way], right[one_way]
        same = splits.by_name[first].biased[left] == splits.by_name[second].biased[right]
        yield {
            "splits": [first, second],
            "pairs": len(left),
            "same_label": float(np.mean(same)) if len(left) else None,
        }


def _nearest(train: Examples, part: Examples) -> Neighbours:
    """Return what the nearest training sentences say of each sentence."""
    known, asked = near_duplicates.vectors(_NGRAMS, train.texts, part.texts)
    batches = list(near_duplicates.nearest_rows(asked, known, _VOTERS))
    labels = train.biased[np.concatenate([rows for rows, _ in batches])]
    cosine = np.concatenate([values for _, values in batches])
    has = cosine[:, 0] >= NEAR_DUPLICATE_COSINE - 1e-9
    return Neighbours(has, labels[:, 0], labels.mean(axis=1) >= 0.5)


def _of_groups(train: Examples, in_train: NDArray[np.int64], own: NDArray[np.int64]) -> Neighbours:
    """Return what the training sentences of its group say of each sentence."""
    width = int(max(in_train.max(initial=0), own.max(initial=0))) + 1
    neutral, biased = _counts(train, in_train, width)[:, own]
    return Neighbours(neutral + biased > 0, biased >= neutral)


def _described(part: Examples, found: Neighbours) -> dict[str, Any]:
    """Return how many sentences have a near-duplicate in train, and what its label betrays."""
    has = found.has
    agree = found.label[has] == part.biased[has]
    return {
        "sentences": len(part),
        "with_neighbour": int(has.sum()),
        "share": float(has.mean()),
        "labels_agree": float(agree.mean()) if has.any() else None,
        "cheats": [
            {
                "name": name,
                "how": how,
                "sentences": int(where.sum()),
                **score_with_intervals(
                    part.biased[where], Predictions.of(decisions[where].astype(float)), seed=_SEED
                ),
            }
            for name, how, decisions, where in _lookup_baselines(found)
            if where.sum() > 1
        ],
    }


def _lookup_baselines(found: Neighbours) -> Iterator[tuple[str, str, Decisions, Decisions]]:
    """Yield baselines that only look at the labels of similar training sentences.

    The name of each, how it decides, its decisions, and for which sentences they count.
    """
    has, opposite = found.has, ~found.label
    everyone = np.ones(len(has), dtype=bool)
    coin = np.random.default_rng(_SEED).random(len(has)) < 0.5
    if found.vote is not None:
        yield "nearest", "label of the nearest training sentence", found.label, everyone
    covered = "opposite of the near-duplicate, where there is one"
    yield "opposite, covered", covered, opposite, has
    how = "opposite of the near-duplicate, else random"
    yield "opposite or coin", how, np.where(has, opposite, coin), everyone
    if found.vote is not None:
        how = f"opposite of the near-duplicate, else the vote of the {_VOTERS} nearest"
        yield "opposite or vote", how, np.where(has, opposite, found.vote), everyone

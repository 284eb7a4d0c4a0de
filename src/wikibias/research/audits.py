"""Leakage between splits, and transfer between sets: what scores owe to how data were made."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE, load_config
from wikibias.corpus import near_duplicates
from wikibias.corpus.splits import SIMILARITY, minhash_groups
from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Predictions, Table, score, score_with_intervals
from wikibias.kits.tables import text_lines
from wikibias.models import examples
from wikibias.models.estimators.registry import Model, fit, probabilities
from wikibias.models.evaluation.experiment import both_groupings, folds, grouping, shortage
from wikibias.models.examples import LONGEST, Examples, Splits, Warn
from wikibias.models.prediction import reader
from wikibias.models.reading import read_corpus, read_files, read_label_files, read_result

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
    MinHash finds, pairs those of its groups, and `cheats` fewer. `method` tells which. To find
    every pair and the nearest of all sentences takes time that grows with their square; groups take
    time that grows in a straight line, and see less.
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


Make = Callable[[], Model]


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """A set with a name: what to train on, and what to test on; None where that is not set apart.

    Then each of its sentences is tested by a model of the other folds.
    """

    name: str
    train: Examples
    test: Examples | None = None

    def described(self) -> dict[str, Any]:
        """Return what a result tells of it."""
        return {
            "source": self.train.name,
            "sentences": len(self.train),
            "positive": int(self.train.biased.sum()),
            "test": None if self.test is None else len(self.test),
            "length_only_roc_auc": length_only(self.train),
        }


@dataclass(frozen=True, slots=True)
class Cell:
    """What a model trained on one set is worth on another, or on what it has not seen of its own.

    `shared` is how many sentences both have; no model was tested on one that it was trained on.
    `folds` is how many models tested it: one, but for a set that is, or shares sentences with, what
    was trained on, and has no test set of its own. `trained_on` is their mean.
    """

    train: str
    test: str
    trained_on: int
    tested_on: int
    shared: int
    folds: int
    scores: Table


@dataclass(frozen=True, slots=True)
class Judging:
    """How to judge: folds of a set without a test set, what stays in one, and the intervals.

    With `balance` each model trains on as many of one class as of the other.
    """

    folds: int = 5
    grouped_by: str = "near-duplicate"
    resamples: int = RESAMPLES
    seed: int = 0
    balance: bool = False


def balanced(part: Examples, seed: int = 0) -> Examples:
    """Return examples with as many of one class as of the other, drawn at random, in order."""
    rng = np.random.default_rng(seed)
    sides = [np.flatnonzero(part.biased == label) for label in (True, False)]
    fewest = min(map(len, sides))
    rows = np.concatenate([rng.permutation(side)[:fewest] for side in sides])
    return examples.some_of(part, np.sort(rows))


def cross_table(sets: Sequence[LabelledSet], make: Make, judging: Judging) -> Iterator[Cell]:
    """Yield a cell for each pair of sets, row by row: what is trained on, then what is tested on.

    Such tables are those of Asthana et al. (2021, tables 5 and 7): a model that is good on the set
    it comes from, and poor on another of the same task, has learnt how the set was made.

    Raises:
        WikibiasError: a set lacks a class, or has too few sentences for the folds.
    """
    for trained in sets:
        for tested in sets:
            yield _cell(trained, tested, make, judging)


def length_only(part: Examples) -> float:
    """Return the ROC-AUC of the number of words alone, whichever way it points; .5 is chance.

    What is far over .5 lets a classifier win without reading a word.
    """
    words = np.array([len(text.split()) for text in part.texts], dtype=float)
    longest = max(1.0, float(words.max(initial=0)))
    found = score(part.biased, Predictions.of(words / longest))["roc_auc"]
    return 0.5 if found is None else max(found, 1 - found)


def _cell(trained: LabelledSet, tested: LabelledSet, make: Make, judging: Judging) -> Cell:
    """Judge one pair of sets; what both share is tested by a model that has not seen it."""
    train, test = trained.train, tested.train if tested.test is None else tested.test
    shared = int(_standing_in(train, test).sum())
    parts = [np.arange(len(test))]
    if shared and tested.test is None:
        parts = _folds(test, judging)
    found, sizes = np.zeros(len(test)), []
    for places in parts:
        held_out = examples.some_of(test, places)
        part = _without(train, held_out)
        part.need_both_labels()
        part = balanced(part, judging.seed) if judging.balance else part
        found[places] = probabilities(fit(make(), part), held_out.texts)
        sizes.append(len(part))
    one_page = test.pages is not None and len(np.unique(test.pages)) < 2
    return Cell(
        train=trained.name,
        test=tested.name,
        trained_on=round(np.mean(sizes)),
        tested_on=len(test),
        shared=0 if trained is tested else shared,
        folds=len(parts),
        scores=score_with_intervals(
            test.biased,
            Predictions.of(found),
            groups=None if one_page else test.pages,
            resamples=judging.resamples,
            seed=judging.seed,
        ),
    )


def _without(train: Examples, test: Examples) -> Examples:
    """Return what of train test has not; of a sentence pair both sides leave."""
    out = _standing_in(train, test)
    if train.groups is not None and train.pages is not None:
        out = np.isin(train.pages, train.pages[out])
    return examples.some_of(train, np.flatnonzero(~out)) if out.any() else train


def _standing_in(train: Examples, test: Examples) -> NDArray[np.bool_]:
    """Return which sentences of train test has, whatever the case and the spaces."""
    ours, known = ([" ".join(t.casefold().split()) for t in part.texts] for part in (train, test))
    tested = set(known)
    return np.array([text in tested for text in ours], dtype=bool)


def _folds(part: Examples, judging: Judging) -> list[NDArray[np.int64]]:
    """Return the places of the sentences that each fold holds out."""
    part.need_both_labels()
    groups = grouping(part, judging.grouped_by)
    if part.groups is not None and part.pages is not None:  # of sentence pairs
        groups = both_groupings(groups, part.pages)
    found = folds(part, groups, judging.folds, judging.seed, judging.grouped_by)
    return [held_out for _, held_out in found]


_PAIRS = "pairs"


def read_sets(
    given: Sequence[str], labels: Mapping[str, bool], warn: Warn, *, balance: bool, seed: int
) -> list[LabelledSet]:
    """Read sets, in their order.

    A PATH is a corpus folder or a file that `classify` reads; with a LABEL what `classify --task
    labels` reads, and of it the sentences judged by that label; with `pairs` sentence pairs, of
    which the source is positive. Of what has a test split, that is tested on. POSITIVE and NEGATIVE
    are texts of a sentence a line. With `balance` as many sentences of the larger class as of the
    other are drawn. Where one set is normalised, as a corpus is, all are.

    Raises:
        UsageError: a set has no name, a name is given twice, or nothing has the label.
        WikibiasError: a file cannot be read, or holds no sentence.
    """
    found: dict[str, Splits] = {}
    for each in given:
        called, equals, where = each.partition("=")
        name, colon, label = called.partition(":")
        if not (equals and name.strip() and where) or (colon and not label):
            raise UsageError(
                f"{each!r}: say NAME=PATH, as in en=corpora/en, NAME:LABEL=PATH or NAME:pairs=PATH"
            )
        if name in found:
            raise UsageError(f"two sets are called {name!r}; give each a name of its own")
        found[name] = _splits(label, where, labels, warn)
    _normalise_alike(found, warn)
    sets = []
    for name, splits in found.items():
        train, test = splits.train, splits.by_name.get("test")
        train.need_both_labels()
        if balance:
            train, test = balanced(train, seed), test and balanced(test, seed)
        sets.append(LabelledSet(name, train, test))
    return sets


def _splits(label: str, where: str, labels: Mapping[str, bool], warn: Warn) -> Splits:
    path = Path(where)
    positive, plus, negative = where.partition("+")
    if not path.exists() and plus and not label:
        (yes, numbers), (no, others) = (_plain(Path(side)) for side in (positive, negative))
        biased = np.arange(len(yes) + len(no)) < len(yes)
        return Splits({"train": Examples(where, yes + no, biased, np.array(numbers + others))})
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if label == _PAIRS:
        return examples.pair_splits(examples.PairFiles({"train": [path]}), warn)
    if label:
        return _with_label(path, label, warn)
    return read_corpus(path, warn) if path.is_dir() else read_files({"train": path}, labels, warn)


def _with_label(path: Path, label: str, warn: Warn) -> Splits:
    """Read the sentences judged by one of several labels."""
    found = read_result(path, warn) if path.is_dir() else read_label_files({"train": path}, warn)
    if label not in found.names:
        raise UsageError(
            f"{path}: no sentence of train has the label {label[:60]!r}; there are "
            f"{', '.join(found.names)}{nearest(label, found.names)}"
        )
    parts = {name: part.of_label(label) for name, part in found.by_name.items()}
    return Splits({name: part for name, part in parts.items() if len(part)}, found.lang)


def _normalise_alike(sets: dict[str, Splits], warn: Warn) -> None:
    """Give all sets the form of a corpus where one has it, since a form tells where one is from."""
    raw = [name for name, splits in sets.items() if not splits.train.normalised]
    if len(raw) in (0, len(sets)):
        return
    lang = next(splits.lang for name, splits in sets.items() if name not in raw)
    normal = reader({"normalised": True, "lang": lang})
    for name in raw:
        parts = {
            split: replace(part, texts=[normal(text) for text in part.texts], normalised=True)
            for split, part in sets[name].by_name.items()
        }
        sets[name] = replace(sets[name], by_name=parts)
    warn(f"normalised {', '.join(raw)}: lower case and no punctuation, as the corpus beside them")


def _plain(path: Path) -> tuple[list[str], list[int]]:
    """Return the sentences of a text, and their lines."""
    found = [(line[:LONGEST], number) for number, line in text_lines(path) if line.strip()]
    if not found:
        raise WikibiasError(f"{path}: no sentence in it")
    return [text for text, _ in found], [number for _, number in found]

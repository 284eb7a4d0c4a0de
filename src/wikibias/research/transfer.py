"""Trains on each of several labelled sets and tests on each: what does one teach of the others?

Such cross tables are those of Asthana et al. (2021, tables 5 and 7): a model that is good on the
set it comes from, and poor on another of the same task, has learnt how the set was made.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Predictions, Table, score_with_intervals
from wikibias.kits.tables import text_lines
from wikibias.messages import nearest
from wikibias.models.estimators.registry import Model, fit, probabilities
from wikibias.models.evaluation.cross_validation import both_groupings, folds, grouping
from wikibias.models.examples import LONGEST, Examples, Splits, Warn, some_of
from wikibias.models.pair_examples import PairFiles, pair_splits
from wikibias.models.prediction import reader
from wikibias.models.reading import read_corpus, read_files, read_label_files, read_result

Make = Callable[[], Model]
Curves = Mapping[str, Sequence[tuple[int, Table]]]
"""Of each set, how many sentences were trained on, and the scores."""
Places = NDArray[np.int64]
LEAST_TO_TRAIN = 20
"""Sentences of train, under which a learning curve has no point."""


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


def balanced(examples: Examples, seed: int = 0) -> Examples:
    """Return examples with as many of one class as of the other, drawn at random, in order."""
    rng = np.random.default_rng(seed)
    sides = [np.flatnonzero(examples.biased == wanted) for wanted in (True, False)]
    fewest = min(map(len, sides))
    return some_of(
        examples, np.sort(np.concatenate([rng.permutation(side)[:fewest] for side in sides]))
    )


def cross_table(
    sets: Sequence[LabelledSet], make: Make, judging: Judging | None = None
) -> Iterator[Cell]:
    """Yield a cell for each pair of sets, row by row: what is trained on, then what is tested on.

    Raises:
        WikibiasError: a set lacks a class, or has too few sentences for the folds.
    """
    how = judging or Judging()
    for trained in sets:
        for tested in sets:
            yield _cell(trained, tested, make, how)


def learning_curve(
    one: LabelledSet, sizes: Sequence[int], make: Make, judging: Judging | None = None
) -> Iterator[tuple[int, Table]]:
    """Yield the scores of models trained on so many sentences, each the first of one shuffle.

    A set without a test set is tested on one fold of it, which no model sees. A size over what
    there is, is what there is.

    Raises:
        WikibiasError: as `cross_table` does.
    """
    how = judging or Judging()
    train, test = one.train, one.test
    if test is None:
        inner, held_out = _folds(train, how)[0]
        train, test = some_of(one.train, inner), some_of(one.train, held_out)
    train = _without(train, test)
    order = np.random.default_rng(how.seed).permutation(len(train))
    for size in dict.fromkeys(min(size, len(train)) for size in sizes):
        part = some_of(train, order[:size])
        if size >= LEAST_TO_TRAIN and part.biased.any() and not part.biased.all():
            model = fit(make(), part)
            yield size, _scores(test, probabilities(model, test.texts), how)


def missing_sizes(sizes: Sequence[int], learning: Curves) -> Iterator[str]:
    """Yield of each set which sizes no curve has: it has fewer sentences, or too few to learn."""
    for name, points in learning.items():
        known = {size for size, _ in points}
        if other := [f"{size:,}" for size in sizes if size not in known]:
            most = f"the largest is {max(known):,}" if known else "it has none"
            yield (
                f"{name}: no learning curve at {', '.join(other)}: {most}; a size needs "
                f"{LEAST_TO_TRAIN} sentences of both classes, and has no more than train"
            )


def length_only(examples: Examples) -> float:
    """Return the ROC-AUC of the number of words alone, whichever way it points; .5 is chance.

    What is far over .5 lets a classifier win without reading a word.
    """
    words = np.array([len(text.split()) for text in examples.texts], dtype=float)
    longest = max(1.0, float(words.max(initial=0)))
    scores = _scores(examples, words / longest, Judging(resamples=0))
    found = scores["roc_auc"]["value"]
    return 0.5 if found is None else max(found, 1 - found)


def as_json(cells: Sequence[Cell], curves: Curves) -> dict[str, Any]:
    """Return cells and learning curves as JSON."""
    return {
        "cells": [asdict(cell) for cell in cells],
        "curves": {
            name: [{"trained_on": size, "scores": scores} for size, scores in points]
            for name, points in curves.items()
        },
    }


def _cell(trained: LabelledSet, tested: LabelledSet, make: Make, how: Judging) -> Cell:
    """Judge one pair of sets; what both share is tested by a model that has not seen it."""
    train, test = trained.train, tested.train if tested.test is None else tested.test
    shared = int(_standing_in(train, test).sum())
    parts = [np.arange(len(test))]
    if shared and tested.test is None:
        parts = [held_out for _, held_out in _folds(test, how)]
    found, sizes = np.zeros(len(test)), []
    for places in parts:
        held_out = some_of(test, places)
        part = _without(train, held_out)
        part.need_both_labels()
        part = balanced(part, how.seed) if how.balance else part
        found[places] = probabilities(fit(make(), part), held_out.texts)
        sizes.append(len(part))
    scores = _scores(test, found, how)
    own = 0 if trained is tested else shared
    return Cell(
        trained.name, tested.name, round(np.mean(sizes)), len(test), own, len(parts), scores
    )


def _without(train: Examples, test: Examples) -> Examples:
    """Return what of train test has not; of a sentence pair both sides leave."""
    out = _standing_in(train, test)
    if train.groups is not None and train.pages is not None:
        out = np.isin(train.pages, train.pages[out])
    return some_of(train, np.flatnonzero(~out)) if out.any() else train


def _standing_in(train: Examples, test: Examples) -> NDArray[np.bool_]:
    """Return which sentences of train test has, whatever the case and the spaces."""
    known = {_key(text) for text in test.texts}
    return np.array([_key(text) in known for text in train.texts], dtype=bool)


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _folds(examples: Examples, how: Judging) -> list[tuple[Places, Places]]:
    examples.need_both_labels()
    kind = how.grouped_by
    groups = grouping(examples, kind)
    if examples.groups is not None and examples.pages is not None:  # of sentence pairs
        groups = both_groupings(groups, examples.pages)
    return folds(examples, groups, how.folds, how.seed, kind)


def _scores(examples: Examples, likely: NDArray[np.float64], how: Judging) -> Table:
    pages = examples.pages
    if pages is not None and len(np.unique(pages)) < 2:
        pages = None
    return score_with_intervals(
        examples.biased,
        Predictions.of(likely),
        groups=pages,
        resamples=how.resamples,
        seed=how.seed,
    )


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
        found[name] = _of_kind(label, where, labels, warn)
    _normalise_alike(found, warn)
    return [_one(name, splits, balance=balance, seed=seed) for name, splits in found.items()]


def _one(name: str, splits: Splits, *, balance: bool, seed: int) -> LabelledSet:
    train, test = splits.train, splits.by_name.get("test")
    train.need_both_labels()
    if balance:
        train, test = balanced(train, seed), test and balanced(test, seed)
    return LabelledSet(name, train, test)


def _of_kind(label: str, where: str, labels: Mapping[str, bool], warn: Warn) -> Splits:
    if not label:
        return _splits(where, labels, warn)
    path = Path(where)
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if label == _PAIRS:
        return pair_splits(PairFiles({"train": [path]}), warn)
    return _with_label(path, label, warn)


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


def _splits(where: str, labels: Mapping[str, bool], warn: Warn) -> Splits:
    path = Path(where)
    if path.is_dir():
        return read_corpus(path, warn)
    if path.exists():
        return read_files({"train": path}, labels, warn)
    positive, plus, negative = where.partition("+")
    if not plus:
        raise UsageError(f"{where}: no such file or folder")
    sides = [_plain(Path(side), warn) for side in (positive, negative)]
    (yes, numbers), (no, others) = sides
    biased = np.arange(len(yes) + len(no)) < len(yes)
    return Splits({"train": Examples(where, yes + no, biased, np.array(numbers + others))})


def _plain(path: Path, warn: Warn) -> tuple[list[str], list[int]]:
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    found = [(number, line) for number, line in text_lines(path) if line.strip()]
    numbers, texts = [number for number, _ in found], [text[:LONGEST] for _, text in found]
    if not texts:
        raise WikibiasError(f"{path}: no sentence in it")
    return texts, numbers

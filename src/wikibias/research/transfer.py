"""Models trained on each of several labelled sets and tested on each: what one teaches of others.

Such cross tables are those of Asthana et al. (2021, tables 5 and 7): a model that is good on the
set it comes from, and poor on another of the same task, has learnt how the set was made.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Predictions, Table, score, score_with_intervals
from wikibias.kits.tables import text_lines
from wikibias.messages import nearest
from wikibias.models.estimators.registry import Model, fit, probabilities
from wikibias.models.evaluation.experiment import both_groupings, folds, grouping
from wikibias.models.examples import (
    LONGEST,
    Examples,
    PairFiles,
    Splits,
    Warn,
    pair_splits,
    some_of,
)
from wikibias.models.prediction import reader
from wikibias.models.reading import read_corpus, read_files, read_label_files, read_result

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


def balanced(examples: Examples, seed: int = 0) -> Examples:
    """Return examples with as many of one class as of the other, drawn at random, in order."""
    rng = np.random.default_rng(seed)
    sides = [np.flatnonzero(examples.biased == label) for label in (True, False)]
    fewest = min(map(len, sides))
    return some_of(
        examples, np.sort(np.concatenate([rng.permutation(side)[:fewest] for side in sides]))
    )


def cross_table(sets: Sequence[LabelledSet], make: Make, judging: Judging) -> Iterator[Cell]:
    """Yield a cell for each pair of sets, row by row: what is trained on, then what is tested on.

    Raises:
        WikibiasError: a set lacks a class, or has too few sentences for the folds.
    """
    for trained in sets:
        for tested in sets:
            yield _cell(trained, tested, make, judging)


def length_only(examples: Examples) -> float:
    """Return the ROC-AUC of the number of words alone, whichever way it points; .5 is chance.

    What is far over .5 lets a classifier win without reading a word.
    """
    words = np.array([len(text.split()) for text in examples.texts], dtype=float)
    longest = max(1.0, float(words.max(initial=0)))
    found = score(examples.biased, Predictions.of(words / longest))["roc_auc"]
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
        held_out = some_of(test, places)
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
    return some_of(train, np.flatnonzero(~out)) if out.any() else train


def _standing_in(train: Examples, test: Examples) -> NDArray[np.bool_]:
    """Return which sentences of train test has, whatever the case and the spaces."""
    ours, known = ([" ".join(t.casefold().split()) for t in part.texts] for part in (train, test))
    tested = set(known)
    return np.array([text in tested for text in ours], dtype=bool)


def _folds(examples: Examples, judging: Judging) -> list[NDArray[np.int64]]:
    """Return the places of the sentences that each fold holds out."""
    examples.need_both_labels()
    groups = grouping(examples, judging.grouped_by)
    if examples.groups is not None and examples.pages is not None:  # of sentence pairs
        groups = both_groupings(groups, examples.pages)
    found = folds(examples, groups, judging.folds, judging.seed, judging.grouped_by)
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
        return pair_splits(PairFiles({"train": [path]}), warn)
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

"""Reads the sets that `cross-evaluate` is given.

They are NAME=PATH, NAME=POSITIVE+NEGATIVE, NAME:LABEL=PATH or NAME:pairs=PATH. The kind of a set
stands before the first `=`, so that no path can be mistaken for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import text_lines
from wikibias.messages import nearest
from wikibias.models.examples import LONGEST, Examples, Splits, Warn
from wikibias.models.pair_examples import PairFiles, pair_splits
from wikibias.models.prediction import reader
from wikibias.models.reading import (
    read_corpus,
    read_files,
    read_label_files,
    read_result,
)
from wikibias.research.transfer import LabelledSet, balanced

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
    column = list(found.names).index(label)
    parts = {name: part.of(column) for name, part in found.by_name.items()}
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

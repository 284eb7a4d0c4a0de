"""Reads the sets that `cross-evaluate` is given: NAME=PATH, or NAME=POSITIVE+NEGATIVE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from wikibias.errors import UsageError, WikibiasError
from wikibias.models.evaluation.cross_dataset import LabelledSet, balanced
from wikibias.models.examples import Examples, Splits, Warn
from wikibias.models.reading import read_corpus, read_files
from wikibias.models.sentence_lines import Tally, numbered_lines


def read_sets(
    given: Sequence[str], labels: Mapping[str, bool], warn: Warn, *, balance: bool, seed: int
) -> list[LabelledSet]:
    """Read sets, in their order.

    A PATH is a corpus folder or a file that `classify` reads; of what has a test split, that is
    tested on. POSITIVE and NEGATIVE are texts of a sentence a line. With `balance` as many
    sentences of the larger class as of the other are drawn.

    Raises:
        UsageError: a set has no name, or a name is given twice.
        WikibiasError: a file cannot be read, or holds no sentence.
    """
    found: dict[str, LabelledSet] = {}
    for each in given:
        name, equals, where = each.partition("=")
        if not (equals and name.strip() and where):
            raise UsageError(f"{each!r}: say NAME=PATH, as in wnc=pairs.tsv")
        if name in found:
            raise UsageError(f"two sets are called {name!r}; give each a name of its own")
        splits = _splits(where, labels, warn)
        train, test = splits.train, splits.by_name.get("test")
        train.need_both_labels()
        if balance:
            train, test = balanced(train, seed), test and balanced(test, seed)
        found[name] = LabelledSet(name, train, test)
    return list(found.values())


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
    texts, numbers, left_out = [], [], Tally(path, warn)
    for number, line in numbered_lines(path):
        if left_out.takes(line, number):
            texts.append(line)
            numbers.append(number)
    left_out.report()
    if not texts:
        raise WikibiasError(f"{path}: no sentence in it")
    return texts, numbers

"""Labelled sentences of sentence pairs: the source of each is biased, its target neutral."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from wikibias.corpus.sentence_pairs.reading import PairText, read_pairs
from wikibias.errors import WikibiasError
from wikibias.messages import counted
from wikibias.models.examples import LONGEST, Examples, Splits, Warn, key
from wikibias.models.reading import SPLIT_NAMES


@dataclass(frozen=True, slots=True)
class PairFiles:
    """Files of pairs for train, dev and test.

    `source`, `target` and `group` name the columns; see `read_pairs`.
    """

    by_split: Mapping[str, Sequence[Path]]
    source: str | None = None
    target: str | None = None
    group: str | None = None

    def read(self, path: Path, warn: Warn) -> Iterator[PairText]:
        """Yield the pairs of a file."""
        return read_pairs(path, source=self.source, target=self.target, group=self.group, warn=warn)


def pair_splits(files: PairFiles, warn: Warn) -> Splits:
    """Read pairs as labelled sentences, two of each, and clear train of what tests it.

    Pairs leave train whose sides are the same but for case and marks, which came before, or of
    which a side stands in dev or in test. One file alone is split by its column `split`, where it
    has one.

    Raises:
        UsageError: a file is not there, or lacks a column.
        WikibiasError: a row cannot be read, or nothing is left of a split.
    """
    pairs = _by_split(files, warn)
    held_out = chain.from_iterable(part for name, part in pairs.items() if name != "train")
    pairs["train"] = _cleared(pairs["train"], held_out, warn)
    numbers: dict[tuple[str, str], int] = {}
    found = {}
    first = 0
    for name, part in pairs.items():
        if not part:
            raise WikibiasError(f"{_called(files, name)}: no pair is left in it")
        found[name] = _examples(_called(files, name), part, numbers, first)
        first += len(part)
    return Splits(found)


def _by_split(files: PairFiles, warn: Warn) -> dict[str, list[PairText]]:
    found = {
        name: [
            pair
            for path in files.by_split[name]
            for pair in files.read(path, warn)
            if max(len(pair.source), len(pair.target)) <= LONGEST
        ]
        for name in ("train", "dev", "test")
        if files.by_split.get(name)
    }
    known = {SPLIT_NAMES.get(pair.split or "") for pair in found["train"]}
    if len(found) > 1 or not known <= {*SPLIT_NAMES.values()} or len(known) < 2:
        return found
    apart: dict[str, list[PairText]] = {}
    for name in ("train", "dev", "test"):
        part = [pair for pair in found["train"] if SPLIT_NAMES[pair.split or ""] == name]
        if part or name == "train":
            apart[name] = part
    return apart


def _cleared(pairs: Sequence[PairText], held_out: Iterable[PairText], warn: Warn) -> list[PairText]:
    """Return the pairs to learn from, and warn of those left out, by reason."""
    known = {key(text) for pair in held_out for text in (pair.source, pair.target)}
    seen: set[tuple[str, str]] = set()
    left_out, kept = Counter[str](), []
    for pair in pairs:
        both = key(pair.source), key(pair.target)
        if both[0] == both[1]:
            left_out["whose sides are the same"] += 1
        elif not known.isdisjoint(both):
            left_out["with a sentence of dev or test"] += 1
        elif both in seen:
            left_out["that came before"] += 1
        else:
            seen.add(both)
            kept.append(pair)
    for reason, number in left_out.items():
        warn(f"left out of train: {counted(number, 'pair')} {reason}")
    return kept


def _called(files: PairFiles, split: str) -> str:
    """Return what messages call a split."""
    paths = files.by_split.get(split)
    return " + ".join(map(str, paths)) if paths else f"{files.by_split['train'][0]} ({split})"


def _examples(
    name: str, pairs: Sequence[PairText], numbers: dict[tuple[str, str], int], first: int
) -> Examples:
    """Return both sides of each pair, one after the other; the edit of the first is `first`.

    `numbers` holds the groups of all splits, so that one in two splits is seen to be there.
    """
    edits = [first + place for place in range(len(pairs)) for _ in range(2)]
    groups = []
    for place, pair in enumerate(pairs):
        label = ("pair", f"{name}:{place}") if pair.group is None else ("group", pair.group)
        groups += [numbers.setdefault(label, len(numbers))] * 2
    return Examples(
        name=name,
        texts=[*chain.from_iterable((pair.source, pair.target) for pair in pairs)],
        biased=np.tile([True, False], len(pairs)),
        rows=np.repeat([pair.row for pair in pairs], 2),
        pages=np.array(groups, dtype=np.int64),
        edits=np.array(edits, dtype=np.int64),
        roles=["removed", "added"] * len(pairs),
        groups=[pair.group or "" for pair in pairs for _ in range(2)],
        ids=[f"{pair.pair_id}-{side}" for pair in pairs for side in ("source", "target")],
    )

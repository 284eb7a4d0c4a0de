"""Labelled sentences, of one label or several, their splits, and warnings of overlap.

Of sentence pairs, the source of each is biased, its target neutral.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.corpus.sentence_pairs.reading import PairText, read_pairs
from wikibias.errors import UsageError, WikibiasError, counted

LABELS: Mapping[str, bool] = {"biased": True, "neutral": False}
"""Label -> whether it means biased."""
SPLIT_NAMES: Mapping[str, str] = {
    "train": "train",
    "dev": "dev",
    "validation": "dev",
    "valid": "dev",
    "test": "test",
}
"""What a split may be called -> what we call it."""
LONGEST = 20_000
"""Characters. A longer "sentence" is a file without line breaks; its n-grams would take minutes."""
_SHOWN = 5
Warn = Callable[[str], None]
"""Shows the user one line: what was skipped is counted, not silently dropped."""


Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Examples:
    """Labelled sentences. All sequences have one entry for each sentence.

    `name` is the file they came from, `rows` the line (or row) there, counted from 1. Of a corpus,
    `pages` and `edits` hold the ids of each sentence's page and edit, `roles` its role (removed,
    added or unchanged), `ids` what names it, and `urls` the addresses of its edit; else None.
    `confidence` is the probability of each label, where the table has it, and `weights` how much
    each sentence counts in training; else None. `normalised` says that the sentences are in the
    normal form of a corpus. Of pairs, `groups` names what keeps each pair together with others, and
    `pages` numbers it.

    Of several labels, `labels` says which each sentence has and `judged` of which that is known
    (both sentences by labels, in the order of `names`); `biased` are those with any.
    """

    name: str
    texts: list[str]
    biased: Flags
    rows: NDArray[np.int64]
    pages: NDArray[np.int64] | None = None
    edits: NDArray[np.int64] | None = None
    roles: list[str] | None = None
    ids: Sequence[str] | None = None
    urls: Sequence[str] | None = None
    normalised: bool = False
    groups: Sequence[str] | None = None
    confidence: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    names: tuple[str, ...] = ()
    labels: Flags = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    judged: Flags = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))

    def __len__(self) -> int:
        return len(self.texts)

    def need_both_labels(self) -> None:
        """Raise WikibiasError if a label is missing, so that a classifier could not learn."""
        for label, wanted in LABELS.items():
            if not np.any(self.biased == wanted):
                raise WikibiasError(
                    f"{self.name}: none of its {counted(len(self), 'sentence')} is labelled "
                    f"{label}; training needs both classes"
                )

    def of_label(self, name: str) -> Examples:
        """Return the sentences judged by one of several labels, biased where they have it."""
        column = self.names.index(name)
        rows = np.flatnonzero(self.judged[:, column])
        return replace(some_of(self, rows), biased=self.labels[rows, column], names=())


def _columns(examples: Examples) -> dict[str, Any]:
    """Return what of examples has an entry for each sentence, by name; what is unknown is None."""
    single = {"name", "normalised", "names", *(() if examples.names else ("labels", "judged"))}
    names = (each.name for each in fields(examples) if each.name not in single)
    return {name: getattr(examples, name) for name in names}


def some_of(examples: Examples, rows: NDArray[np.int64]) -> Examples:
    """Return some sentences of a split, by their places, in this order."""
    found: dict[str, Any] = {
        name: column[rows]
        if isinstance(column, np.ndarray)
        else [column[row] for row in rows.tolist()]
        for name, column in _columns(examples).items()
        if column is not None
    }
    return replace(examples, **found)


def pooled(parts: Sequence[Examples]) -> Examples:
    """Join splits; pages, edits and the like are known only if every split knows them."""
    found: dict[str, Any] = {}
    for name, first in _columns(parts[0]).items():
        columns = [getattr(part, name) for part in parts]
        if any(column is None for column in columns):
            found[name] = None
        elif isinstance(first, np.ndarray):
            found[name] = np.concatenate(columns)
        else:
            found[name] = [*chain.from_iterable(columns)]
    return replace(parts[0], name=" + ".join(part.name for part in parts), **found)


@dataclass(frozen=True, slots=True)
class Splits:
    """The existing splits by name, in the order train, dev, test; and what is known of them.

    `lang` is the language of a corpus, `corpus` what its manifest says of it, for people: what it
    is called, and what it is.
    """

    by_name: Mapping[str, Examples] = field(default_factory=dict)
    lang: str | None = None
    corpus: Mapping[str, str] = field(default_factory=dict)

    @property
    def train(self) -> Examples:
        """The sentences to learn from."""
        return self.by_name["train"]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of several labels; none of one label."""
        return self.train.names

    def held_out(self) -> Iterator[tuple[str, Examples]]:
        """Yield the splits to evaluate on: dev and test, if they exist."""
        yield from ((name, part) for name, part in self.by_name.items() if name != "train")


def weighted(splits: Splits) -> Splits:
    """Return the splits with the confidence of each sentence of train as its weight.

    Raises:
        UsageError: nothing tells the confidence of a sentence.
    """
    train = splits.train
    known = train.confidence
    if known is None or not np.all((known >= 0) & (known <= 1)) or not known.any():
        raise UsageError(
            f"--weighted: {train.name} has no column confidence from 0 to 1; make the corpus again "
            "with `wikibias extract`, or leave the option out"
        )
    return replace(splits, by_name={**splits.by_name, "train": replace(train, weights=known)})


def warn_of_one_class(splits: Splits, warn: Warn) -> None:
    """Warn of a held-out split with one label only, on which most metrics mean nothing."""
    for _, part in splits.held_out():
        if part.biased.all() or not part.biased.any():
            label = "biased" if part.biased.all() else "neutral"
            every = f"every one of its {counted(len(part), 'sentence')}"
            warn(f"{part.name}: {every} is {label}; MCC and ROC-AUC mean nothing there")


def warn_of_overlap(splits: Splits, warn: Warn) -> None:
    """Warn of sentences that are in two splits; give their number and the first one's place."""
    seen: dict[str, tuple[str, int]] = {}
    for part in splits.by_name.values():
        shared: dict[str, list[str]] = {}
        for text, row in zip(part.texts, part.rows, strict=True):
            name, first = seen.get(text, (part.name, 0))
            if name != part.name:
                shared.setdefault(name, []).append(f"{part.name}:{row} = {name}:{first}")
        for name, places in shared.items():
            warn(
                f"{part.name} shares {counted(len(places), 'sentence')} with {name} "
                f"(first: {places[0]}); "
                "`wikibias audit leakage` measures the leakage"
            )
        for text, row in zip(part.texts, part.rows, strict=True):
            seen.setdefault(text, (part.name, int(row)))


def warn_of_shared_pages(splits: Splits, warn: Warn) -> None:
    """Warn of held-out splits with pages of train, as a split by sentence has, or with its groups.

    Groups are those of pairs, which `audit leakage` cannot read.
    """
    pages, groups = splits.train.pages, splits.train.groups
    sharing = [
        name
        for name, part in splits.held_out()
        if pages is not None and part.pages is not None and np.isin(part.pages, pages).any()
    ]
    if not sharing:
        return
    if groups is None:
        share = "shares" if len(sharing) == 1 else "share"
        warn(f"{' and '.join(sharing)} {share} pages with train; see `wikibias audit leakage`")
        return
    known = {*groups} - {""}
    for name in sharing:
        shared = [group for group in splits.by_name[name].groups or () if group in known]
        distinct = [*dict.fromkeys(shared)]
        first = ", ".join(distinct[:_SHOWN]) + (", ..." if len(distinct) > _SHOWN else "")
        warn(
            f"{name} shares {counted(len(distinct), 'group')} of pairs (page or revision) with "
            f"train: {first}; {counted(len(shared) // 2, 'pair')} of {name} are of them. Pairs of "
            "one edit are alike, so scores are too good. Take these groups out of a file, or judge "
            "with --cv group"
        )


def without_known(first: Examples, splits: Splits, warn: Warn) -> Examples:
    """Return the sentences that are in no split, compared by letters and digits alone.

    Raises:
        WikibiasError: none is left.
    """
    known = {key(text) for part in splits.by_name.values() for text in part.texts}
    kept = [place for place, text in enumerate(first.texts) if key(text) not in known]
    if not kept:
        raise WikibiasError(f"{first.name}: every sentence of it is in train, dev or test, too")
    if left := len(first) - len(kept):
        warn(
            f"{first.name}: left out {counted(left, 'sentence')} that train, dev or test hold, too"
        )
    return some_of(first, np.array(kept, dtype=np.int64))


def key(text: str) -> str:
    """Return what two forms of one sentence have in common: its letters and digits, lower case."""
    return "".join(filter(str.isalnum, text.casefold()))


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

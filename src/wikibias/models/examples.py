"""Labelled sentences, of one label or several, their splits, and warnings of overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.messages import counted

LABELS: Mapping[str, bool] = {"biased": True, "neutral": False}
"""Label -> whether it means biased."""
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
    `normalised` says that the sentences are in the normal form of a corpus. Of pairs, `groups`
    names what keeps each pair together with others, and `pages` numbers it.

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

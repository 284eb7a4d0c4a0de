"""Labelled sentences, of one label or several, their splits, and warnings of overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

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


@dataclass(frozen=True, slots=True)
class Examples:
    """Labelled sentences. All sequences have one entry for each sentence.

    `name` is the file they came from, `rows` the line (or row) there, counted from 1. Of a corpus,
    `pages` and `edits` hold the ids of each sentence's page and edit, `roles` its role (removed,
    added or unchanged), `ids` what names it, and `urls` the addresses of its edit; else None.
    `normalised` says that the sentences are in the normal form of a corpus. Of pairs, `groups`
    names what keeps each pair together with others, and `pages` numbers it.
    """

    name: str
    texts: list[str]
    biased: NDArray[np.bool_]
    rows: NDArray[np.int64]
    pages: NDArray[np.int64] | None = None
    edits: NDArray[np.int64] | None = None
    roles: list[str] | None = None
    ids: Sequence[str] | None = None
    urls: Sequence[str] | None = None
    normalised: bool = False
    groups: Sequence[str] | None = None

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


def some_of(examples: Examples, rows: NDArray[np.int64]) -> Examples:
    """Return some sentences of a split, by their places, in this order."""

    def of(column: Sequence[str] | None) -> list[str] | None:
        return None if column is None else [column[row] for row in rows.tolist()]

    return replace(
        examples,
        texts=[examples.texts[row] for row in rows.tolist()],
        biased=examples.biased[rows],
        rows=examples.rows[rows],
        pages=None if examples.pages is None else examples.pages[rows],
        edits=None if examples.edits is None else examples.edits[rows],
        roles=of(examples.roles),
        ids=of(examples.ids),
        urls=of(examples.urls),
        groups=of(examples.groups),
    )


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


def sharing_pages_with_train(splits: Splits) -> list[str]:
    """Return the names of the held-out splits with a page of train, where pages are known."""
    known = splits.train.pages
    return [
        name
        for name, part in splits.held_out()
        if known is not None and part.pages is not None and np.isin(part.pages, known).any()
    ]


def warn_of_shared_pages(splits: Splits, warn: Warn) -> None:
    """Warn of held-out splits with pages of train, as a split by sentence has, or with its groups.

    Groups are those of pairs, which `audit leakage` cannot read.
    """
    names = sharing_pages_with_train(splits)
    if names and splits.train.groups is not None:
        for name in names:
            warn(_shared_groups(name, splits))
    elif names:
        share = "shares" if len(names) == 1 else "share"
        warn(f"{' and '.join(names)} {share} pages with train; see `wikibias audit leakage`")


def _shared_groups(name: str, splits: Splits) -> str:
    """Say which groups of pairs a split has in common with train."""
    part = splits.by_name[name]
    known = {*(splits.train.groups or ())}
    shared = [group for group in part.groups or () if group and group in known]
    groups = [*dict.fromkeys(shared)]
    shown = ", ".join(groups[:_SHOWN]) + (", ..." if len(groups) > _SHOWN else "")
    return (
        f"{name} shares {counted(len(groups), 'group')} of pairs (page or revision) with train: "
        f"{shown}; {counted(len(shared) // 2, 'pair')} of {name} are of them. Pairs of one edit "
        "are alike, so scores are too good. --exclude takes out sentences, not groups: take these "
        "groups out of a file, or judge with --cv group"
    )


@dataclass(frozen=True, slots=True)
class LabelledExamples:
    """Sentences, which labels each has, and by which it is judged.

    Attributes:
        examples: the sentences, where they come from, and as `biased` whether each has any label.
        labels: which labels each has, sentences by labels.
        judged: of which labels that is known, likewise.
    """

    examples: Examples
    labels: NDArray[np.bool_]
    judged: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.examples)

    def rows(self, chosen: NDArray[np.int64]) -> LabelledExamples:
        """Return some of the sentences, by their places."""
        return LabelledExamples(
            some_of(self.examples, chosen), self.labels[chosen], self.judged[chosen]
        )

    def of(self, column: int) -> Examples:
        """Return the sentences judged by a label, as a split of sentences with and without it."""
        rows = np.flatnonzero(self.judged[:, column])
        return replace(some_of(self.examples, rows), biased=self.labels[rows, column])


@dataclass(frozen=True, slots=True)
class LabelledSplits:
    """Splits of sentences with several labels.

    Attributes:
        names: of the labels, in order.
        by_name: the splits, in the order train, dev, test.
        lang: of a corpus.
        corpus: what is known of a corpus, for people.
    """

    names: Sequence[str]
    by_name: Mapping[str, LabelledExamples]
    lang: str | None = None
    corpus: Mapping[str, str] = field(default_factory=dict)

    @property
    def plain(self) -> Splits:
        """The splits without their labels; biased is what has any."""
        parts = {name: part.examples for name, part in self.by_name.items()}
        return Splits(parts, self.lang, self.corpus)

    def held_out(self) -> Mapping[str, LabelledExamples]:
        """Return the splits to judge on."""
        return {name: part for name, part in self.by_name.items() if name != "train"}


def pooled(splits: LabelledSplits, everything: Examples) -> LabelledExamples:
    """Return all splits as one; `everything` is their sentences, joined."""
    parts = splits.by_name.values()
    return LabelledExamples(
        everything,
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.judged for part in parts]),
    )


def places_of_new(first: Examples, splits: Splits, warn: Warn) -> NDArray[np.int64]:
    """Return the places of the sentences that are in no split, by letters and digits alone.

    Raises:
        WikibiasError: none is left.
    """
    known = {_key(text) for part in splits.by_name.values() for text in part.texts}
    kept = [place for place, text in enumerate(first.texts) if _key(text) not in known]
    if not kept:
        raise WikibiasError(f"{first.name}: every sentence of it is in train, dev or test, too")
    if left := len(first) - len(kept):
        warn(
            f"{first.name}: left out {counted(left, 'sentence')} that train, dev or test hold, too"
        )
    return np.array(kept, dtype=np.int64)


def _key(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())

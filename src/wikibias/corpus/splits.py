"""Which split each sentence goes to: pages stay whole, and so do groups of near-duplicates."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from wikibias.config.choices import SPLITS
from wikibias.config.thresholds import Build
from wikibias.corpus.candidates import Candidates, Choice, Ints

LEFT_OUT = -1


class Dealt(NamedTuple):
    """The number of a page's split, and in which build, counted from 1, it was dealt."""

    split: int
    build: int


# By wiki and page id.
PageSplits = Mapping[tuple[str, int], Dealt]


def split_of(
    candidates: Candidates,
    chosen: Ints,
    choice: Choice,
    rng: np.random.Generator,
    known: PageSplits | None = None,
) -> tuple[Ints, PageSplits, Ints | None]:
    """Deal the chosen candidates, and with them all others of their pages.

    Pages that are `known` stay where they were, and the others are dealt so that the shares come
    near those that are wanted.

    Returns:
        The number of the split of each candidate, or LEFT_OUT; the splits of the known pages and
        of those of the chosen; and in which build the page of each candidate was dealt, 0 for none.
        By sentence no page is dealt.
    """
    split = np.full(len(candidates.form), LEFT_OUT, np.int64)
    wanted = _shares(choice.shares)
    if choice.split_by == "sentence":
        edges = np.round(np.cumsum(wanted) * len(chosen)).astype(np.int64)
        split[rng.permutation(chosen)] = np.searchsorted(
            edges, np.arange(len(chosen)), side="right"
        )
        return split, {}, None
    known = known or {}
    now = 1 + max((dealt.build for dealt in known.values()), default=0)
    pages, sizes = np.unique(candidates.page[chosen], return_counts=True)
    of_page = np.full((len(candidates.pages), 2), (LEFT_OUT, 0), np.int64)
    for page, named in enumerate(candidates.pages):
        if named in known:
            of_page[page, 1] = known[named].build
    left = wanted * len(chosen)
    kept = [known.get(candidates.pages[page]) for page in pages.tolist()]
    for page, size, dealt in zip(pages, sizes, kept, strict=True):
        if dealt is not None:
            of_page[page] = dealt
            left[dealt.split] -= size
    free = (number for number in rng.permutation(len(pages)) if kept[number] is None)
    for number, dealt_to in _fill(free, sizes, left):
        of_page[pages[number]] = dealt_to, now
    dealt_now = {candidates.pages[page]: Dealt(*of_page[page].tolist()) for page in pages.tolist()}
    of_candidates = of_page[candidates.page]
    return of_candidates[:, 0], {**dealt_now, **known}, of_candidates[:, 1]


def _shares(shares: Build) -> np.ndarray[Any, Any]:
    return np.array([shares.train, shares.dev, shares.test])


def deal(sizes: Ints, shares: Build, rng: np.random.Generator) -> Ints:
    """Return the number of the split of each page, so that the shares come near those wanted.

    Args:
        sizes: how many rows each page has.
        shares: the shares that are wanted.
        rng: gives the order in which pages are dealt.
    """
    split = np.full(len(sizes), LEFT_OUT, np.int64)
    left = _shares(shares) * sizes.sum()
    for number, dealt_to in _fill(rng.permutation(len(sizes)), sizes, left):
        split[number] = dealt_to
    return split


def _fill(
    order: Iterable[int], sizes: Ints, left: np.ndarray[Any, Any]
) -> Iterator[tuple[int, int]]:
    """Yield numbers of pages in an order, each with the split that lacks most rows then."""
    for number in order:
        dealt_to = int(np.argmax(left))
        left[dealt_to] -= sizes[number]
        yield number, dealt_to


def main_split(split: Ints, group: Ints, build: Ints | None = None) -> Ints:
    """Return, for each sentence, the split that most of its group are in; of equal ones the first.

    Args:
        split: the number of the split of each sentence; LEFT_OUT counts for none.
        group: the number of the group of each sentence.
        build: in which build the page of each was dealt. Those of the first one decide, so that
            what is new does not push out what was there.
    """
    counts = np.zeros((len(group), len(SPLITS)), np.int64)
    there = split != LEFT_OUT
    if build is not None:
        first = np.full(len(group), np.iinfo(np.int64).max)
        np.minimum.at(first, group[there], build[there])
        there &= build == first[group]
    np.add.at(counts, (group[there], split[there]), 1)
    most: Ints = np.argmax(counts, axis=1)
    return np.asarray(most[group], np.int64)

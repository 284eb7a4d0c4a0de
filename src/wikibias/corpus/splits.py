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
) -> Ints:
    """Return, for each candidate, the number of its split, or LEFT_OUT.

    By page, all candidates of a page of a chosen one get its split. Pages that are `known` stay
    where they were, and the others are dealt so that the shares come near those that are wanted.
    """
    split = np.full(len(candidates.form), LEFT_OUT, np.int64)
    shares = choice.shares
    wanted = np.array([shares.train, shares.dev, shares.test])
    if choice.split_by == "sentence":
        edges = np.round(np.cumsum(wanted) * len(chosen)).astype(np.int64)
        split[rng.permutation(chosen)] = np.searchsorted(
            edges, np.arange(len(chosen)), side="right"
        )
        return split
    pages, sizes = np.unique(candidates.page[chosen], return_counts=True)
    of_page = np.full(int(candidates.page.max(initial=-1)) + 1, LEFT_OUT, np.int64)
    left = wanted * len(chosen)
    kept = [known.get(candidates.pages[page]) if known else None for page in pages.tolist()]
    for page, size, dealt in zip(pages, sizes, kept, strict=True):
        if dealt is not None:
            of_page[page] = dealt.split
            left[dealt.split] -= size
    free = (number for number in rng.permutation(len(pages)) if kept[number] is None)
    for number, dealt_to in _fill(free, sizes, left):
        of_page[pages[number]] = dealt_to
    return of_page[candidates.page] if len(of_page) else split


def deal(sizes: Ints, shares: Build, rng: np.random.Generator) -> Ints:
    """Return the number of the split of each page, so that the shares come near those wanted.

    Args:
        sizes: how many rows each page has.
        shares: the shares that are wanted.
        rng: gives the order in which pages are dealt.
    """
    split = np.full(len(sizes), LEFT_OUT, np.int64)
    left = np.array([shares.train, shares.dev, shares.test]) * sizes.sum()
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


def dealt_pages(
    candidates: Candidates, chosen: Ints, split: Ints, known: PageSplits
) -> dict[tuple[str, int], Dealt]:
    """Return the splits of the known pages and of the pages of the chosen sentences."""
    build = 1 + max((dealt.build for dealt in known.values()), default=0)
    pages, first = np.unique(candidates.page[chosen], return_index=True)
    splits = split[chosen[first]].tolist()
    dealt = {
        candidates.pages[page]: Dealt(number, build)
        for page, number in zip(pages.tolist(), splits, strict=True)
    }
    return {**dealt, **known}


def builds_of(candidates: Candidates, pages: PageSplits) -> Ints:
    """Return, for each candidate, in which build its page was dealt; 0 where it was in none."""
    none = Dealt(LEFT_OUT, 0)
    of_page = np.array([pages.get(page, none).build for page in candidates.pages], np.int64)
    return of_page[candidates.page] if len(of_page) else np.zeros(len(candidates.form), np.int64)


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

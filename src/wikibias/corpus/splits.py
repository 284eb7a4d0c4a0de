"""Splits of sentences: pages stay whole, and so do groups of near-duplicates.

Two texts are near-duplicates when they share most of their runs of five characters. How many they
share is estimated from a signature of 80 bytes (MinHash); texts whose signatures agree in four
bytes running, at any of twenty places, are compared. It costs a sort for each of these places.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wikibias.config import choices, thresholds
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


def _shares(shares: thresholds.Build) -> np.ndarray[Any, Any]:
    return np.array([shares.train, shares.dev, shares.test])


def deal(sizes: Ints, shares: thresholds.Build, rng: np.random.Generator) -> Ints:
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
    counts = np.zeros((len(group), len(choices.SPLITS)), np.int64)
    there = split != LEFT_OUT
    if build is not None:
        first = np.full(len(group), np.iinfo(np.int64).max)
        np.minimum.at(first, group[there], build[there])
        there &= build == first[group]
    np.add.at(counts, (group[there], split[there]), 1)
    most: Ints = np.argmax(counts, axis=1)
    return np.asarray(most[group], np.int64)


SIMILARITY = 0.6
"""Share of their runs of characters from which two texts are near-duplicates (Jaccard index)."""
_RUN = 5
_HASHES, _BAND = 80, 4
# Two different hashes agree in one byte of 256 by chance.
_AGREEING = round(_HASHES * (SIMILARITY + (1 - SIMILARITY) / 256))
_TOGETHER = 256
# How many earlier texts of the same band a text is compared with.
_NEIGHBOURS = 4
# Of a text longer than any sentence only the beginning counts.
_LONGEST = 2_000
# One and the same for all runs: a signature must not depend on the seed of the corpus.
_DRAWN = np.random.Generator(np.random.PCG64(1)).integers(0, 2**32, (2, _HASHES), np.uint32)
_FACTORS, _ADDENDS = _DRAWN[0] | 1, _DRAWN[1]
_PRIME = 0x100000001B3
Bytes = NDArray[np.uint8]


def minhash_groups(texts: Iterable[str], count: int) -> Ints:
    """Return the group of each of `count` texts: the first that near-duplicates link it with."""
    signed = np.zeros((count, _HASHES), np.uint8)
    start, rest = 0, iter(texts)
    while batch := list(islice(rest, _TOGETHER)):
        signed[start : start + len(batch)] = _signed(batch)
        start += len(batch)
    least = np.arange(count)
    for start in range(0, _HASHES, _BAND):
        links = list(_near(signed, start))
        if links:
            left, right = (np.concatenate([pair[side] for pair in links]) for side in (0, 1))
            least = _joined(least, left, right)
    return least


def _signed(texts: list[str]) -> Bytes:
    """Return the signatures of a few texts: of each hash, a byte of its least value."""
    padded = [text[:_LONGEST].ljust(_RUN) for text in texts]
    lengths = np.array([len(text) for text in padded])
    encoded = "".join(padded).encode("utf-32-le", "surrogatepass")
    letters = np.frombuffer(encoded, np.uint32).astype(np.uint64)
    runs = letters[: len(letters) - _RUN + 1].copy()
    for place in range(1, _RUN):
        runs = runs * np.uint64(_PRIME) + letters[place : len(letters) - _RUN + 1 + place]
    # A run must not reach into the next text.
    ends = np.cumsum(lengths)
    inside = np.ones(len(letters), np.bool_)
    for back in range(1, _RUN):
        inside[ends - back] = False
    runs = runs[inside[: len(runs)]]
    runs ^= runs >> np.uint64(33)
    runs *= np.uint64(0xFF51AFD7ED558CCD)
    hashed = (runs >> np.uint64(32)).astype(np.uint32)
    starts = np.concatenate([[0], np.cumsum(lengths - _RUN + 1)[:-1]])
    found = np.empty((len(texts), _HASHES), np.uint8)
    for number, (factor, addend) in enumerate(zip(_FACTORS, _ADDENDS, strict=True)):
        least = np.minimum.reduceat(hashed * factor + addend, starts)
        found[:, number] = (least * np.uint32(0x9E3779B1)) >> np.uint32(24)
    return found


def _near(signed: Bytes, start: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield near-duplicates among texts that agree in one band, as two arrays.

    Each is compared with a few before it and with the first, so that the cost stays a straight
    line where all texts are alike.
    """
    band = np.ascontiguousarray(signed[:, start : start + _BAND]).view(np.uint32).ravel()
    order = np.argsort(band, kind="stable")
    keys = band[order]
    first = np.searchsorted(keys, keys)
    here = np.arange(len(order))
    for place in (*(here - back for back in range(1, _NEIGHBOURS + 1)), first):
        alike = np.flatnonzero((place >= first) & (place < here))
        left, right = order[place[alike]], order[alike]
        for at in range(0, len(left), 1 << 16):
            one, other = left[at : at + (1 << 16)], right[at : at + (1 << 16)]
            near = np.count_nonzero(signed[one] == signed[other], axis=1) >= _AGREEING
            yield one[near], other[near]


def _joined(least: Ints, left: Ints, right: Ints) -> Ints:
    """Return, for each number, the least one that it leads to, with further links.

    Args:
        least: the same without them.
        left: one end of each link.
        right: the other.
    """
    least = least.copy()
    while True:
        low = np.minimum(least[left], least[right])
        before = least.copy()
        for side in (left, right):
            np.minimum.at(least, before[side], low)
        # Follow each to the end of its chain.
        while not np.array_equal(least, further := least[least]):
            least = further
        if np.array_equal(least, before):
            return least

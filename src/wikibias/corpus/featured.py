"""Sentences of featured articles, one for each positive that is as long and on a like topic."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.text.segmentation import is_unspaced

DIMENSIONS = 256
Vectors = NDArray[np.float32]
_REMEMBERED = 1 << 16


class Topics:
    """Collects the words of pages, which are numbered from 0."""

    def __init__(self) -> None:
        self._rows: list[NDArray[np.float32]] = []

    def add(self, page: int, norm: str) -> None:
        """Add a sentence of a page, in its normal form."""
        while len(self._rows) <= page:
            self._rows.append(np.zeros(DIMENSIONS, np.float32))
        places = [_place(word) for word in _words(norm)]
        if places:
            numbers, signs = zip(*places, strict=True)
            self._rows[page] += np.bincount(numbers, signs, DIMENSIONS).astype(np.float32)

    def vectors(self, pages: int) -> Vectors:
        """Return a row of length 1 for each of so many pages, of zeros for one without words."""
        rows = np.zeros((pages, DIMENSIONS), np.float32)
        for page, row in enumerate(self._rows):
            rows[page] = row
        rows = _unit(rows)
        known = np.any(rows, axis=1)
        if known.sum() > 1:
            rows[known] -= rows[known].mean(axis=0)
        return _unit(rows)


def _unit(rows: Vectors) -> Vectors:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Vectors = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return found


def _words(norm: str) -> Sequence[str]:
    """Return the words of a sentence; pairs of letters where a script has no spaces."""
    if is_unspaced(norm):
        return [norm[at : at + 2] for at in range(len(norm) - 1)]
    return norm.split()


@lru_cache(_REMEMBERED)
def _place(word: str) -> tuple[int, int]:
    """Return which number of the vector a word counts in, and its sign."""
    digest = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest())
    return (digest >> 1) % DIMENSIONS, 1 if digest & 1 else -1


Ints = NDArray[np.int64]
Integers = NDArray[np.integer[Any]]
NONE = -1
"""Stands for a positive without a negative."""
# Two lengths are the same where they differ by less than this factor.
_SAME_LENGTH = 1.1
# How many such steps a negative may be from its positive.
_STEPS = 4
# An article gives at most so many times an equal share, unless others run out.
_TIMES_A_SHARE = 2
# So many of the most similar articles are asked in turn, then any.
_NEAREST = 50
# Pages to compare with the featured ones at once.
_AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences as numbers, one entry each.

    Attributes:
        words: how many words it has, as `text.segmentation.words` counts them.
        page: the number of its page: a row of the topics.
        section: any number that tells the sections of a page apart; not needed of positives.
    """

    words: Integers
    page: Integers
    section: Integers | None = None


def negatives(
    positives: Sentences, candidates: Sentences, topics: Vectors, rng: np.random.Generator
) -> Ints:
    """Return for each positive the number of the candidate that is its negative, or NONE.

    No candidate is taken twice. Takes memory for each sentence and for each page, not for pairs.

    Args:
        positives: for which negatives are wanted.
        candidates: sentences of featured articles that may be taken; for citation, those without
            a reference (Asthana et al. 2021, section 5.2).
        topics: a row for each page, see `topics.Topics`.
        rng: decides among those that are alike, and in which order positives choose.
    """
    found = np.full(len(positives.words), NONE, np.int64)
    if not len(candidates.words):
        return found
    stock = _Stock(candidates, rng)
    near = _nearest(positives, candidates, topics)
    lengths, left = _bins(positives.words), rng.permutation(len(found))
    for length in _tried(lengths):
        most = max(1, math.ceil(_TIMES_A_SHARE * len(found) / stock.pages))
        while len(left):
            for number in left.tolist():
                around = near[int(positives.page[number])]
                found[number] = stock.taken(int(length[number]), around, most)
            left = left[found[left] == NONE]
            if most >= len(found):
                break
            most *= 2
    return found


def in_turn(kinds: Sequence[Ints]) -> Ints:
    """Return the entries of all kinds, one of each in turn; where one runs out, the others go on.

    So the first ones, however many, are of all kinds in equal shares.
    """
    if not kinds:
        return np.zeros(0, np.int64)
    place = np.concatenate([np.arange(len(each)) for each in kinds])
    found: Ints = np.concatenate(kinds)[np.argsort(place, kind="stable")]
    return found


def _bins(words: Integers) -> Ints:
    """Return the number of each length, such that those that are nearly the same share it."""
    found: Ints = np.floor(np.log(np.maximum(words, 1)) / math.log(_SAME_LENGTH)).astype(np.int64)
    return found


def _tried(lengths: Ints) -> Iterator[Ints]:
    """Yield which length is looked for: the same, then the next ones, by turns on either side."""
    yield lengths
    # As many shorter as longer ones, or the negatives would be shorter on the whole.
    side = np.where(np.arange(len(lengths)) % 2, 1, -1)
    for step in range(1, _STEPS + 1):
        yield lengths + side * step
        yield lengths - side * step


def _nearest(
    positives: Sentences, candidates: Sentences, topics: Vectors
) -> Mapping[int, list[int]]:
    """Return for each page of positives the featured pages that are most like it, best first."""
    own, featured = np.unique(positives.page), np.unique(candidates.page)
    of_featured = topics[featured]
    found: dict[int, list[int]] = {}
    for start in range(0, len(own), _AT_ONCE):
        some = own[start : start + _AT_ONCE]
        # Rounded, as the last digits depend on the machine.
        likeness = np.round(topics[some] @ of_featured.T, 4)
        order = np.argsort(-likeness, axis=1, kind="stable")[:, :_NEAREST]
        found.update(zip(some.tolist(), featured[order].tolist(), strict=True))
    return found


class _Stock:
    """The candidates that are left, by page and length, in the order to take them."""

    def __init__(self, candidates: Sentences, rng: np.random.Generator) -> None:
        lengths, number = _bins(candidates.words), len(candidates.words)
        section = np.zeros(number, np.int64) if candidates.section is None else candidates.section
        drawn = rng.permutation(number)
        # The first of each section of a page, then the second of each, and so on.
        turn = _ranks((section, lengths, candidates.page), drawn)
        order = np.lexsort((drawn, turn, lengths, candidates.page))
        self._left: dict[tuple[int, int], list[int]] = {}
        self._pages: dict[int, list[int]] = {}
        # Backwards, because the last one of a list is the one that is taken.
        for at in order[::-1].tolist():
            key = int(candidates.page[at]), int(lengths[at])
            if key not in self._left:
                self._left[key] = []
                self._pages.setdefault(key[1], []).append(key[0])
            self._left[key].append(at)
        for length in sorted(self._pages):
            rng.shuffle(self._pages[length])
        self._given: dict[int, int] = {}
        self.pages = len(np.unique(candidates.page))

    def taken(self, length: int, near: list[int], most: int) -> int:
        """Take a candidate of a length from one of some pages, or of any; NONE if none is left.

        No page gives more than `most`.
        """
        others = self._pages.get(length)
        if not others:
            return NONE
        for page in chain(near, others):
            left = self._left.get((page, length))
            if left and self._given.get(page, 0) < most:
                self._given[page] = self._given.get(page, 0) + 1
                at = left.pop()
                if not left:
                    others.remove(page)
                return at
        return NONE


def _ranks(keys: tuple[Integers, ...], order: Ints) -> Ints:
    """Return the place of each entry among those with the same keys, in an order."""
    sorted_ = np.lexsort((order, *keys))
    changes = np.zeros(len(order), np.bool_)
    for key in keys:
        changes[1:] |= key[sorted_[1:]] != key[sorted_[:-1]]
    starts = np.maximum.accumulate(np.where(changes, np.arange(len(order)), 0))
    ranks = np.empty(len(order), np.int64)
    ranks[sorted_] = np.arange(len(order)) - starts
    return ranks

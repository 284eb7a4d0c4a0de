"""Draws a stratified sample in one pass over the population.

Each sentence has a random number that follows from the seed and its id alone, and a stratum keeps
those with the smallest. So every sentence of a stratum is as likely as any other, the sample does
not depend on the order of the rows, and a larger one with the same seed holds the smaller one,
where their strata are filled alike.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from wikibias.errors import UsageError
from wikibias.research.annotation.sampling.population import Removed
from wikibias.research.annotation.sampling.strata import Bin, allocated, bin_of, stratum_name


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the population: how many sentences it has, and those drawn of them, at random."""

    name: str
    size: int
    drawn: tuple[Removed, ...]

    @property
    def probability(self) -> float:
        """How likely each sentence of it was to be drawn."""
        return len(self.drawn) / self.size


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sample by strata, and how many sentences lie in no bin; `empty` bins have no sentence."""

    strata: tuple[Stratum, ...]
    outside: int
    empty: tuple[str, ...]

    @property
    def number(self) -> int:
        """How many sentences were drawn."""
        return sum(len(each.drawn) for each in self.strata)


def rank(seed: int, *words: str) -> int:
    """Return a random number of 64 bits that follows from a seed and some words."""
    text = "\0".join((str(seed), *words))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def draw(
    population: Iterable[Removed],
    wanted: int,
    bins: Sequence[Bin],
    by: Sequence[str] = (),
    seed: int = 0,
) -> Drawn:
    """Draw sentences, as many of each stratum as can be.

    Memory: no more than `wanted` sentences of each stratum.

    Args:
        population: the sentences, in any order.
        wanted: how many to draw.
        bins: of edits, by how many sentences they removed.
        by: what parts the bins: `tag`, `tier`, `language`.
        seed: of the choice.

    Raises:
        UsageError: there is no sentence in any bin, fewer are wanted than there are strata, or a
            sentence is in two corpora.
    """
    # By bin and values: how many there are, and a heap whose first has the largest number.
    found: dict[tuple[int, tuple[str, ...]], _Kept] = {}
    places = {each.name: place for place, each in enumerate(bins)}
    outside = 0
    for sentence in population:
        of = bin_of(sentence.removed, bins)
        if of is None:
            outside += 1
            continue
        values = tuple(sentence.value(name) for name in by)
        named = places[of.name], values
        if named not in found:
            found[named] = _Kept(wanted)
        found[named].add(rank(seed, str(sentence.row["sentence_id"])), sentence)
    if not found:
        raise UsageError(
            "the corpus has no removed sentence in these bins; widen --bins, unless it is empty"
        )
    sizes: dict[str, int] = {}
    kept_of = {}
    for place, values in sorted(found):
        name = stratum_name(bins[place], dict(zip(by, values, strict=True)))
        kept_of[name] = found[place, values]
        sizes[name] = kept_of[name].size
    numbers = allocated(sizes, wanted)
    strata = tuple(
        Stratum(name, sizes[name], tuple(kept.first(numbers[name])))
        for name, kept in kept_of.items()
    )
    _refuse_twice(strata)
    filled = {place for place, _ in found}
    empty = tuple(each.name for place, each in enumerate(bins) if place not in filled)
    return Drawn(strata, outside, empty)


def _refuse_twice(strata: Sequence[Stratum]) -> None:
    """Refuse corpora that overlap: their sentences would count, and be shown, twice."""
    seen: set[str] = set()
    for name in (str(one.row["sentence_id"]) for each in strata for one in each.drawn):
        if name in seen:
            raise UsageError(f"{name} is in two of the corpora; draw from one of them")
        seen.add(name)


class _Kept:
    """The sentences of a stratum with the smallest numbers."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[int, str, int, Removed]] = []
        self.size = 0

    def add(self, number: int, sentence: Removed) -> None:
        """Take the next one, or pass it over."""
        self.size += 1
        entry = (-number, str(sentence.row["sentence_id"]), sentence.corpus, sentence)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, entry)
        elif entry[:3] > self._heap[0][:3]:
            heapq.heapreplace(self._heap, entry)

    def first(self, number: int) -> list[Removed]:
        """Return those with the smallest numbers."""
        return [entry[3] for entry in sorted(self._heap, key=_smallest_first)[:number]]


def _smallest_first(entry: tuple[int, str, int, Removed]) -> tuple[int, str]:
    return -entry[0], entry[1]

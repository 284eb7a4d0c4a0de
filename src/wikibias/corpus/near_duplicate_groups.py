"""Groups of near-duplicate sentences, by MinHash, in memory and time that grow with their number.

Two texts are near-duplicates when they share most of their runs of five characters. How many they
share is estimated from a signature of 80 bytes; texts whose signatures agree in four bytes running,
at any of twenty places, are compared. It costs a sort for each of these places.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

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
Ints = NDArray[np.int64]


def signatures(texts: Iterable[str], count: int) -> Bytes:
    """Return the signatures of `count` texts, a row of 80 bytes for each."""
    found = np.zeros((count, _HASHES), np.uint8)
    start, left = 0, iter(texts)
    while batch := list(islice(left, _TOGETHER)):
        found[start : start + len(batch)] = _signed(batch)
        start += len(batch)
    return found


def groups(signed: Bytes) -> Ints:
    """Return the number of each text's group: the first text that near-duplicates link it with."""
    least = np.arange(len(signed))
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

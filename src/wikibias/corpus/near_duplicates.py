"""Near-duplicate sentences, found by MinHash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.feature_extraction.text import TfidfVectorizer

from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE
from wikibias.errors import UsageError
from wikibias.messages import nearest

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


def minhash_groups(signed: Bytes) -> Ints:
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


VECTORS: Mapping[str, Mapping[str, Any]] = {
    "char": {"analyzer": "char", "ngram_range": (5, 5)},
    "word": {"analyzer": "word", "ngram_range": (1, 2)},
}
"""Kinds of vector: character 5-grams, or word unigrams and bigrams."""
MOST_EXACT = 50_000
"""Of more sentences, `minhash` finds the near-duplicates: all pairs grow with their square."""
_ROWS_AT_ONCE = 2_000
# The share of the threshold that dropped terms may reach. Measured: at 1 the candidates cost more
# than the terms save; between 0.5 and 0.8 it makes no difference.
_DROPPED = 0.7


@dataclass(frozen=True, slots=True)
class Pairs:
    """Near-duplicate pairs: positions in the two lists, and their cosine."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    cosine: NDArray[np.float64]


def vectors(kind: str, fit_on: Sequence[str], *others: Sequence[str]) -> list[Any]:
    """Return unit TF-IDF vectors (sparse rows) of each list; idf comes from `fit_on`.

    Raises:
        UsageError: no such kind.
    """
    if kind not in VECTORS:
        raise UsageError(f"unknown kind of n-gram {kind!r}{nearest(kind, VECTORS)}")
    vectorizer = TfidfVectorizer(**VECTORS[kind])
    try:
        first = vectorizer.fit_transform(fit_on)
    except ValueError:  # no word in any sentence
        return [sparse.csr_matrix((len(texts), 1)) for texts in (fit_on, *others)]
    return [first, *(vectorizer.transform(texts) for texts in others)]


def similar(left: Any, right: Any, threshold: float = NEAR_DUPLICATE_COSINE) -> Pairs:
    """Return all pairs (row of left, row of right) with a cosine of at least `threshold`.

    Exact: a row's most frequent terms, while their length stays under the threshold, cannot make
    a pair alone. So candidates come from the rarer terms, and the cost does not grow with the
    square of the frequent ones.
    """
    by_term = right.T.tocsr()
    common = np.diff(by_term.indptr)
    found: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
    for start in range(0, left.shape[0], _ROWS_AT_ONCE):
        batch = left[start : start + _ROWS_AT_ONCE]
        rare, dropped = _without_common(batch, common, _DROPPED * threshold)
        partial = (rare @ by_term).tocoo()
        # What was dropped adds at most its own length.
        likely = partial.data + dropped[partial.row] >= threshold
        rows, columns = partial.row[likely], partial.col[likely]
        cosine = _cosines(batch, right, rows, columns)
        near = cosine >= threshold - 1e-9
        found.append((rows[near] + start, columns[near], cosine[near]))
    if not found:
        return Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    rows, columns, cosine = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((columns, rows))
    return Pairs(rows[order].astype(np.int64), columns[order].astype(np.int64), cosine[order])


def groups(
    texts: Sequence[str], kind: str, threshold: float = NEAR_DUPLICATE_COSINE
) -> NDArray[np.int64]:
    """Return each sentence's group: the connected components of the near-duplicate pairs.

    Of more than `MOST_EXACT` texts they are those of `minhash`, whatever the kind and threshold.
    """
    if len(texts) > MOST_EXACT:
        return minhash_groups(signatures(texts, len(texts)))
    (rows,) = vectors(kind, texts)
    pairs = similar(rows, rows, threshold)
    links = sparse.coo_matrix(
        (np.ones(len(pairs.left)), (pairs.left, pairs.right)), shape=(len(texts), len(texts))
    )
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


def nearest_rows(left: Any, right: Any, count: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield, for each batch of left, the `count` most similar rows of right and their cosines.

    Both arrays are (rows of the batch, count), most similar first; ties go to the earlier row.
    """
    count = min(count, right.shape[0])
    at_once = max(1, min(_ROWS_AT_ONCE, 20_000_000 // max(1, right.shape[0])))
    for start in range(0, left.shape[0], at_once):
        dense = (left[start : start + at_once] @ right.T).toarray()
        order = np.argsort(-dense, axis=1, kind="stable")[:, :count]
        yield order, np.take_along_axis(dense, order, axis=1)


def _without_common(
    batch: Any, common: NDArray[Any], longest: float
) -> tuple[Any, NDArray[np.float64]]:
    """Drop each row's most frequent terms up to a length; return the rest and the length."""
    row = np.repeat(np.arange(batch.shape[0]), np.diff(batch.indptr))
    order = np.lexsort((batch.indices, -common[batch.indices], row))
    squares = batch.data[order] ** 2
    running = np.cumsum(squares)
    starts = np.append(0.0, running)[batch.indptr[:-1]]
    length = np.sqrt(np.maximum(running - starts[row], 0.0))
    drop = np.zeros(len(row), dtype=bool)
    drop[order] = length <= longest
    dropped = np.zeros(batch.shape[0])
    np.maximum.at(dropped, row[drop[order]], length[drop[order]])
    rare = batch.copy()
    rare.data = np.where(drop, 0.0, rare.data)
    rare.eliminate_zeros()
    return rare, dropped


def _cosines(
    left: Any, right: Any, rows: NDArray[Any], columns: NDArray[Any]
) -> NDArray[np.float64]:
    parts = [
        np.asarray(left[rows[i : i + 50_000]].multiply(right[columns[i : i + 50_000]]).sum(1))
        for i in range(0, len(rows), 50_000)
    ]
    return np.concatenate(parts).ravel() if parts else np.zeros(0)

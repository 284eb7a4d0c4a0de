"""Finds near-duplicates by the cosine of TF-IDF vectors, exactly, without comparing every pair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.feature_extraction.text import TfidfVectorizer

from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE
from wikibias.corpus import near_duplicate_groups
from wikibias.errors import UsageError
from wikibias.messages import nearest

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
        return near_duplicate_groups.groups(near_duplicate_groups.signatures(texts, len(texts)))
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

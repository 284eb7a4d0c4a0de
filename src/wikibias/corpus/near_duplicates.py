"""Near-duplicates by the cosine of TF-IDF vectors, exactly."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.feature_extraction.text import TfidfVectorizer

from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE
from wikibias.corpus.splits import minhash_groups
from wikibias.errors import UsageError, nearest

VECTORS: Mapping[str, Mapping[str, Any]] = {
    "char": {"analyzer": "char", "ngram_range": (5, 5)},
    "word": {"analyzer": "word", "ngram_range": (1, 2)},
}
"""Kinds of vector: character 5-grams, or word unigrams and bigrams."""
MOST_EXACT = 50_000
"""Of more sentences, `minhash` finds the near-duplicates: all pairs grow with their square."""
# Cosines of so many pairs are in memory at a time.
_PAIRS_AT_ONCE = 8_000_000


Ints = NDArray[np.int64]


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


def similar(left: Any, right: Any, threshold: float = NEAR_DUPLICATE_COSINE) -> tuple[Ints, Ints]:
    """Return the pairs (rows of left, rows of right) with a cosine of at least `threshold`."""
    by_term = right.T.tocsr()
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    at_once = _rows_at_once(right)
    for start in range(0, left.shape[0], at_once):
        product = (left[start : start + at_once] @ by_term).tocoo()
        near = product.data >= threshold - 1e-9
        found.append((product.row[near].astype(np.int64) + start, product.col[near]))
    rows, columns = (np.concatenate(parts).astype(np.int64) for parts in zip(*found, strict=True))
    order = np.lexsort((columns, rows))
    return rows[order], columns[order]


def groups(texts: Sequence[str], kind: str) -> NDArray[np.int64]:
    """Return each sentence's group: the connected components of the near-duplicate pairs.

    Of more than `MOST_EXACT` texts they are those of `minhash`, whatever the kind.
    """
    if len(texts) > MOST_EXACT:
        return minhash_groups(texts, len(texts))
    (rows,) = vectors(kind, texts)
    pairs = similar(rows, rows, NEAR_DUPLICATE_COSINE)
    links = sparse.coo_matrix((np.ones(len(pairs[0])), pairs), shape=(len(texts), len(texts)))
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


def nearest_rows(left: Any, right: Any, count: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield, for each batch of left, the `count` most similar rows of right and their cosines.

    Both arrays are (rows of the batch, count), most similar first; ties go to the earlier row.
    """
    count = min(count, right.shape[0])
    at_once = _rows_at_once(right)
    for start in range(0, left.shape[0], at_once):
        dense = (left[start : start + at_once] @ right.T).toarray()
        order = np.argsort(-dense, axis=1, kind="stable")[:, :count]
        yield order, np.take_along_axis(dense, order, axis=1)


def _rows_at_once(right: sparse.csr_matrix) -> int:
    return max(1, min(2_000, _PAIRS_AT_ONCE // max(1, int(right.shape[0]))))

"""A coreset: few sentences that stand for many, to train on where time is short.

Horych et al. (2025, section 6.3) train on 3,000 of 34,000 sentences chosen after Chai et al. (2023,
KDD), who bound the gradient of a training set by distances of features and choose by clusters. This
is the plain form of that idea: the sentences of each label are put into as many clusters as are
wanted of them, and the one nearest to the middle of each cluster is taken, with how many it stands
for. It is not their algorithm, and what they chose was not released. For a classifier on words it
was no better than a draw at random, with 3,000 of their sentences; see docs/limitations.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 100
_WORDS = 20_000
_DIGITS = 6
_BATCH = 4096
_STEPS = 30


def vectors(texts: Sequence[str], seed: int = 0) -> NDArray[np.float64]:
    """Return vectors of length 1 of sentences: their words and pairs of words, by LSA."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(
        ngram_range=(1, 2),
        sublinear_tf=True,
        max_features=_WORDS,
        tokenizer=str.split,
        token_pattern=None,
    )
    counts = weights.fit_transform(texts)
    size = min(DIMENSIONS, *(length - 1 for length in counts.shape))
    if size < 1:
        return np.ones((len(texts), 1))
    found = np.asarray(TruncatedSVD(size, random_state=seed).fit_transform(counts))
    length = np.linalg.norm(found, axis=1, keepdims=True)
    # Rounded, because the last digits depend on how many threads multiply.
    return np.asarray(np.round(found / np.maximum(length, 1e-12), _DIGITS))


def coreset(
    found: NDArray[np.float64], labels: Sequence[Any], size: int, *, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Choose sentences that stand for all, each label with its share.

    Args:
        found: a vector of each sentence.
        labels: the label of each; any values.
        size: how many to choose.
        seed: of the clusters.

    Returns:
        The rows chosen, in order, and for how many sentences each stands. They may be some fewer
        than asked for, where sentences are alike.
    """
    names = sorted(set(map(str, labels)))
    of_label = [np.flatnonzero([str(label) == name for label in labels]) for name in names]
    chosen: dict[int, int] = {}
    ends = np.round(np.cumsum([len(rows) for rows in of_label]) * size / len(labels)).astype(int)
    for rows, number in zip(of_label, np.diff(ends, prepend=0).tolist(), strict=True):
        for middle, members in _clusters(found[rows], number, seed):
            chosen[int(rows[middle])] = members
    order = sorted(chosen)
    return np.array(order, np.int64), np.array([chosen[row] for row in order], np.int64)


def _clusters(found: NDArray[np.float64], number: int, seed: int) -> list[tuple[int, int]]:
    """Return the middle of each cluster, and how many are in it."""
    from sklearn.cluster import MiniBatchKMeans

    if number >= len(found):
        return [(row, 1) for row in range(len(found))]
    if number < 1:
        return []
    # It ends after so many steps and not by its progress, which the number of threads changes.
    made = MiniBatchKMeans(
        number,
        n_init=1,
        random_state=seed,
        batch_size=_BATCH,
        max_iter=_STEPS,
        max_no_improvement=None,
        tol=0.0,
    ).fit(found)
    apart = ((found - made.cluster_centers_[made.labels_]) ** 2).sum(axis=1)
    order = np.lexsort((np.arange(len(found)), apart, made.labels_))
    clusters, starts, sizes = np.unique(made.labels_[order], return_index=True, return_counts=True)
    del clusters
    return list(zip(order[starts].tolist(), sizes.tolist(), strict=True))

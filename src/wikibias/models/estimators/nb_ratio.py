"""Weights features by naive Bayes log-count ratios (Wang and Manning, 2012)."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin

_AT_ONCE, _ROWS_AT_ONCE = 1 << 20, 1 << 14


class LogCountRatio(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Multiplies each feature by its naive Bayes log-count ratio between the classes.

    A linear model on top starts from naive Bayes and departs from it only where the data say so,
    which suits many weak features and few sentences. The ratio compares in how many sentences of
    each class a feature occurs, plus `alpha`.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, rows: Any, biased: Any) -> Self:
        """Learn the ratios from sparse rows and whether each is biased."""
        truth = np.asarray(biased, dtype=bool)
        yes, no = (self.alpha + seen for seen in _sentences(rows, truth))
        self.ratio_ = np.log((yes / yes.sum()) / (no / no.sum()))
        return self

    def transform(self, rows: Any) -> Any:
        """Return sparse rows (sentences by features) of the same shape, weighted.

        Those of 32 bits stay so.
        """
        kind = np.result_type(rows.dtype, np.float32)
        return self._weighted(rows, np.empty(rows.nnz, kind))

    def fit_transform(self, rows: Any, biased: Any) -> Any:
        """Do `fit` and `transform`; puts the weighted values in place of the given ones.

        At a million sentences, a copy takes gigabytes.
        """
        kind = np.result_type(rows.dtype, np.float32)
        return self.fit(rows, biased)._weighted(rows, rows.data.astype(kind, copy=False))

    def _weighted(self, rows: Any, into: Any) -> Any:
        for at in range(0, rows.nnz, _AT_ONCE):
            some = slice(at, at + _AT_ONCE)
            into[some] = rows.data[some] * self.ratio_[rows.indices[some]]
        return sparse.csr_matrix((into, rows.indices, rows.indptr), rows.shape)


def _sentences(rows: Any, truth: Any) -> Iterator[Any]:
    """Yield in how many sentences of each class, biased first, each feature is over zero."""
    counts = np.zeros((2, rows.shape[1]))
    for start in range(0, rows.shape[0], _ROWS_AT_ONCE):
        batch = rows[start : start + _ROWS_AT_ONCE]
        of = np.repeat(truth[start : start + _ROWS_AT_ONCE], np.diff(batch.indptr))
        for side, wanted in enumerate((True, False)):
            which = batch.indices[(of == wanted) & (batch.data > 0)]
            counts[side] += np.bincount(which, minlength=rows.shape[1])
    yield from counts

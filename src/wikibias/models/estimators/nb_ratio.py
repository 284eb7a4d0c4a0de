"""Weights features by naive Bayes log-count ratios (Wang and Manning, 2012)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin


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
        occurs = rows > 0
        yes = self.alpha + np.asarray(occurs[truth].sum(axis=0), dtype=np.float64).ravel()
        no = self.alpha + np.asarray(occurs[~truth].sum(axis=0), dtype=np.float64).ravel()
        self.ratio_ = np.log((yes / yes.sum()) / (no / no.sum()))
        return self

    def transform(self, rows: Any) -> Any:
        """Return sparse rows (sentences by features) of the same shape, weighted."""
        return rows.multiply(self.ratio_).tocsr()

"""Features weighed by how differently the classes use them (Wang and Manning, 2012)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin


class LogCountRatio(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Multiplies each feature by its naive Bayes log-count ratio between the classes.

    A linear model on top starts from naive Bayes and departs from it only where that pays,
    which suits many weak cues and few sentences. The ratio counts in how many sentences of each
    class a feature stands, plus `alpha`.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, rows: Any, biased: Any) -> Self:
        """Learn the ratios from sparse rows and whether each is biased."""
        truth = np.asarray(biased, dtype=bool)
        stands = rows > 0
        yes = self.alpha + np.asarray(stands[truth].sum(axis=0), dtype=np.float64).ravel()
        no = self.alpha + np.asarray(stands[~truth].sum(axis=0), dtype=np.float64).ravel()
        self.ratio_ = np.log((yes / yes.sum()) / (no / no.sum()))
        return self

    def transform(self, rows: Any) -> Any:
        """Weigh sparse rows; returns sparse rows of the same shape."""
        return rows.multiply(self.ratio_).tocsr()

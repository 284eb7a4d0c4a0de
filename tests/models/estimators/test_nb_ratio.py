"""Naive Bayes log-count ratios."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from wikibias.models.estimators.nb_ratio import LogCountRatio


def test_a_feature_is_weighted_by_the_classes_that_it_occurs_in() -> None:
    rows = csr_matrix([[3, 1, 0], [1, 1, 0], [0, 1, 1], [0, 1, 2]])
    weighted = LogCountRatio(alpha=1).fit(rows, [True, True, False, False]).transform(rows)
    # In how many sentences, not how often; plus alpha.
    assert weighted.shape == rows.shape
    assert weighted[0, 0] == pytest.approx(3 * np.log((3 / 7) / (1 / 7)))
    assert weighted[0, 1] == pytest.approx(0)
    assert weighted[3, 2] == pytest.approx(2 * np.log((1 / 7) / (3 / 7)))


def test_both_ways_to_weight_give_the_same() -> None:
    rows = csr_matrix([[3, 1, 0], [1, 1, 0], [0, 1, 1], [0, 1, 2]], dtype=np.float32)
    truth = [True, True, False, False]
    weighted = LogCountRatio().fit(rows, truth).transform(rows)
    again = LogCountRatio().fit_transform(rows.copy(), truth)
    assert weighted.dtype == again.dtype == np.float32
    assert (weighted != again).nnz == 0

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from wikibias.research.neural.encoder import fitted

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(300, 6))
TRUTH = ROWS @ RNG.normal(size=6) + RNG.normal(size=300) > 0.3


@pytest.mark.parametrize("c", [0.01, 1.0])
def test_it_is_that_of_scikit_learn(c: float) -> None:
    known = LogisticRegression(C=c, max_iter=1000, tol=1e-8).fit(ROWS, TRUTH)
    found = fitted(ROWS, TRUTH, c)
    assert found[:-1] == pytest.approx(known.coef_[0], abs=1e-3)
    assert found[-1] == pytest.approx(known.intercept_[0], abs=1e-3)


def test_a_start_is_left_only_for_good_reasons() -> None:
    start = np.arange(7, dtype=float)
    assert fitted(ROWS, TRUTH, 1e-9, start)[:-1] == pytest.approx(start[:-1], abs=1e-2)
    near_zero, near_start = fitted(ROWS, TRUTH, 0.1), fitted(ROWS, TRUTH, 0.1, start)
    assert np.linalg.norm(near_start - start) < np.linalg.norm(near_zero - start)

"""Coefficients against the libraries of the field."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from wikibias.research.annotation import coefficients
from wikibias.research.annotation.coefficients import GAP, Statistic

_WEIGHTS = {
    None: None,
    "linear": coefficients.distances(4, squared=False),
    "quadratic": coefficients.distances(4, squared=True),
}


def whole(statistic: Statistic) -> float:
    """Return a coefficient of all items."""
    assert statistic.summands is not None
    return float(statistic.of(statistic.summands().sum(axis=0)[None])[0])


@given(
    st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=12),
    st.sampled_from([None, "linear", "quadratic"]),
)
def test_cohen_is_that_of_scikit_learn(said: list[tuple[int, int]], kind: str | None) -> None:
    codes = np.array(said, dtype=int).reshape(-1, 2)
    kappa = coefficients.cohen(codes[:, 0], codes[:, 1], values=4, apart=_WEIGHTS[kind])
    found = whole(kappa)
    a, b = codes[(codes != GAP).all(axis=1)].T
    if not len(a) or len({*a, *b}) < 2:
        assert np.isnan(found)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = cohen_kappa_score(a, b, labels=[0, 1, 2, 3], weights=kind)
        assert found == pytest.approx(expected)


@given(
    st.integers(2, 5).flatmap(
        lambda raters: st.lists(
            st.lists(st.integers(0, 2), min_size=raters, max_size=raters), min_size=1, max_size=9
        )
    )
)
def test_fleiss_is_that_of_statsmodels(rows: list[list[int]]) -> None:
    counts = np.array([[row.count(value) for value in range(3)] for row in rows], dtype=float)
    found = whole(coefficients.fleiss(counts, answers=len(rows[0])))
    if len({value for row in rows for value in row}) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(fleiss_kappa(counts, method="fleiss"))


def test_fleiss_passes_over_items_with_other_numbers_of_answers() -> None:
    counts = np.array([[2.0, 0], [1, 1], [0, 2], [3, 0], [1, 0]])
    found = whole(coefficients.fleiss(counts, answers=2))
    assert found == pytest.approx(fleiss_kappa(counts[:3]))


def test_the_percentage_is_of_pairs_of_answers() -> None:
    counts = np.array([[2.0, 0], [1, 1], [2, 1], [1, 0]])  # 1 of 1, 0 of 1, 1 of 3, none
    assert whole(coefficients.percentage(counts)) == pytest.approx(2 / 5)
    assert np.isnan(whole(coefficients.percentage(counts[3:])))

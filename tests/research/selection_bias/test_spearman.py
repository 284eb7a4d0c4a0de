"""Spearman's correlation and its p."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from wikibias.research.selection_bias.spearman import spearman

NAN = float("nan")


def test_many_points_are_as_in_scipy() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(0, 6, 30).astype(float)  # with ties
    second = first + rng.normal(0, 4, 30)
    found, known = spearman(first.tolist(), second.tolist()), spearmanr(first, second)
    assert found is not None
    assert (found["rho"], found["p"]) == pytest.approx((known.statistic, known.pvalue))


def test_few_points_have_the_p_of_all_orders() -> None:
    # Two of the 120 orders of five points are as far from none: the order itself and its reverse.
    assert spearman([1, 2, 3, 4, 5], [2, 4, 6, 8, 9]) == pytest.approx(
        {"rho": 1, "p": 2 / 120, "points": 5}
    )
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == {"rho": -1, "p": None, "points": 4}


def test_nine_points_in_perfect_order_have_a_p_of_none() -> None:
    found = spearman(list(range(9)), list(range(9)))
    assert found == pytest.approx({"rho": 1, "p": 0, "points": 9})


def test_there_is_none_of_two_points_or_of_one_value() -> None:
    assert spearman([1, 2], [1, 2]) is None
    assert spearman([1, 2, 3, NAN], [1, 2, NAN, 4]) is None
    assert spearman([1, 1, 1], [1, 2, 3]) is None

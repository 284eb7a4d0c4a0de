"""Intervals of many statistics from the same draws."""

from __future__ import annotations

import numpy as np
import pytest

from wikibias.research.annotation.coefficients import Statistic, Sums, Values, entries, less


def share_of(sums: Sums) -> Values:
    """Return the share of the first pattern."""
    found: Values = sums[:, 0] / sums.sum(axis=1)
    return found


def undefined(weights: Sums) -> Values:
    """Return nothing."""
    return np.full(len(weights), np.nan)


SHARE = Statistic(lambda: np.eye(2), share_of, 2)


def test_an_interval_is_that_of_items_drawn_one_by_one() -> None:
    times = np.array([300, 700])
    found = entries({"share": SHARE}, times, resamples=2000, seed=1)["share"]
    assert found["value"] == 0.3
    # 1.96 standard errors of a share of 1,000 items
    assert found["low"] == pytest.approx(0.3 - 0.0284, abs=0.003)
    assert found["high"] == pytest.approx(0.3 + 0.0284, abs=0.003)


def test_the_same_seed_draws_the_same() -> None:
    times = np.array([3, 9])
    one, two, other = (
        entries({"share": SHARE}, times, resamples=50, seed=seed)["share"] for seed in (4, 4, 5)
    )
    assert one == two
    assert one != other


def test_what_is_undefined_has_no_interval() -> None:
    found = entries(
        {"none": Statistic(None, undefined), "one": SHARE}, np.array([1, 0]), resamples=9, seed=0
    )
    assert found["none"] == {"value": None, "low": None, "high": None}
    assert found["one"] == {"value": 1, "low": None, "high": None}  # one item


def test_draws_without_a_value_are_passed_over() -> None:
    def sometimes(weights: Sums) -> Values:
        return np.where(weights[:, 0] > 0, 1.0, np.nan)

    found = entries({"s": Statistic(None, sometimes)}, np.array([1, 1]), resamples=40, seed=0)["s"]
    assert found == {"value": 1, "low": 1, "high": 1}


def test_a_statistic_of_sums_is_that_of_weights() -> None:
    weighted = Statistic(None, share_of)
    many = dict.fromkeys(range(5), SHARE) | {9: weighted}
    found = entries(many, np.array([4, 6]), resamples=30, seed=0)
    assert len({tuple(entry.items()) for entry in found.values()}) == 1


def test_a_difference_is_of_the_same_draws() -> None:
    for one in (SHARE, Statistic(None, share_of)):
        found = entries({"d": less(one, one)}, np.array([4, 6]), resamples=30, seed=0)["d"]
        assert found == {"value": 0, "low": 0, "high": 0}

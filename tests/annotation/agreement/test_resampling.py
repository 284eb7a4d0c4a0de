"""Intervals of many statistics from the same draws."""

from __future__ import annotations

import numpy as np
import pytest

from wikibias.annotation.agreement.resampling import Values, Weights, entries


def share(weights: Weights) -> Values:
    """Return the share of the first pattern."""
    found: Values = weights[:, 0] / weights.sum(axis=1)
    return found


def undefined(weights: Weights) -> Values:
    """Return nothing."""
    return np.full(len(weights), np.nan)


def test_an_interval_is_that_of_items_drawn_one_by_one() -> None:
    times = np.array([300, 700])
    found = entries({"share": share}, times, resamples=2000, seed=1)["share"]
    assert found["value"] == 0.3
    # 1.96 standard errors of a share of 1,000 items
    assert found["low"] == pytest.approx(0.3 - 0.0284, abs=0.003)
    assert found["high"] == pytest.approx(0.3 + 0.0284, abs=0.003)


def test_the_same_seed_draws_the_same() -> None:
    times = np.array([3, 9])
    one, two, other = (
        entries({"share": share}, times, resamples=50, seed=seed)["share"] for seed in (4, 4, 5)
    )
    assert one == two
    assert one != other


def test_what_is_undefined_has_no_interval() -> None:
    found = entries({"none": undefined, "one": share}, np.array([1, 0]), resamples=9, seed=0)
    assert found["none"] == {"value": None, "low": None, "high": None}
    assert found["one"] == {"value": 1, "low": None, "high": None}  # one item


def test_draws_without_a_value_are_passed_over() -> None:
    def sometimes(weights: Weights) -> Values:
        return np.where(weights[:, 0] > 0, 1.0, np.nan)

    found = entries({"s": sometimes}, np.array([1, 1]), resamples=40, seed=0)["s"]
    assert found == {"value": 1, "low": 1, "high": 1}

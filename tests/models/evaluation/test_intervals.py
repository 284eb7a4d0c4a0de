"""Tests of intervals from resamples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wikibias.models.evaluation.intervals import interval


def test_is_where_the_middle_95_of_100_resamples_lie() -> None:
    drawn = np.random.default_rng(0).permutation(np.linspace(0, 1, 1001))
    found = interval(0.6, [drawn[:400], drawn[400:]])
    assert found == pytest.approx({"value": 0.6, "low": 0.025, "high": 0.975})


def test_leaves_out_resamples_that_do_not_define_it() -> None:
    assert interval(2, [np.array([1.0, math.nan, 1.0])]) == {"value": 2, "low": 1, "high": 1}


@pytest.mark.parametrize("drawn", [[], [np.zeros(0)], [np.array([math.nan])]])
def test_without_resamples_there_are_no_ends(drawn: list[np.ndarray]) -> None:
    assert interval(0.5, drawn) == {"value": 0.5, "low": None, "high": None}


def test_what_is_not_defined_has_no_interval() -> None:
    found = interval(math.nan, [np.array([1.0, 2.0])])
    assert found == {"value": None, "low": None, "high": None}

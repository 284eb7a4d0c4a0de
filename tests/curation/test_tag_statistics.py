"""Survival curves, against numbers worked out by hand."""

import math
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.curation.tag_statistics import Lives, median, share_after


def lives(told: Iterable[tuple[float, bool]]) -> Lives:
    found = Lives()
    for days, has_ended in told:
        found.add(days, has_ended=has_ended)
    return found


# Seven lives; those of 2 and 5 days were not over when they were last seen.
SEVEN = lives([(1, True), (2, False), (3, True), (3, True), (5, False), (8, True), (13, True)])


def test_curve_worked_out_by_hand() -> None:
    curve = SEVEN.curve()
    assert [(s.days, s.at_risk, s.ended) for s in curve] == [
        (1, 7, 1),
        (3, 5, 2),
        (8, 2, 1),
        (13, 1, 1),
    ]
    # 6/7; 6/7 * 3/5; 6/7 * 3/5 * 1/2; 0
    assert [s.share for s in curve] == pytest.approx([6 / 7, 18 / 35, 9 / 35, 0])
    assert (SEVEN.longest, len(SEVEN)) == (13, 7)


def test_interval_by_greenwood_worked_out_by_hand() -> None:
    second = SEVEN.curve()[1]
    # Greenwood: 1 / (7 * 6) + 2 / (5 * 3) = 0.0238095 + 0.1333333 = 0.1571429, its root 0.3964125.
    # log S = log(18 / 35) = -0.6649763; 1.959964 * 0.3964125 / 0.6649763 = 1.1683997.
    # exp(1.1683997) = 3.2168408, its inverse 0.3108640.
    assert second.low == pytest.approx(math.exp(-0.6649763 * 3.2168408), rel=1e-4)
    assert second.high == pytest.approx(math.exp(-0.6649763 * 0.3108640), rel=1e-4)
    assert (SEVEN.curve()[-1].low, SEVEN.curve()[-1].high) == (None, None)


def test_median_is_where_the_curve_crosses_a_half() -> None:
    assert median(SEVEN.curve())[0] == 8
    assert median(lives([(1, True), (9, False), (9, False)]).curve()) == (None, 1, None)
    assert median([]) == (None, None, None)


def test_share_holds_until_the_next_step() -> None:
    curve = SEVEN.curve()
    assert share_after(curve, 0) == 1
    assert share_after(curve, 7.9) == share_after(curve, 3) == pytest.approx(18 / 35)
    assert share_after(curve, 100) == 0


@given(st.lists(st.tuples(st.integers(0, 20), st.booleans())))
def test_curve_falls_within_its_interval(told: list[tuple[float, bool]]) -> None:
    curve = lives(told).curve()
    shares = [1.0, *(step.share for step in curve)]
    assert all(0 <= after < before for before, after in pairwise(shares))
    for step in curve:
        assert (
            step.low is None or step.high is None or 0 <= step.low <= step.share <= step.high <= 1
        )


@given(st.lists(st.integers(0, 20), min_size=1))
def test_without_censoring_the_curve_is_the_share_that_lasts_longer(days: list[int]) -> None:
    curve = lives((day, True) for day in days).curve()
    for step in curve:
        assert step.share == pytest.approx(sum(day > step.days for day in days) / len(days))


@pytest.mark.parametrize("number", range(2, 60, 2))
def test_half_of_an_even_number_have_ended_by_the_median(number: int) -> None:
    """Whatever a product of fractions makes of a half."""
    curve = lives([(float(day), True) for day in range(1, number + 1)]).curve()
    assert median(curve)[0] == number / 2

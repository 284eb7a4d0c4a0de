"""The schedule: no order beats the bounds, and the longest first is never far from them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulate_schedule import dealt_in_advance, lower_bound
from wikibias.planning.schedule import longest_first, makespan

TIMES = st.lists(st.floats(0, 1e6), max_size=60)
WORKERS = st.integers(1, 300)


@pytest.mark.parametrize(
    ("seconds", "workers", "wanted"),
    [
        ([], 4, 0.0),
        ([5.0], 4, 5.0),
        ([3.0, 3.0, 6.0], 1, 12.0),
        ([3.0, 3.0, 6.0], 2, 9.0),
        ([6.0, 3.0, 3.0], 2, 6.0),
        ([1.0, 1.0, 1.0, 1.0], 9, 1.0),
    ],
)
def test_each_worker_takes_the_next_part(seconds: list[float], workers: int, wanted: float) -> None:
    assert makespan(seconds, workers) == wanted


def test_shards_are_dealt_before_anything_is_known() -> None:
    assert dealt_in_advance([9.0, 1.0, 9.0, 1.0], 2) == 18.0
    assert dealt_in_advance([], 2) == 0.0


@given(TIMES, WORKERS)
def test_no_order_beats_the_lower_bound(seconds: list[float], workers: int) -> None:
    bound = lower_bound(seconds, workers)
    for order in (seconds, longest_first(seconds)):
        assert makespan(order, workers) >= bound * 0.999999
        assert makespan(order, workers) <= sum(seconds) * 1.000001
    assert dealt_in_advance(seconds, workers) >= bound * 0.999999


@given(TIMES, WORKERS)
def test_any_order_is_at_most_twice_the_bound(seconds: list[float], workers: int) -> None:
    """List scheduling ends no later than the mean share and one more part."""
    assert makespan(seconds, workers) <= 2 * lower_bound(seconds, workers) * 1.000001

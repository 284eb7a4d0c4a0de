"""A sample is drawn in one pass, keeps the order, and gives every item the same chance."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from wikibias.research.selection_bias.reservoir import drawn


@given(st.integers(0, 200), st.integers(1, 50), st.integers(0, 9))
def test_as_many_as_asked_in_their_order(number: int, most: int, seed: int) -> None:
    found, of = drawn(iter(range(number)), most, seed)
    assert of == number
    assert len(found) == len(set(found)) == min(number, most)
    assert found == sorted(found)
    assert (found, of) == drawn(iter(range(number)), most, seed)


def test_each_item_is_as_likely_as_any_other() -> None:
    counts = Counter(item for seed in range(2000) for item in drawn(range(10), 3, seed)[0])
    assert set(counts) == set(range(10))
    # 600 are expected of each, with a standard deviation of 20.
    assert all(500 < count < 700 for count in counts.values())

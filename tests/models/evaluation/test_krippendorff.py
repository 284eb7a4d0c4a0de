"""Krippendorff's alpha against published and simple cases."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.models.evaluation.krippendorff import (
    MOST_COINCIDENCES,
    Level,
    alpha,
    alpha_with_interval,
    alphas,
)

# Krippendorff (2011), the example of four observers and twelve units; 0 is no answer.
_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
]


def _counts(observers: list[list[int]], values: int) -> np.ndarray:
    rows = [
        [of.count(value) for value in range(1, values + 1)] for of in zip(*observers, strict=True)
    ]
    return np.array(rows, dtype=float)


def test_the_published_example() -> None:
    assert alpha(_counts(_OBSERVERS, 5)) == pytest.approx(0.743, abs=0.0005)


def test_all_agree_and_nothing_to_compare() -> None:
    assert alpha(np.array([[2.0, 0.0], [0.0, 3.0]])) == 1
    assert alpha(np.array([[2.0, 0.0], [3.0, 0.0]])) is None  # one value only
    assert alpha(np.array([[1.0, 0.0], [0.0, 1.0]])) is None  # one answer each
    assert alpha(np.zeros((0, 2))) is None
    assert alpha_with_interval(np.zeros((0, 2))) == {"value": None, "low": None, "high": None}


def _slow(counts: np.ndarray) -> float | None:
    """Alpha by its definition: the share of pairs that differ, seen and by chance."""
    units = [[v for v, n in enumerate(unit) for _ in range(int(n))] for unit in counts]
    units = [unit for unit in units if len(unit) > 1]
    every = [value for unit in units for value in unit]
    pairs = [(a, b) for i, a in enumerate(every) for j, b in enumerate(every) if i != j]
    expected = sum(a != b for a, b in pairs)
    if not pairs or not expected:
        return None
    observed = sum(
        sum(a != b for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j)
        / (len(unit) - 1)
        for unit in units
    )
    return 1 - observed / len(every) / (expected / len(pairs))


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=8))
def test_the_fast_form_is_the_definition(rows: list[list[int]]) -> None:
    counts = np.array(rows, dtype=float)
    expected, found = _slow(counts), alpha(counts)
    assert found == (None if expected is None else pytest.approx(expected))


def test_the_interval_holds_the_value_and_is_the_same_again() -> None:
    counts = _counts(_OBSERVERS, 5)
    found = alpha_with_interval(counts, resamples=200, seed=3)
    assert found["low"] is not None
    assert found["value"] is not None
    assert found["high"] is not None
    assert found["low"] <= found["value"] <= found["high"] <= 1
    assert found == alpha_with_interval(counts, resamples=200, seed=3)


# krippendorff, which is under the GPL and so only a help for tests, as the oracle.
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
NUMBERS = [-1.0, 0.0, 2.0, 7.5]


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=9),
    st.sampled_from(LEVELS),
)
def test_each_level_is_what_the_library_of_that_name_says(
    rows: list[list[int]], level: Level
) -> None:
    counts = np.array(rows, dtype=float)
    found = alpha(counts, level, NUMBERS)
    paired = counts[counts.sum(axis=1) > 1]
    if (paired.sum(axis=0) > 0).sum() < 2:
        assert found is None
    else:
        expected = krippendorff.alpha(
            value_counts=counts, value_domain=NUMBERS, level_of_measurement=level
        )
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_a_weight_is_a_unit_given_so_often(level: Level) -> None:
    counts = _counts(_OBSERVERS, 5)
    weights = np.random.default_rng(1).multinomial(12, np.full(12, 1 / 12), size=20)
    found = alphas(counts, weights.astype(float), level, [1, 2, 3, 4, 5])
    for value, times in zip(found, weights, strict=True):
        assert value == pytest.approx(
            alpha(np.repeat(counts, times, axis=0), level, [1, 2, 3, 4, 5])
        )


def test_the_published_example_at_other_levels() -> None:
    assert alpha(_counts(_OBSERVERS, 5), "ordinal") == pytest.approx(0.815, abs=0.0005)
    assert alpha(_counts(_OBSERVERS, 5), "interval", [1, 2, 3, 4, 5]) == pytest.approx(
        0.849, abs=0.0005
    )


def test_interval_data_are_numbers() -> None:
    with pytest.raises(ValueError, match="numbers"):
        alpha(_counts(_OBSERVERS, 5), "interval")


@given(st.lists(st.lists(st.integers(0, 2), min_size=5, max_size=5), min_size=1, max_size=9))
def test_ranks_take_the_place_of_coincidences(rows: list[list[int]]) -> None:
    counts = np.array(rows, dtype=float)
    apart = np.zeros((len(rows), 5 * MOST_COINCIDENCES))
    apart[:, ::MOST_COINCIDENCES] = counts  # the same order, among values that nobody gave
    expected = alpha(counts, "ordinal")
    found = alpha(apart, "ordinal")
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))

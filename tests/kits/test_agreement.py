"""Krippendorff's alpha against published and simple cases."""

import warnings
from collections.abc import Sequence

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from wikibias.kits.agreement import Level, alpha, cohen, fleiss, percentage

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


def alpha_of_counts(
    counts: np.ndarray, level: Level = "nominal", numbers: Sequence[float] | None = None
) -> float | None:
    """Return alpha of all units."""
    (value,) = alpha(np.ones((1, len(counts))), counts, level, numbers)
    return None if np.isnan(value) else float(value)


def test_the_published_example() -> None:
    assert alpha_of_counts(_counts(_OBSERVERS, 5)) == pytest.approx(0.743, abs=0.0005)


def test_all_agree_and_nothing_to_compare() -> None:
    assert alpha_of_counts(np.array([[2.0, 0.0], [0.0, 3.0]])) == 1
    assert alpha_of_counts(np.array([[2.0, 0.0], [3.0, 0.0]])) is None  # one value only
    assert alpha_of_counts(np.array([[1.0, 0.0], [0.0, 1.0]])) is None  # one answer each
    assert alpha_of_counts(np.zeros((0, 2))) is None


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
    expected, found = _slow(counts), alpha_of_counts(counts)
    assert found == (None if expected is None else pytest.approx(expected))


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
    found = alpha_of_counts(counts, level, NUMBERS)
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
    found = alpha(weights.astype(float), counts, level, [1, 2, 3, 4, 5])
    for value, times in zip(found, weights, strict=True):
        assert value == pytest.approx(
            alpha_of_counts(np.repeat(counts, times, axis=0), level, [1, 2, 3, 4, 5])
        )


def test_the_published_example_at_other_levels() -> None:
    assert alpha_of_counts(_counts(_OBSERVERS, 5), "ordinal") == pytest.approx(0.815, abs=0.0005)
    assert alpha_of_counts(_counts(_OBSERVERS, 5), "interval", [1, 2, 3, 4, 5]) == pytest.approx(
        0.849, abs=0.0005
    )


def test_interval_data_are_numbers() -> None:
    with pytest.raises(ValueError, match="numbers"):
        alpha_of_counts(_counts(_OBSERVERS, 5), "interval")


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=12))
def test_cohen_is_that_of_scikit_learn(said: list[tuple[int, int]]) -> None:
    codes = np.array(said, dtype=int).reshape(-1, 2)
    (found,) = cohen(np.ones((1, len(codes))), codes[:, 0], codes[:, 1], values=4)
    a, b = codes[(codes >= 0).all(axis=1)].T
    if not len(a) or len({*a, *b}) < 2:
        assert np.isnan(found)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = cohen_kappa_score(a, b, labels=[0, 1, 2, 3])
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
    (found,) = fleiss(np.ones((1, len(counts))), counts, answers=len(rows[0]))
    if len({value for row in rows for value in row}) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(fleiss_kappa(counts, method="fleiss"))


def test_fleiss_passes_over_items_with_other_numbers_of_answers() -> None:
    counts = np.array([[2.0, 0], [1, 1], [0, 2], [3, 0], [1, 0]])
    (found,) = fleiss(np.ones((1, 5)), counts, answers=2)
    assert found == pytest.approx(fleiss_kappa(counts[:3]))


def test_the_percentage_is_of_pairs_of_answers() -> None:
    counts = np.array([[2.0, 0], [1, 1], [2, 1], [1, 0]])  # 1 of 1, 0 of 1, 1 of 3, none
    assert percentage(np.ones((1, 4)), counts) == pytest.approx(2 / 5)
    assert np.isnan(percentage(np.ones((1, 1)), counts[3:]))

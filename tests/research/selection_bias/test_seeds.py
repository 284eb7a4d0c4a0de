"""Intervals over seeds."""

from __future__ import annotations

import numpy as np
import pytest

from wikibias.research.selection_bias.seeds import over_draws, over_fits

NAN = float("nan")


def test_the_interval_over_fits_is_that_of_t() -> None:
    # Mean 3, standard error sqrt(2.5 / 5), t(4) at .975 = 2.776445.
    half = 2.776445 * (2.5 / 5) ** 0.5
    found = over_fits([0.1, 0.2, 0.3, 0.4, 0.5])
    expected = {"value": 0.3, "low": 0.3 - half / 10, "high": 0.3 + half / 10}
    assert found == pytest.approx(expected, abs=1e-6)


def test_no_interval_goes_beyond_what_a_figure_or_a_difference_can_be() -> None:
    assert over_fits([0.9, 0.99])["high"] == 1
    assert over_draws([-0.9, 0.9]) == {"value": 0, "low": -1, "high": 1}
    assert over_draws([-0.9, 0.9], limit=2) == {"value": 0, "low": -2, "high": 2}


def test_one_seed_has_no_interval_and_none_no_figure() -> None:
    for interval in (over_fits, over_draws):
        assert interval([0.25]) == {"value": 0.25, "low": None, "high": None}
        assert interval([NAN, 0.25]) == {"value": 0.25, "low": None, "high": None}
        assert interval([NAN]) == {"value": None, "low": None, "high": None}
        assert interval([]) == {"value": None, "low": None, "high": None}


def test_halves_of_documents_tell_what_chance_does_to_the_figure_of_all() -> None:
    """The interval of the mean of 200 documents holds the true mean about 95 times of 100."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        documents = rng.normal(0.3, 1, 200)
        found = over_draws([rng.permutation(documents)[:100].mean() for _ in range(5)])
        held += bool(found["low"] <= 0.3 <= found["high"])  # type: ignore[operator]
    assert 930 <= held <= 990

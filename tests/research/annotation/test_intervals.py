"""Tests of intervals."""

from __future__ import annotations

import math
import random

import pytest
from statsmodels.stats.proportion import proportion_confint

from wikibias.research.annotation.sample_sizes import kappa_error, of_all, wilson


@pytest.mark.parametrize(("biased", "sentences"), [(0, 9), (1, 9), (24, 50), (300, 300)])
def test_wilson_is_that_of_statsmodels(biased: int, sentences: int) -> None:
    expected = proportion_confint(biased, sentences, method="wilson")
    assert wilson(biased / sentences, sentences) == pytest.approx(expected, abs=1e-12)


def test_a_whole_population_leaves_no_doubt() -> None:
    assert of_all(50, 50) == math.inf
    assert wilson(0.3, math.inf) == (0.3, 0.3)
    assert of_all(50, None) == 50
    assert of_all(50, 1_000_000) == pytest.approx(50, rel=1e-3)


def test_the_error_of_kappa_is_what_simulated_annotators_scatter_by() -> None:
    rng = random.Random(5)
    kappa, share, sentences = 0.41, 0.48, 200
    found = []
    for _ in range(800):
        both = [0, 0, 0, 0]
        for _ in range(sentences):
            first = rng.random() < share
            # Both agree by kappa, or answer by chance.
            second = first if rng.random() < kappa else rng.random() < share
            both[2 * first + second] += 1
        observed = (both[0] + both[3]) / sentences
        one, other = (both[2] + both[3]) / sentences, (both[1] + both[3]) / sentences
        chance = one * other + (1 - one) * (1 - other)
        found.append((observed - chance) / (1 - chance))
    mean = sum(found) / len(found)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in found) / (len(found) - 1))
    assert kappa_error(kappa, share, sentences) == pytest.approx(deviation, rel=0.1)

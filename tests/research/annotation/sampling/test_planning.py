"""Tests of how many sentences it takes."""

from __future__ import annotations

import pytest

from sample_corpora import corpus
from wikibias.research.annotation import sample_sizes
from wikibias.research.annotation.population import open_corpus, removed_sentences
from wikibias.research.annotation.samples import PAPER_BINS, read_bins

EQUAL = dict.fromkeys(("a", "b", "c", "d"), 1000)


class TestNeeded:
    def test_is_the_least_that_is_narrow_enough(self) -> None:
        number = sample_sizes.needed(0.1, 0.48)
        assert sample_sizes.width(number, 0.48) <= 0.1 < sample_sizes.width(number - 1, 0.48)

    def test_is_near_the_textbook(self) -> None:
        # Cochran 1977: (1.96 / .05)^2 * .25 = 384.
        assert sample_sizes.needed(0.1, 0.5) == pytest.approx(384, abs=5)

    def test_a_finite_corpus_takes_fewer_and_never_more_than_it_has(self) -> None:
        assert sample_sizes.needed(0.1, 0.5, 1000) < sample_sizes.needed(0.1, 0.5)
        assert sample_sizes.needed(1e-9, 0.5, 50) == 50


class TestStrata:
    def test_equal_strata_cost_nothing(self) -> None:
        drawn = dict.fromkeys(EQUAL, 100)
        assert sample_sizes.effective(EQUAL, drawn) == pytest.approx(400 * 999 / 900)
        both = sample_sizes.needed_in_all(0.1, 0.48, EQUAL), sample_sizes.needed(0.1, 0.48, 4000)
        assert abs(both[0] - both[1]) < 5

    def test_unequal_ones_cost_more(self) -> None:
        sizes = {"a": 100, "b": 5000}
        assert sample_sizes.needed_in_all(0.1, 0.48, sizes) > sample_sizes.needed(0.1, 0.48, 5100)

    def test_all_sentences_leave_no_doubt(self) -> None:
        assert sample_sizes.stratified_width({"a": 5, "b": 9}, 14, 0.5) == 0


def test_kappa_takes_so_many_shared_sentences() -> None:
    number = sample_sizes.needed_for_kappa(0.2, 0.41, 0.48)
    assert sample_sizes.kappa_width(0.41, 0.48, number) <= 0.2
    assert sample_sizes.kappa_width(0.41, 0.48, number - 1) > 0.2


def test_strata_are_counted_in_the_order_of_the_bins() -> None:
    population = removed_sentences([open_corpus(corpus())])
    assert sample_sizes.stratum_sizes(population, read_bins(PAPER_BINS)) == {
        "bin=3-6": 66,
        "bin=7-15": 1,
    }

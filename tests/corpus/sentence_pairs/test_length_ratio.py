"""Pairs whose lengths differ more than those of others."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.corpus.sentence_pairs.length_ratio import LengthRatios

LENGTHS = st.lists(st.tuples(st.integers(1, 500), st.integers(1, 500)), min_size=1)


def test_the_odd_one_out_is_unusual() -> None:
    ratios = LengthRatios()
    for length in range(40, 60):
        ratios.add("a" * length, "a" * length)
    ratios.add("a" * 90, "a" * 10)
    assert ratios.is_usual("a" * 50, "a" * 52)
    assert not ratios.is_usual("a" * 90, "a" * 10)


def test_pairs_that_are_all_alike_are_all_usual() -> None:
    ratios = LengthRatios()
    for _ in range(1000):
        ratios.add("a" * 7, "a" * 3)
    assert ratios.is_usual("a" * 7, "a" * 3)


@given(LENGTHS)
def test_mean_and_deviation_are_those_of_the_whole_set(lengths: list[tuple[int, int]]) -> None:
    ratios = LengthRatios()
    for source, target in lengths:
        ratios.add("a" * source, "a" * target)
    all_of_them = [source / target for source, target in lengths]
    expected = statistics.fmean(all_of_them), statistics.pstdev(all_of_them)
    assert ratios.mean_and_sd() == pytest.approx(expected, abs=1e-6)

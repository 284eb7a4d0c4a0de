"""Tests of the choice of a coreset."""

from __future__ import annotations

import numpy as np
import pytest

from wikibias.research.annotation.coreset import coreset, vectors

# Four clouds of points, of which the first two have one label.
CLOUDS = np.repeat(np.array([[0.0, 0], [9, 0], [0, 9], [9, 9]]), 25, axis=0)
POINTS = CLOUDS + np.random.default_rng(0).normal(0, 0.3, (100, 2))
LABELS = ["1"] * 50 + ["0"] * 50


class TestCoreset:
    def test_takes_one_of_each_cluster(self) -> None:
        rows, weights = coreset(POINTS, LABELS, 4)
        assert sorted(row // 25 for row in rows.tolist()) == [0, 1, 2, 3]
        assert weights.tolist() == [25, 25, 25, 25]

    def test_each_label_keeps_its_share(self) -> None:
        rows, weights = coreset(POINTS, ["1"] * 90 + ["0"] * 10, 10)
        assert sum(row < 90 for row in rows.tolist()) == 9
        assert weights.sum() == 100

    def test_is_the_same_for_the_same_seed(self) -> None:
        first, again = (coreset(POINTS, LABELS, 20, seed=3)[0].tolist() for _ in range(2))
        assert first == again

    @pytest.mark.parametrize("size", [1, 100])
    def test_takes_one_or_all(self, size: int) -> None:
        rows, weights = coreset(POINTS, LABELS, size)
        assert len(rows) == len(weights) == size


class TestVectors:
    def test_like_sentences_have_like_vectors(self) -> None:
        found = vectors(["a fine old mill", "a fine old dam", "the town grew", "the town shrank"])
        alike = found @ found.T
        assert alike[0, 1] > alike[0, 2]
        assert np.allclose(np.diag(alike), 1, atol=1e-5)

    def test_sentences_of_one_word_are_no_error(self) -> None:
        assert vectors(["mill", "mill"]).shape == (2, 1)

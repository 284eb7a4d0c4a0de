"""Shares with intervals by whole clusters."""

from __future__ import annotations

import numpy as np
import pytest

from wikibias.models.evaluation.shares import numbered, share_with_interval


def slow(right: list[float], clusters: list[int], resamples: int, seed: int) -> tuple[float, float]:
    """Return the interval the long way: weights of values, one resample after another."""
    names = sorted(set(clusters))
    draws = np.random.default_rng(seed).multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=resamples
    )
    means = []
    for draw in draws:
        drawn = [
            value
            for times, name in zip(draw, names, strict=True)
            for value, cluster in zip(right, clusters, strict=True)
            if cluster == name
            for _ in range(times)
        ]
        means.append(sum(drawn) / len(drawn))
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def test_the_interval_is_that_of_whole_clusters() -> None:
    rng = np.random.default_rng(1)
    right, clusters = rng.random(60).round(1).tolist(), rng.integers(0, 9, 60).tolist()
    found = share_with_interval(right, clusters, resamples=200, seed=4)
    assert (found["low"], found["high"]) == pytest.approx(slow(right, clusters, 200, 4))
    assert found["value"] == pytest.approx(np.mean(right))


def test_values_of_one_cluster_stand_for_themselves() -> None:
    found = share_with_interval([0, 1] * 20, [7] * 40, resamples=100)
    assert found["low"] is not None
    assert found["high"] is not None
    assert found["low"] < 0.5 < found["high"]


def test_nothing_has_no_share() -> None:
    assert share_with_interval([], []) == {"value": None, "low": None, "high": None}


def test_names_are_numbered_in_order() -> None:
    assert numbered(["b", "a", "b"]).tolist() == [0, 1, 0]

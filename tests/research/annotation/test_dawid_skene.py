"""Tests of Dawid and Skene's model, against a slow exact version and on simulated annotators."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from wikibias.research.annotation.dawid_skene import NOBODY, fit


def simulated(
    seed: int, accuracies: list[float], sentences: int, gaps: float = 0.2
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return true labels, and what annotators of these accuracies say."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, sentences)
    right = rng.random((sentences, len(accuracies))) < accuracies
    said = np.where(right, true[:, None], 1 - true[:, None])
    said[rng.random(said.shape) < gaps] = NOBODY
    return true, said


def slowly(said: list[list[int]], labels: int, steps: int) -> list[list[float]]:
    """Return the probabilities after some steps, computed one by one."""
    found = []
    for row in said:
        votes = [label for label in row if label != NOBODY]
        found.append([votes.count(k) / len(votes) for k in range(labels)])
    for _ in range(steps):
        shares = [sum(row[k] for row in found) / len(found) for k in range(labels)]
        errors: dict[tuple[int, int, int], float] = {}
        for j in range(len(said[0])):
            for k in range(labels):
                given = [
                    (row[j], p[k]) for row, p in zip(said, found, strict=True) if row[j] != NOBODY
                ]
                total = sum(p for _, p in given)
                for said_label in range(labels):
                    mine = sum(p for label, p in given if label == said_label)
                    errors[j, k, said_label] = mine / total if total else 0.0
        for i, row in enumerate(said):
            products = [
                shares[k]
                * math.prod(
                    max(errors[j, k, label], 1e-10)
                    for j, label in enumerate(row)
                    if label != NOBODY
                )
                for k in range(labels)
            ]
            found[i] = [product / sum(products) for product in products]
    return found


def test_equals_a_slow_version() -> None:
    _, said = simulated(3, [0.9, 0.8, 0.7, 0.6], 60, gaps=0.1)
    said = said[(said != NOBODY).any(axis=1)]
    model = fit(said, ["0", "1"])
    exact = slowly(said.tolist(), 2, model.iterations)
    assert model.converged
    assert np.allclose(model.posterior, exact, atol=1e-9)


def test_finds_out_what_annotators_are_worth() -> None:
    accuracies = [0.95, 0.9, 0.6, 0.55, 0.3]
    true, said = simulated(1, accuracies, 3000)
    model = fit(said, ["0", "1"])
    found = [model.right(place) for place in range(len(accuracies))]
    assert found == pytest.approx(accuracies, abs=0.03)
    known = (said != NOBODY).any(axis=1)
    ones = np.where(said == 1, 1, np.where(said == 0, -1, 0)).sum(axis=1)
    by_vote = np.mean((ones > 0) == true)
    by_model = np.mean((model.posterior.argmax(axis=1) == true)[known])
    assert by_model > by_vote + 0.05
    assert model.answers.tolist() == (said != NOBODY).sum(axis=0).tolist()


def test_does_the_same_each_time() -> None:
    _, said = simulated(2, [0.9, 0.7, 0.6], 500)
    first, second = fit(said, ["0", "1"]), fit(said, ["0", "1"])
    assert first.posterior.tobytes() == second.posterior.tobytes()


def test_who_said_nothing_and_what_nobody_labelled_stand_empty() -> None:
    said = np.array([[0, 0, NOBODY], [1, 1, NOBODY], [1, 1, NOBODY], [NOBODY] * 3])
    model = fit(said, ["a", "b"])
    assert model.confusion[2].tolist() == [[0, 0], [0, 0]]
    assert model.posterior[3] == pytest.approx([1 / 3, 2 / 3])


@pytest.mark.parametrize("said", [[[NOBODY, NOBODY]], [[0, 0], [0, NOBODY]]])
def test_nothing_to_learn_is_no_error(said: list[list[int]]) -> None:
    assert fit(np.array(said), ["a"]).converged

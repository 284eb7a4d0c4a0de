"""Which of several candidates is the right one: a linear model with a softmax over each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Floats = NDArray[np.float64]
_PENALTY = 10.0
_STEPS = 200


@dataclass(frozen=True, slots=True)
class Ranker:
    """Weights of features, which are first brought to mean 0 and standard deviation 1."""

    weights: Floats
    means: Floats
    deviations: Floats

    def probabilities(self, features: Floats) -> Floats:
        """Return the probability of each candidate of one group (candidates, features)."""
        scores = ((features - self.means) / self.deviations) @ self.weights
        raised = np.exp(scores - scores.max())
        return np.asarray(raised / raised.sum(), dtype=np.float64)

    def as_dict(self) -> dict[str, list[float]]:
        """Return the model as JSON."""
        return {
            "weights": self.weights.tolist(),
            "means": self.means.tolist(),
            "deviations": self.deviations.tolist(),
        }

    @classmethod
    def of(cls, values: Any) -> Ranker:
        """Return the model that `as_dict` described."""
        names = ("weights", "means", "deviations")
        found = cls(*(np.array(values[name], dtype=np.float64) for name in names))
        if not found.weights.shape == found.means.shape == found.deviations.shape:
            raise ValueError("weights, means and deviations of unequal length")
        return found


def fit_ranker(groups: Sequence[tuple[Floats, Floats]]) -> Ranker:
    """Return the ranker under which the right candidates of each group are likeliest.

    Args:
        groups: features (candidates, features) and which candidates are right, over 0; a group has
            at least one, and any of them will do.

    It has the lowest cross-entropy with a quadratic penalty; the same data give the same weights.
    """
    features = np.vstack([each for each, _ in groups])
    means = features.mean(axis=0)
    deviations = features.std(axis=0)
    deviations[deviations < 1e-9] = 1.0
    features = (features - means) / deviations
    right = np.concatenate([marks > 0 for _, marks in groups]).astype(np.float64)
    sizes = [len(marks) for _, marks in groups]
    starts = np.cumsum([0, *sizes[:-1]])
    member = np.repeat(np.arange(len(sizes)), sizes)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = features @ weights
        raised = np.exp(scores - np.maximum.reduceat(scores, starts)[member])
        shares = raised / np.add.reduceat(raised, starts)[member]
        wanted = np.maximum(np.add.reduceat(shares * right, starts), 1e-12)
        gradient = features.T @ (shares - shares * right / wanted[member])
        penalty = _PENALTY / 2 * float(weights @ weights)
        return float(-np.log(wanted).sum()) + penalty, gradient + _PENALTY * weights

    start = np.zeros(features.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return Ranker(np.asarray(found.x, dtype=np.float64), means, deviations)

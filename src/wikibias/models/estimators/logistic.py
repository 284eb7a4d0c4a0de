"""Logistic regression on dense numbers, which may begin at the weights of another one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

Numbers = NDArray[np.float64]


def fitted(
    rows: Numbers, truth: NDArray[np.bool_], c: float, start: Numbers | None = None
) -> Numbers:
    """Return the weights of the columns and, last, the bias.

    Minimises `c` times the summed log loss plus half the squared distance of the weights to those
    at the start: of a first training on noisy labels, or zero.

    Args:
        rows: examples by columns, of mean 0 and deviation 1.
        truth: the label of each.
        c: how much the examples count.
        start: weights and bias to begin at; zeros by default.
    """
    begin = np.zeros(rows.shape[1] + 1) if start is None else start
    signs = np.where(truth, 1.0, -1.0)

    def loss(weights: Numbers) -> tuple[float, Any]:
        margins = signs * (rows @ weights[:-1] + weights[-1])
        moved = weights[:-1] - begin[:-1]
        pull = -c * signs * expit(-margins)
        gradient = np.append(rows.T @ pull + moved, pull.sum())
        return float(c * np.logaddexp(0.0, -margins).sum() + moved @ moved / 2), gradient

    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    return np.asarray(found.x, dtype=np.float64)

"""Biased first, type second: a label for "any of them" before the labels themselves.

The HIERARCHICAL model of Zhong et al. (2021), section 3.1.2: one classifier tells whether there is
bias at all, another one of which type it is, where there is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Truths = NDArray[np.bool_]


def targets(labels: Truths, judged: Truths) -> tuple[Truths, Truths]:
    """Return labels and what is judged with "any label" as a first column.

    Whether a sentence has any is known if it has one, or is judged by all. The others are learnt
    from sentences that have any.
    """
    held = labels & judged
    some = held.any(axis=1, keepdims=True)
    known = some | judged.all(axis=1, keepdims=True)
    return np.hstack([some, held]), np.hstack([known, judged & some])


def joined(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each label, of those that `targets` made: any, times this one."""
    return np.asarray(probabilities[:, :1] * probabilities[:, 1:])

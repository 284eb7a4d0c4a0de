"""Temperature scaling (Guo et al. 2017): probabilities that are as often right as they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from wikibias.kits.plugins import how_to_install

_LARGEST = 20.0
FEWEST = 10
"""Sentences of each class, under which nothing is fitted."""


def temperature(logits: NDArray[np.float64], truth: NDArray[np.bool_]) -> float | None:
    """Return the number by which to divide logits, so that held-out sentences are most likely.

    No decision changes by it: a logit keeps its sign.

    Args:
        logits: of sentences that the model has not learnt.
        truth: whether each has the label.

    Returns:
        None where there are too few sentences of a class.
    """
    if min(truth.sum(), (~truth).sum()) < FEWEST:
        return None
    signed = np.where(truth, 1.0, -1.0) * logits

    def loss(log: float) -> float:
        return float(np.logaddexp(0.0, -signed / np.exp(log)).mean())

    found = minimize_scalar(loss, bounds=(-np.log(_LARGEST), np.log(_LARGEST)), method="bounded")
    return float(np.exp(found.x))


def temperatures(
    logits: NDArray[np.float64],
    labels: NDArray[np.bool_],
    judged: NDArray[np.bool_],
    names: Sequence[str],
    say: Callable[[str], None],
) -> list[float | None]:
    """Return the temperature of each output; None where too few held-out sentences tell it.

    Args:
        logits: of held-out sentences, sentences by outputs.
        labels: which labels each has, likewise.
        judged: of which that is known, likewise.
        names: of the last outputs, for what is said of those without a temperature.
        say: takes that.
    """
    outputs = range(labels.shape[1])
    found = [temperature(logits[judged[:, n], n], labels[judged[:, n], n]) for n in outputs]
    for name, each in zip(names, found[-len(names) :], strict=True):
        if each is None:
            say(
                f"label {name}: probabilities are as the model gives them; under {FEWEST} "
                "held-out sentences of a class there is nothing to correct them by"
            )
    return found


def held_out(
    labels: NDArray[np.bool_], judged: NDArray[np.bool_], share: float, seed: int
) -> NDArray[np.bool_]:
    """Choose a share of sentences, of each combination of labels alike; rounded down.

    Args:
        labels: which labels each has, sentences by labels.
        judged: of which that is known, likewise.
        share: of them.
        seed: of the choice.

    Returns:
        Whether each is chosen.
    """
    chosen = np.zeros(len(labels), dtype=bool)
    combinations = np.hstack([labels & judged, judged])
    kind = np.unique(combinations, axis=0, return_inverse=True)[1].reshape(-1)
    order = np.random.default_rng(seed).permutation(len(labels))
    for number in range(int(kind.max()) + 1 if len(kind) else 0):
        rows = order[kind[order] == number]
        chosen[rows[: int(share * len(rows))]] = True
    return chosen


_LIBRARIES = ("torch", "transformers", "safetensors")


def missing() -> str | None:
    """Return what to install and how, or None where everything needed is installed."""
    absent = [name for name in _LIBRARIES if find_spec(name) is None]
    if not absent:
        return None
    install = how_to_install("neural")
    smaller = " (for torch without a GPU: wikibias docs install)" if "torch" in absent else ""
    return f"this needs {' and '.join(absent)}; run: {install}{smaller}"

"""True labels and the errors of each annotator at once, by expectation-maximisation.

The model of Dawid and Skene (1979, Applied Statistics 28): a sentence has a true label, and each
annotator says each label with a probability that depends on the true one only. What annotators say
of one sentence is taken to be independent given its true label; language models of one family, or
one model with several prompts, share errors, and the model then trusts them too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NOBODY = -1
"""Stands where an annotator gave no label."""
_MOST = 1000
_ENOUGH = 1e-11  # of the log-likelihood per answer
_LEAST = 1e-10  # or else one surprise would make a label impossible for ever
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """A fitted model.

    Attributes:
        labels: the labels.
        posterior: the probability of each label (second index) of each sentence (first); a sentence
            that nobody labelled has the shares of the labels.
        shares: the share of each label.
        confusion: how likely each annotator (first) says of a sentence with each true label
            (second) each label (third); all 0 where the annotator said nothing.
        answers: how many answers each annotator gave.
        iterations: how many steps it took.
        converged: whether it came to rest.
        log_likelihood: of what was said.
    """

    labels: Sequence[str]
    posterior: Floats
    shares: Floats
    confusion: Floats
    answers: Ints
    iterations: int
    converged: bool
    log_likelihood: float

    def right(self, annotator: int) -> float:
        """Return how likely an annotator says the true label."""
        return float(self.shares @ np.diag(self.confusion[annotator]))


def fit(said: Ints, labels: Sequence[str]) -> DawidSkene:
    """Fit the model; it starts from the shares of the votes, and draws nothing at random.

    Args:
        said: the place in `labels` of what each annotator (second index) said of each sentence
            (first), or `NOBODY`.
        labels: the labels.
    """
    items, annotators = said.shape
    item, annotator = np.nonzero(said != NOBODY)
    label = said[item, annotator]
    known = np.unique(item)
    posterior = np.zeros((items, len(labels)))
    np.add.at(posterior, (item, label), 1.0)
    posterior[known] /= posterior[known].sum(axis=1, keepdims=True)
    before, likelihood, steps, converged = -np.inf, 0.0, 0, not len(item)
    shares, confusion = np.zeros(len(labels)), np.zeros((annotators, len(labels), len(labels)))
    while not converged and steps < _MOST:
        steps += 1
        shares = posterior[known].mean(axis=0)
        confusion = _confusion(posterior[item], annotator, label, annotators)
        logs = np.zeros((items, len(labels)))
        np.add.at(logs, item, np.log(np.maximum(confusion, _LEAST))[annotator, :, label])
        logs += np.log(np.maximum(shares, _LEAST))
        most = logs.max(axis=1, keepdims=True)
        posterior = np.exp(logs - most)
        total = posterior.sum(axis=1, keepdims=True)
        posterior /= total
        likelihood = float((most + np.log(total))[known].sum())
        converged = likelihood - before < _ENOUGH * len(item)
        before = likelihood
    counts = np.bincount(annotator, minlength=annotators)
    return DawidSkene(labels, posterior, shares, confusion, counts, steps, converged, likelihood)


def _confusion(true: Floats, annotator: Ints, label: Ints, annotators: int) -> Floats:
    counts = np.zeros((annotators, true.shape[1], true.shape[1]))  # annotator, said, true
    np.add.at(counts, (annotator, label), true)
    counts = counts.transpose(0, 2, 1)
    total = counts.sum(axis=2, keepdims=True)
    shares: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    return shares

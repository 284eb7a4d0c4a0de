"""Explains a prediction of any model by leaving out one word at a time."""

from __future__ import annotations

import numpy as np

from wikibias.models.estimators.registry import Model

MOST_WORDS = 300
"""Distinct words of a sentence that are tried; each costs one prediction."""
_NOTICEABLE = 0.0005


def drivers(model: Model, sentence: str, count: int = 5) -> list[tuple[str, float]]:
    """Return the words with the largest effect on the probability of bias, largest first.

    The effect is the probability of the whole sentence minus that without any occurrence of the
    word: positive if the word raises the probability of bias. Omits words without a noticeable
    effect. This explains what the model did, not why people find a sentence biased.
    """
    words = sentence.split()
    tried = list(dict.fromkeys(words))[:MOST_WORDS]
    without = [" ".join(w for w in words if w != left_out) for left_out in tried]
    probabilities = model.predict_proba([sentence, *without])
    effects = probabilities[0] - probabilities[1:]
    order = np.argsort(-np.abs(effects), kind="stable")[:count]
    return [(tried[i], float(effects[i])) for i in order if abs(effects[i]) >= _NOTICEABLE]

"""The words that drove a prediction, for any model: what changes when a word is left out."""

from __future__ import annotations

import numpy as np

from wikibias.models.estimators.registry import Model

MOST_WORDS = 300
"""Different words of a sentence that are tried; each costs one prediction."""
_NOTICEABLE = 0.0005


def drivers(model: Model, sentence: str, count: int = 5) -> list[tuple[str, float]]:
    """Return the words with the largest effect on the probability of bias, largest first.

    The effect is the probability of the whole sentence less that without the word (everywhere it
    stands): over zero where the word speaks for bias. Words without a noticeable effect are left
    out. This works for every model alike, and says what the model did, not why people find a
    sentence biased.
    """
    words = sentence.split()
    tried = list(dict.fromkeys(words))[:MOST_WORDS]
    without = [" ".join(w for w in words if w != left_out) for left_out in tried]
    chances = model.predict_proba([sentence, *without])
    effects = chances[0] - chances[1:]
    order = np.argsort(-np.abs(effects), kind="stable")[:count]
    return [(tried[i], float(effects[i])) for i in order if abs(effects[i]) >= _NOTICEABLE]

"""Explains a prediction: of any model by leaving out one word at a time, or by its attention."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wikibias.models.estimators.registry import Attentive, Model

Weighted = tuple[str, float]
"""A word, and its effect or its share of the attention."""
_SHOWN = 5

MOST_WORDS = 300
"""Distinct words of a sentence that are tried; each costs one prediction."""
_NOTICEABLE = 0.0005


def drivers(model: Model, sentence: str, count: int = _SHOWN) -> list[Weighted]:
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


def attention(model: Model, sentences: Sequence[str]) -> list[list[Weighted]]:
    """Return the words of each sentence in order with their shares of a model's attention.

    Nothing for a model without attention. It says where the model looked, not what followed from
    that: a word may count much with little attention.
    """
    if not isinstance(model, Attentive):
        return []
    return [
        [(sentence[start:end], share) for (start, end), share in found]
        for sentence, found in zip(sentences, model.attention(sentences), strict=True)
    ]


def largest(shares: Sequence[Weighted], count: int = _SHOWN) -> list[Weighted]:
    """Return the words with the largest shares, the largest first."""
    return sorted(shares, key=lambda each: -each[1])[:count]

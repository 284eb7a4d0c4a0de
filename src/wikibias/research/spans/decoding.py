"""From the probabilities of words to spans, by a threshold that dev chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.research.spans.labels import BEGIN, INSIDE, OUTSIDE
from wikibias.research.spans.sentences import Tagged
from wikibias.research.spans.span_scores import MATCHES, SpanCounts

Words = NDArray[np.float64]
"""An array (words, 2) of a sentence: probability that a span begins at a word, or goes on."""
_STEPS = 40


def decode(words: Words, threshold: float) -> list[str]:
    """Return labels: a word is marked from `threshold` on, and neighbours make one span.

    A marked word begins a span of its own behind another where that is the likelier.
    """
    marked = words.sum(axis=1) >= threshold
    labels = []
    for place, (begin, inside) in enumerate(words):
        if not marked[place]:
            labels.append(OUTSIDE)
        elif place == 0 or not marked[place - 1] or begin > inside:
            labels.append(BEGIN)
        else:
            labels.append(INSIDE)
    return labels


def top_word(words: Words) -> int | None:
    """Return the word that is most likely biased, the first of several; None of no word."""
    return int(np.argmax(words.sum(axis=1))) if len(words) else None


def quality(scores: Mapping[str, Any]) -> float:
    """Return the mean of the F1 of all matches, which varies less than that of one of them."""
    return sum(scores[name]["f1"] or 0.0 for name in MATCHES) / len(MATCHES)


def best_threshold(dev: Sequence[Tagged], found: Sequence[Words]) -> tuple[float, dict[str, Any]]:
    """Return the threshold with the best `quality` on dev, and the scores with it.

    Of several that are equal the highest is taken. Those tried are quantiles of what dev has.
    """
    sums = np.concatenate([words.sum(axis=1) for words in found]) if found else np.zeros(0)
    positive = sums[sums > 0]
    # Marked words are few: what matters is the upper end.
    shares = 1 - np.geomspace(0.002, 1, _STEPS)
    tried = (
        sorted({float(np.quantile(positive, share)) for share in shares}) if len(positive) else []
    )
    best = (-1.0, 1.0, dict[str, Any]())
    for threshold in tried or [1.0]:
        counts = SpanCounts()
        for sentence, words in zip(dev, found, strict=True):
            counts.add(sentence.labels, decode(words, threshold))
        scores = counts.scores(resamples=1)
        value = quality(scores)
        if value >= best[0]:
            best = (value, threshold, scores)
    return best[1], best[2]

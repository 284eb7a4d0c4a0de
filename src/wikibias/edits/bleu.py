"""BLEU of two sentences, as WNC uses it to tell which belong together (Pryzant et al. 2020)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log

_LONGEST = 4
Tokens = Sequence[str]
NGrams = Sequence[Counter[tuple[str, ...]]]


def ngrams(tokens: Tokens) -> NGrams:
    """Return how often each run of 1, 2, 3 and 4 tokens occurs."""
    return [
        Counter(zip(*(tokens[start:] for start in range(length)), strict=False))
        for length in range(1, _LONGEST + 1)
    ]


def bleu(source: Tokens, target: Tokens) -> float:
    """Return BLEU-4 of a sentence against another, 0 to 100; see `bleu_of`."""
    return bleu_of(ngrams(source), ngrams(target))


def bleu_of(source: NGrams, target: NGrams) -> float:
    """Return BLEU-4 of the source against the target, by their n-grams, 0 to 100.

    With brevity penalty and without smoothing: 0 where no run of four tokens is shared.
    """
    lengths = source[0].total(), target[0].total()
    shared = [sum((one & other).values()) for one, other in zip(source, target, strict=True)]
    if not all(shared):
        return 0.0
    precision = sum(log(common / each.total()) for common, each in zip(shared, source, strict=True))
    brevity = min(0.0, 1 - lengths[1] / lengths[0])
    return 100 * exp(brevity + precision / _LONGEST)

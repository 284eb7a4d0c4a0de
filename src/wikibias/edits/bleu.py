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


def smoothed_bleu(source: Tokens, target: Tokens) -> float:
    """Return BLEU-4 of a sentence against another, 0 to 100, for short ones too.

    One is added to the counts of runs of two to four tokens (Lin and Och 2004), so that sentences
    of five words with one replaced are not as unlike as any two.
    """
    return _bleu(ngrams(source), ngrams(target), added=1)


def bleu_of(source: NGrams, target: NGrams) -> float:
    """Return BLEU-4 of a sentence against another, by their n-grams, 0 to 100.

    With brevity penalty and without smoothing: 0 where no run of four tokens is shared.
    """
    return _bleu(source, target, added=0)


def _bleu(source: NGrams, target: NGrams, added: int) -> float:
    precision = 0.0
    for number, (one, other) in enumerate(zip(source, target, strict=True)):
        more = added if number else 0
        shared = sum((one & other).values()) + more
        if not shared:
            return 0.0
        precision += log(shared / (one.total() + more))
    brevity = min(0.0, 1 - target[0].total() / source[0].total())
    return 100 * exp(brevity + precision / _LONGEST)

"""Corpus BLEU as the authors of the Wiki Neutrality Corpus count it, from counts that add up.

Papineni et al. 2002 with up to four tokens in a row, one reference and the brevity penalty, and no
smoothing: where one of the four has no match, the score is 0. Pryzant et al. 2020 count it over
word pieces, and compare their systems by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LONGEST = 4
"""Tokens in a row."""
WIDTH = 2 * LONGEST + 2
"""Counts for a sentence: matches and n-grams of each length, tokens of output and target."""


def counts(output: Sequence[str], target: Sequence[str]) -> list[int]:
    """Return the counts of one sentence, `WIDTH` numbers; those of sentences may be added up."""
    found: list[int] = []
    for length in range(1, LONGEST + 1):
        found.append(sum((ngrams(output, length) & ngrams(target, length)).values()))
    found += (max(len(output) - length + 1, 0) for length in range(1, LONGEST + 1))
    return [*found, len(output), len(target)]


def ngrams(tokens: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    """Count what stands in a row of so many tokens."""
    return Counter(zip(*(tokens[at:] for at in range(length)), strict=False))


def bleu(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return BLEU, 0 to 100, for each row of summed counts (rows, `WIDTH`)."""
    matches, totals = sums[:, :LONGEST], sums[:, LONGEST : 2 * LONGEST]
    outputs, targets = sums[:, -2], sums[:, -1]
    some = (matches > 0).all(axis=1) & (outputs > 0)
    precisions = np.where(some[:, None], matches / np.maximum(totals, 1), 1.0)
    means = np.exp(np.log(precisions).mean(axis=1))
    penalties = np.exp(np.minimum(0.0, 1 - targets / np.maximum(outputs, 1)))
    return np.asarray(np.where(some, 100 * means * penalties, 0.0), dtype=np.float64)

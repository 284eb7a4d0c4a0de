"""Corpus BLEU as the authors of the Wiki Neutrality Corpus count it, and SARI."""

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


def sari(source: Sequence[str], output: Sequence[str], target: Sequence[str]) -> float:
    """Return SARI of one sentence with one reference, 0 to 100.

    The mean over n-grams of one to four tokens of three scores: F1 of what is kept, F1 of what is
    added, precision of what is deleted. Where there is nothing to keep, add or delete, and nothing
    is, the score is 1, so that the editor's own text gets 100.
    """
    kept = deleted = added = 0.0
    for length in range(1, LONGEST + 1):
        before, after, wanted = (ngrams(tokens, length) for tokens in (source, output, target))
        keep, keep_wanted = before & after, before & wanted
        right = keep & wanted
        kept += _f1(
            _share(sum(right[gram] / keep[gram] for gram in right), len(keep)),
            _share(sum(right[gram] / keep_wanted[gram] for gram in right), len(keep_wanted)),
        )
        gone = before - after
        right = gone - wanted
        deleted += _share(sum(right[gram] / gone[gram] for gram in right), len(gone))
        new, new_wanted = after.keys() - before.keys(), wanted.keys() - before.keys()
        both = len(new & new_wanted)
        added += _f1(_share(both, len(new)), _share(both, len(new_wanted)))
    return 100 * (kept + deleted + added) / (3 * LONGEST)


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

"""SARI (Xu et al. 2016, section 4): what a rewrite keeps, deletes and adds, beside an editor's."""

from __future__ import annotations

from collections.abc import Sequence

from wikibias.research.neutralising.bleu import LONGEST, ngrams


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

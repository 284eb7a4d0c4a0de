"""Scores of rewrites by their n-grams: corpus BLEU and chrF by sacrebleu, and SARI."""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

# It warns of sentence scores, of which only the counts are used, and of texts that look tokenised.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)
LONGEST = 4
"""Tokens in a row."""
_CHRF = CHRF()


class CorpusBleu:
    """BLEU without smoothing, 0 to 100, of counts that may be added up.

    Args:
        tokens: what a text is split by: "none" for its spaces, as the authors of the Wiki
            Neutrality Corpus do, or another tokeniser of sacrebleu.
    """

    def __init__(self, tokens: str) -> None:
        self._metric = BLEU(tokenize=tokens, smooth_method="none")

    def counts(self, output: str, target: str) -> list[int]:
        """Return the counts of one sentence; those of sentences may be added up."""
        found = self._metric.sentence_score(output, [target])
        return [*found.counts, *found.totals, found.sys_len, found.ref_len]

    def scores(self, sums: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return BLEU for each row of summed counts."""
        found = []
        for row in sums:
            whole = [round(value) for value in row.tolist()]
            matches, totals, lengths = whole[:LONGEST], whole[LONGEST:-2], whole[-2:]
            score = BLEU.compute_bleu(matches, totals, lengths[0], lengths[1], "none")
            found.append(score.score)
        return np.array(found, dtype=np.float64)


GIVEN = CorpusBleu("none")
"""Over the tokens given, which stand between spaces."""
TEXT = CorpusBleu("13a")
"""Over sacrebleu's own tokens of a text."""


def chrf(output: str, reference: str) -> float:
    """Return chrF of one sentence (Popović 2015; six characters, beta 2), 0 to 100."""
    return float(_CHRF.sentence_score(output, [reference]).score)


def sari(source: Sequence[str], output: Sequence[str], target: Sequence[str]) -> float:
    """Return SARI of one sentence with one reference, 0 to 100.

    The mean over n-grams of one to four tokens of three scores: F1 of what is kept, F1 of what is
    added, precision of what is deleted. Where there is nothing to keep, add or delete, and nothing
    is, the score is 1, so that the editor's own text gets 100.
    """
    kept = deleted = added = 0.0
    for length in range(1, LONGEST + 1):
        before, after, wanted = (_ngrams(tokens, length) for tokens in (source, output, target))
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


def _ngrams(tokens: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[at:] for at in range(length)), strict=False))


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

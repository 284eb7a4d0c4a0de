"""BLEU and chrF as the library sacrebleu counts them. The only module that knows it."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

# It warns of sentence scores, of which only the counts are used, and of texts that look tokenised.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)
_bleu = BLEU(smooth_method="none")
_chrf = CHRF()


def library_counts(output: str, target: str) -> list[int]:
    """Return the counts of one sentence for `library_bleu`; those of sentences may be added up."""
    found = _bleu.sentence_score(output, [target])
    return [*found.counts, *found.totals, found.sys_len, found.ref_len]


def library_bleu(sums: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return BLEU with sacrebleu's own tokens (13a), 0 to 100, for each row of summed counts."""
    found = []
    for row in sums:
        whole = [round(value) for value in row.tolist()]
        score = BLEU.compute_bleu(whole[:4], whole[4:8], whole[8], whole[9], smooth_method="none")
        found.append(score.score)
    return np.array(found, dtype=np.float64)


def chrf(output: str, reference: str) -> float:
    """Return chrF of one sentence (Popović 2015; six characters, beta 2), 0 to 100."""
    return float(_chrf.sentence_score(output, [reference]).score)

"""Scores of the library, of sums of sentences and of one."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from wikibias.research.neutralising.library_scores import chrf, library_bleu, library_counts

OUTPUTS = ["The mill, built in 1850, was closed.", "He said that it was a well-known case."]
TARGETS = ["The old mill, built in 1850, was closed.", "He said it was a well-known case."]


def test_the_sum_of_sentences_gives_the_score_of_all() -> None:
    rows = [library_counts(o, t) for o, t in zip(OUTPUTS, TARGETS, strict=True)]
    found = library_bleu(np.array([np.sum(rows, axis=0)], dtype=float))
    expected = BLEU(smooth_method="none").corpus_score(OUTPUTS, [TARGETS]).score
    assert found[0] == pytest.approx(expected)


def test_chrf_is_100_for_the_same_text_and_falls_with_each_word() -> None:
    assert chrf(TARGETS[0], TARGETS[0]) == 100.0
    assert 50 < chrf(OUTPUTS[0], TARGETS[0]) < 100

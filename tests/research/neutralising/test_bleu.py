"""Corpus BLEU over given tokens, as the field's scripts count it."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from wikibias.research.neutralising.bleu import bleu, counts

TARGETS = (
    "the bridge was opened in 1932 and carries the coast road .",
    "the council said that the plan would cost less .",
)
OUTPUTS = (
    "the bridge was opened in 1932 and carries the famous coast road .",
    "the council claimed that the plan would cost less .",
)


def scored(outputs: tuple[str, ...], targets: tuple[str, ...]) -> float:
    rows = [counts(o.split(), t.split()) for o, t in zip(outputs, targets, strict=True)]
    return float(bleu(np.array([np.sum(rows, axis=0)], dtype=float))[0])


@pytest.mark.parametrize("outputs", [OUTPUTS, TARGETS, ("the bridge was opened in 1932", "")])
def test_it_is_the_bleu_of_the_literature(outputs: tuple[str, ...]) -> None:
    known = BLEU(tokenize="none", smooth_method="none", force=True)
    expected = known.corpus_score(list(outputs), [list(TARGETS)]).score
    assert scored(outputs, TARGETS) == pytest.approx(expected)


def test_a_length_without_a_match_gives_zero() -> None:
    assert scored(("a b c x d e f", ""), ("a b c d e f", "")) == 0.0
    assert scored(("", ""), TARGETS) == 0.0

"""Scores a file of gold and predicted labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.models.examples import Warn
from wikibias.research.spans import conll
from wikibias.research.spans.clean_up import GOLD_ENDS, PREDICTED_ENDS, cleaned
from wikibias.research.spans.span_scores import SpanCounts


def score_file(
    path: Path,
    columns: Sequence[str] | None,
    *,
    clean_up: bool,
    warn: Warn,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """Return the scores of a file with gold and predicted labels; see `SpanCounts.scores`.

    Raises:
        UsageError: it lacks a column that is needed: gold and prediction, and with `clean_up` the
            word; or see `conll.read`.
        WikibiasError: see `conll.read`.
    """
    counts = SpanCounts()
    for sentence in conll.read(path, columns, warn):
        gold, predicted = sentence.gold, sentence.predicted
        if gold is None or predicted is None:
            missing = "gold" if gold is None else "prediction"
            raise UsageError(
                f"{path}: no column {missing}; name the columns with --columns, or with --model "
                "let a tagger predict"
            )
        if clean_up:
            if sentence.words is None:
                raise UsageError(f"{path}: --clean-up needs a column word; leave it out")
            gold = cleaned(sentence.words, gold, GOLD_ENDS)
            predicted = cleaned(sentence.words, predicted, PREDICTED_ENDS)
        counts.add(gold, predicted)
    scores = counts.scores(resamples=resamples, seed=seed)
    return {**scores, "clean_up": clean_up, "resamples": resamples, "seed": seed}

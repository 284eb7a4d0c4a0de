"""Scores a tagger on sentences: its spans, and how often its most likely word is a changed one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import UNDEFINED, bootstrap
from wikibias.models.examples import Warn
from wikibias.research.spans.labels import GOLD_ENDS, OUTSIDE, PREDICTED_ENDS, Tagged, cleaned
from wikibias.research.spans.marking import Marker, decode, top_word
from wikibias.research.spans.scores import SpanCounts
from wikibias.research.spans.taggers import Tagger
from wikibias.research.spans.training_data import Source, labelled_sentences

_AT_ONCE = 500


def evaluate(
    tagger: Tagger,
    threshold: float,
    sentences: Iterable[Tagged],
    *,
    clean_up: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Any]:
    """Return the scores of `SpanCounts.scores`, and `detection`.

    Detection accuracy (Pryzant et al. 2020, table 8): of the sentences that have a gold span or
    that an editor changed, the share where the word that the tagger finds most likely is in a gold
    span. `interval` is of 95 %.
    """
    counts = SpanCounts()
    hits: list[bool] = []
    rows = iter(sentences)
    while some := list(islice(rows, _AT_ONCE)):
        found = tagger.probabilities([sentence.words for sentence in some])
        for sentence, words in zip(some, found, strict=True):
            gold, predicted = [*sentence.labels], decode(words, threshold)
            if (sentence.biased or sentence.edited) and (top := top_word(words)) is not None:
                hits.append(gold[top] != OUTSIDE)
            if clean_up:
                gold = cleaned(sentence.words, gold, GOLD_ENDS)
                predicted = cleaned(sentence.words, predicted, PREDICTED_ENDS)
            counts.add(gold, predicted)
    return {
        **counts.scores(resamples=resamples, seed=seed),
        "detection": _detection(hits, resamples, seed),
    }


def score_tagger(
    folder: Path, source: Source, *, clean_up: bool, warn: Warn, resamples: int, seed: int
) -> dict[str, Any]:
    """Return the scores of a tagger on the sentences of a file; see `evaluate`.

    Raises:
        UsageError: see `marking.Marker` and `training_data.labelled_sentences`.
        WikibiasError: likewise.
    """
    marker = Marker(folder)
    scores = evaluate(
        marker.tagger,
        marker.threshold,
        labelled_sentences(source, warn),
        clean_up=clean_up,
        resamples=resamples,
        seed=seed,
    )
    return {**scores, "clean_up": clean_up, "resamples": resamples, "seed": seed}


def _detection(hits: list[bool], resamples: int, seed: int) -> dict[str, Any]:
    n, right = len(hits), sum(hits)
    share = right / n if n else None
    found = (
        bootstrap(
            lambda weights: {"accuracy": weights[:, 0] / n},
            np.array([right, n - right]),
            resamples=resamples,
            seed=seed,
        )
        if n
        else {"accuracy": UNDEFINED}
    )
    ends = [found["accuracy"]["low"], found["accuracy"]["high"]]
    return {"sentences": n, "hits": right, "accuracy": share, "interval": ends}

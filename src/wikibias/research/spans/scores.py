"""Scores predicted spans against gold ones by four definitions of a match.

exact: both have the same first and the same last word.
right_boundary: both end with the same word. The field calls this one "partial" (Zhong et al. 2021,
  table 7).
overlap: both share a word; each span matches one other at most, taken from left to right.
token: words inside of spans are compared, and spans play no part.

Precision is the share of what is predicted that matches, recall the share of the gold, F1 their
harmonic mean. The published script gives each score one spurious match more; we do not.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.errors import UsageError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import UNDEFINED, Values, Weights, bootstrap
from wikibias.models.examples import Warn
from wikibias.research.spans import labels
from wikibias.research.spans.examples import Source, sentences_to_score
from wikibias.research.spans.labels import (
    GOLD_ENDS,
    OUTSIDE,
    PREDICTED_ENDS,
    Span,
    Tagged,
    cleaned,
    spans,
)
from wikibias.research.spans.marking import Marker, Words, decode, top_word
from wikibias.research.spans.taggers import Tagger

MATCHES: Mapping[str, str] = {
    "exact": "exact",
    "right_boundary": "right boundary",
    "overlap": "overlap",
    "token": "token",
}
"""Key in the JSON -> what a table calls a definition of a match."""
RATES = ("precision", "recall", "f1")
_AT_ONCE = 500
_STEPS = 40


class SpanCounts:
    """Counts of a set of sentences, each by itself, so that they can be resampled."""

    def __init__(self) -> None:
        self.words = 0
        # Of each match in the order of `MATCHES`: true positives, gold and predicted.
        self._rows: list[list[tuple[int, int, int]]] = []

    def add(self, gold: Sequence[str], predicted: Sequence[str]) -> None:
        """Count a sentence by the labels of its words."""
        self.words += len(gold)
        first, second = spans(gold), spans(predicted)
        matched = (
            len({*first} & {*second}),
            len({end for _, end in first} & {end for _, end in second}),
            _overlapping(first, second),
        )
        inside, marked = ([label[0] != "O" for label in side] for side in (gold, predicted))
        both = sum(a and b for a, b in zip(inside, marked, strict=True))
        of_spans = [(found, len(first), len(second)) for found in matched]
        self._rows.append([*of_spans, (both, sum(inside), sum(marked))])

    def scores(self, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
        """Return all scores, as plain values for JSON, with 95 % bootstrap intervals.

        A rate is a fraction, or None where it is not defined: recall without a gold span.
        """
        table = np.array(self._rows, dtype=np.float64).reshape(-1, 3 * len(MATCHES))

        def rates(weights: Weights) -> dict[tuple[str, str], Values]:
            sums, found = (weights @ table).reshape(-1, len(MATCHES), 3), {}
            for place, match in enumerate(MATCHES):
                tp, gold, predicted = sums[:, place].T
                with np.errstate(divide="ignore", invalid="ignore"):
                    found[match, "precision"] = np.where(predicted > 0, tp / predicted, 0.0)
                    found[match, "recall"] = tp / gold
                    found[match, "f1"] = 2 * tp / (gold + predicted)
            return found

        found = bootstrap(rates, len(table), resamples=resamples, seed=seed)
        totals = dict(
            zip(MATCHES, table.sum(axis=0).astype(int).reshape(-1, 3).tolist(), strict=True)
        )
        _, gold, predicted = totals["exact"]
        result: dict[str, Any] = {"gold": gold, "predicted": predicted}
        for match, (tp, *_) in totals.items():
            result[match] = {"tp": tp, **{rate: found[match, rate]["value"] for rate in RATES}}
        _, gold, predicted = totals["token"]
        result["token"] |= {"gold": gold, "predicted": predicted}
        ends = {
            match: {rate: [found[match, rate][end] for end in ("low", "high")] for rate in RATES}
            for match in MATCHES
        }
        intervals = ends if len(table) > 1 else {}
        return {**result, "sentences": len(table), "tokens": self.words, "intervals": intervals}


def _overlapping(gold: Sequence[Span], predicted: Sequence[Span]) -> int:
    """Return how many pairs share a word, each span in one at most: as many as there can be."""
    found = at = other = 0
    while at < len(gold) and other < len(predicted):
        (start, end), (begin, stop) = gold[at], predicted[other]
        shares = start < stop and begin < end
        found += shares
        at += shares or end <= stop
        other += shares or stop < end
    return found


def quality(scores: Mapping[str, Any]) -> float:
    """Return the mean of the F1 of all matches, which varies less than that of one of them."""
    return sum(scores[name]["f1"] or 0.0 for name in MATCHES) / len(MATCHES)


def best_threshold(dev: Sequence[Tagged], found: Sequence[Words]) -> tuple[float, dict[str, Any]]:
    """Return the threshold with the best `quality` on dev, and the scores with it.

    Of several that are equal the highest is taken. Those tried are quantiles of what dev has.
    """
    sums = np.concatenate([words.sum(axis=1) for words in found]) if found else np.zeros(0)
    positive = sums[sums > 0]
    # Marked words are few: what matters is the upper end.
    shares = 1 - np.geomspace(0.002, 1, _STEPS)
    tried = (
        sorted({float(np.quantile(positive, share)) for share in shares}) if len(positive) else []
    )
    best = (-1.0, 1.0, dict[str, Any]())
    for threshold in tried or [1.0]:
        counts = SpanCounts()
        for sentence, words in zip(dev, found, strict=True):
            counts.add(sentence.labels, decode(words, threshold))
        scores = counts.scores(resamples=1)
        value = quality(scores)
        if value >= best[0]:
            best = (value, threshold, scores)
    return best[1], best[2]


def evaluate(
    tagger: Tagger,
    threshold: float,
    sentences: Iterable[Tagged],
    *,
    clean_up: bool = False,
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
    return {**counts.scores(seed=seed), "detection": _detection(hits, seed)}


def score_tagger(folder: Path, source: Source, *, clean_up: bool, warn: Warn) -> dict[str, Any]:
    """Return the scores of a tagger on the sentences of a file; see `evaluate`.

    Raises:
        UsageError: see `marking.Marker` and `examples.sentences_to_score`.
        WikibiasError: likewise.
    """
    marker = Marker(folder)
    sentences = sentences_to_score(source, warn)
    return _with_settings(
        evaluate(marker.tagger, marker.threshold, sentences, clean_up=clean_up), clean_up
    )


def _detection(hits: list[bool], seed: int) -> dict[str, Any]:
    n, right = len(hits), sum(hits)
    found = UNDEFINED
    if n:
        found = bootstrap(
            lambda weights: {"": weights[:, 0] / n}, np.array([right, n - right]), seed=seed
        )[""]
    interval = [found["low"], found["high"]]
    return {"sentences": n, "hits": right, "accuracy": found["value"], "interval": interval}


def score_file(
    path: Path, columns: Sequence[str] | None, *, clean_up: bool, warn: Warn
) -> dict[str, Any]:
    """Return the scores of a file with gold and predicted labels; see `SpanCounts.scores`.

    Raises:
        UsageError: it lacks a column that is needed: gold and prediction, and with `clean_up` the
            word; or see `labels.read`.
        WikibiasError: see `labels.read`.
    """
    counts = SpanCounts()
    for sentence in labels.read(path, columns, warn):
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
    return _with_settings(counts.scores(), clean_up)


def _with_settings(scores: dict[str, Any], clean_up: bool) -> dict[str, Any]:
    """Return scores, and how they came about."""
    return {**scores, "clean_up": clean_up, "resamples": RESAMPLES, "seed": 0}

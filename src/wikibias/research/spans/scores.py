"""Scores predicted spans against gold ones by four definitions of a match.

exact: both have the same first and the same last word.
right_boundary: both end with the same word. The field calls this one "partial" (Zhong et al. 2021,
  table 7).
overlap: both share a word; each span matches one other at most, taken from left to right.
token: words inside of spans are compared, and spans play no part.

Precision is the share of what is predicted that matches, recall the share of the gold, F1 their
harmonic mean. The published script gives each score one spurious match more; we do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.kits import RESAMPLES
from wikibias.models.examples import Warn
from wikibias.research.spans import labels
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
from wikibias.research.spans.training_data import Source, labelled_sentences

MATCHES: Mapping[str, str] = {
    "exact": "exact",
    "right_boundary": "right boundary",
    "overlap": "overlap",
    "token": "token",
}
"""Key in the JSON -> what a table calls a definition of a match."""
RATES = ("precision", "recall", "f1")
_COUNTS = ("gold", "predicted", "exact", "right_boundary", "overlap")
_WORDS = ("gold", "predicted", "token")
_CELLS_AT_ONCE = 4_000_000

Counts = NDArray[np.int64]


class SpanCounts:
    """Counts of a set of sentences: eight numbers a sentence, so that they can be resampled."""

    def __init__(self) -> None:
        self.words = 0
        self._rows: list[tuple[int, ...]] = []

    def add(self, gold: Sequence[str], predicted: Sequence[str]) -> None:
        """Count a sentence by the labels of its words."""
        self.words += len(gold)
        self._rows.append(
            (*_span_counts(spans(gold), spans(predicted)), *_word_counts(gold, predicted))
        )

    def scores(self, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
        """Return all scores, as plain values for JSON, with 95 % bootstrap intervals.

        A rate is a fraction, or None where it is not defined: recall without a gold span.
        """
        table = np.array(self._rows, dtype=np.int64).reshape(-1, len(_COUNTS) + len(_WORDS))
        total = table.sum(axis=0)
        of = dict(zip(_COUNTS, total, strict=False))
        result: dict[str, Any] = {"gold": int(of["gold"]), "predicted": int(of["predicted"])}
        drawn = _resampled(table, resamples, seed)
        intervals: dict[str, Any] = {}
        for name in MATCHES:
            columns = _columns(name)
            tp, gold, predicted = (int(total[column]) for column in columns)
            result[name] = {"tp": tp, **_plain(_rates(*(total[None, c] for c in columns)))}
            if name == "token":
                result[name] |= {"gold": gold, "predicted": predicted}
            if drawn is not None:
                intervals[name] = _percentiles(_rates(*(drawn[:, c] for c in columns)))
        return {**result, "sentences": len(table), "tokens": self.words, "intervals": intervals}


def _columns(match: str) -> tuple[int, int, int]:
    """Return the columns of true positives, gold and predicted for a definition of a match."""
    if match == "token":
        base = len(_COUNTS)
        return base + 2, base, base + 1
    return _COUNTS.index(match), 0, 1


def _span_counts(gold: Sequence[Span], predicted: Sequence[Span]) -> tuple[int, ...]:
    exact = len({*gold} & {*predicted})
    right = len({end for _, end in gold} & {end for _, end in predicted})
    return len(gold), len(predicted), exact, right, _overlapping(gold, predicted)


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


def _word_counts(gold: Sequence[str], predicted: Sequence[str]) -> tuple[int, int, int]:
    inside = [label[0] != "O" for label in gold]
    marked = [label[0] != "O" for label in predicted]
    both = sum(a and b for a, b in zip(inside, marked, strict=True))
    return sum(inside), sum(marked), both


def _rates(tp: Counts, gold: Counts, predicted: Counts) -> tuple[NDArray[np.float64], ...]:
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(predicted > 0, tp / predicted, 0.0)
        return precision, tp / gold, 2 * tp / (gold + predicted)


def _plain(rates: Iterable[NDArray[np.float64]]) -> dict[str, float | None]:
    return {name: _number(rate[0]) for name, rate in zip(RATES, rates, strict=True)}


def _percentiles(rates: Iterable[NDArray[np.float64]]) -> dict[str, list[float | None]]:
    found: dict[str, list[float | None]] = {}
    for name, values in zip(RATES, rates, strict=True):
        known = values[~np.isnan(values)]
        ends = np.percentile(known, [2.5, 97.5]) if len(known) else (np.nan, np.nan)
        found[name] = [_number(end) for end in ends]
    return found


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _resampled(table: Counts, resamples: int, seed: int) -> Counts | None:
    """Return the sums of a table (sentences, counts) over sentences drawn with replacement."""
    size = len(table)
    if size < 2:
        return None
    rng = np.random.default_rng(seed)
    at_once = max(1, _CELLS_AT_ONCE // size)
    sums = [
        rng.multinomial(size, np.full(size, 1 / size), size=min(at_once, resamples - start)) @ table
        for start in range(0, resamples, at_once)
    ]
    return np.concatenate(sums)


_STEPS = 40


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
    ends: Iterator[float] = iter(())
    if n > 1:
        drawn = np.random.default_rng(seed).binomial(n, right / n, size=resamples) / n
        ends = (float(end) for end in np.percentile(drawn, [2.5, 97.5]))
    return {"sentences": n, "hits": right, "accuracy": share, "interval": [*ends] or [None, None]}


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
    scores = counts.scores(resamples=resamples, seed=seed)
    return {**scores, "clean_up": clean_up, "resamples": resamples, "seed": seed}

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

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Values, bootstrap, known_number
from wikibias.research.spans.labels import Span, spans

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
        found = bootstrap(
            lambda weights: _all_rates(weights @ table), len(table), resamples=resamples, seed=seed
        )
        intervals: dict[str, dict[str, list[float | None]]] = {}
        for (name, rate), entry in found.items() if len(table) > 1 else ():
            intervals.setdefault(name, {})[rate] = [entry["low"], entry["high"]]
        for name in MATCHES:
            columns = _columns(name)
            tp, gold, predicted = (int(total[column]) for column in columns)
            result[name] = {"tp": tp, **_plain(_rates(*(total[None, c] for c in columns)))}
            if name == "token":
                result[name] |= {"gold": gold, "predicted": predicted}
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
    return {name: known_number(rate[0]) for name, rate in zip(RATES, rates, strict=True)}


def _all_rates(sums: Values) -> dict[tuple[str, str], Values]:
    """Return every rate of every definition of a match, from rows of sums of counts."""
    return {
        (name, rate): values
        for name in MATCHES
        for rate, values in zip(
            RATES, _rates(*(sums[:, column] for column in _columns(name))), strict=True
        )
    }

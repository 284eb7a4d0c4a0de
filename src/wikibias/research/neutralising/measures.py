"""Judges rewrites beside the sentences they come from and what editors made of those."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import bootstrap
from wikibias.research.neutralising.bleu import bleu, counts
from wikibias.research.neutralising.detokenise import detokenise
from wikibias.research.neutralising.library_scores import chrf, library_bleu, library_counts
from wikibias.research.neutralising.sari import sari
from wikibias.text.similarity import changes

NOTE = (
    "Exact match is no success rate: an editor's own words are one good rewrite of many. Of 257 "
    "rewrites that a person judged, 206 removed the bias (80.2 %), and 73 were an exact match; of "
    "178 others 74 (41.6 %), and 4. Compare systems by it, on the same rows only."
)
MEASURES: Mapping[str, str] = {
    "bleu": "BLEU over the given tokens",
    "exact_pct": "Exact match, %",
    "sacrebleu": "BLEU by sacrebleu, on text",
    "sari": "SARI",
    "change_rate": "Tokens changed, %",
    "chrf_to_source": "Meaning kept: chrF to the source",
    "bias_left": "Bias left: mean probability",
}
"""What is measured -> what it is called, in the order of the table."""
_DECIMALS = {"bias_left": 4}
_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rewrites:
    """Sentences, what editors made of them, and what a system did; one entry for each row."""

    sources: Sequence[str]
    targets: Sequence[str]
    outputs: Sequence[str]

    def __len__(self) -> int:
        return len(self.sources)


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of each row.

    Attributes:
        rows: measure -> a number for each row, of which the mean counts.
        sums: measure -> the counts of each row, and the function that makes scores of sums.
    """

    rows: Mapping[str, _Floats]
    sums: Mapping[str, tuple[_Floats, Callable[[Any], _Floats]]]


def measure(found: Rewrites, bias: Callable[[Sequence[str]], _Floats] | None = None) -> Measured:
    """Measure each row; `bias` gives the probability that each text is biased, if it is known."""
    split = [[text.split() for text in side] for side in (found.sources, found.outputs)]
    targets = [text.split() for text in found.targets]
    (sources, outputs), texts = split, [detokenise(text) for text in found.outputs]
    rows: dict[str, Sequence[float] | _Floats] = {
        "exact": [100.0 * (o == t) for o, t in zip(outputs, targets, strict=True)],
        "unchanged": [100.0 * (s == o) for s, o in zip(sources, outputs, strict=True)],
        "sari": [sari(*row) for row in zip(sources, outputs, targets, strict=True)],
        "change_rate": [changed(*row) for row in zip(sources, outputs, strict=True)],
        "chrf_to_source": [
            chrf(text, detokenise(source))
            for text, source in zip(texts, found.sources, strict=True)
        ],
    }
    if bias is not None:
        rows["bias_left"] = bias(texts)
    pairs = list(zip(texts, map(detokenise, found.targets), strict=True))
    ours = [counts(o, t) for o, t in zip(outputs, targets, strict=True)]
    sums = {
        "bleu": (_table(ours), bleu),
        "sacrebleu": (_table([library_counts(*pair) for pair in pairs]), library_bleu),
    }
    return Measured({name: _table(values) for name, values in rows.items()}, sums)


def changed(source: Sequence[str], output: Sequence[str]) -> float:
    """Return how many of a hundred tokens of the longer side were taken out or put in."""
    numbers: dict[str, int] = {}
    left, right = (
        [numbers.setdefault(token, len(numbers)) for token in side] for side in (source, output)
    )
    found = sum(max(end - start, last - first) for start, end, first, last in changes(left, right))
    return 100.0 * found / max(len(source), len(output), 1)


def summary(found: Measured, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return the scores of a system as JSON, with 95 % intervals by resampling the rows.

    `exact` and `unchanged` are numbers of rows; rows with the same tokens are equal.
    """
    exact, unchanged = found.rows["exact"], found.rows["unchanged"]
    scores: dict[str, Any] = {
        "n": len(exact),
        "bleu": _point(found, "bleu"),
        "exact": int((exact > 0).sum()),
        "exact_pct": _point(found, "exact_pct"),
        "unchanged": int((unchanged > 0).sum()),
    }
    scores |= {name: _point(found, name) for name in MEASURES if name not in scores}
    known = [name for name in MEASURES if scores[name] is not None]
    drawn = bootstrap(
        lambda weights: {name: _values(found, name, weights) for name in known},
        len(exact),
        resamples=resamples,
        seed=seed,
    )
    scores["intervals"] = {
        name: [round(end, _DECIMALS.get(name, 2)) for end in (entry["low"], entry["high"])]
        for name, entry in drawn.items()
        if entry["low"] is not None
    }
    scores["resamples"], scores["seed"], scores["note"] = resamples, seed, NOTE
    return scores


def _point(found: Measured, name: str) -> float | None:
    if name == "bias_left" and name not in found.rows:
        return None
    value = _values(found, name, np.ones((1, len(found.rows["exact"]))))[0]
    return round(float(value), _DECIMALS.get(name, 2))


def _values(found: Measured, name: str, weights: _Floats) -> _Floats:
    """Return a measure for each row of weights (draws, rows)."""
    if name in found.sums:
        counted, score = found.sums[name]
        return score(weights @ counted)
    column = found.rows["exact" if name == "exact_pct" else name]
    return np.asarray(weights @ column / weights.sum(axis=1), dtype=np.float64)


_table: Callable[[Any], _Floats] = partial(np.asarray, dtype=np.float64)

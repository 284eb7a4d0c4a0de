"""Scores of rewrites beside their sources and editors' own, and their agreement with people."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from wikibias.errors import WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Predictions, bootstrap, score_with_intervals
from wikibias.models.estimators import registry
from wikibias.models.prediction import reader
from wikibias.research.neutralising.ngram_scores import bleu, counts, sari
from wikibias.research.neutralising.words import detokenise
from wikibias.text.similarity import changes

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


JUDGED_MEASURES: Mapping[str, str] = {
    "exact": "Exact match",
    "changed": "Changed at all",
    "sentence_bleu": "BLEU of the sentence",
    "sari": "SARI",
    "change_rate": "Tokens changed",
    "chrf_to_source": "chrF to the source",
    "bias_removed": "Bias removed, by the classifier",
    "always": "Every rewrite taken for a success",
}
_YES = frozenset(("1", "yes", "true", "success"))
_NO = frozenset(("0", "no", "false", "failure"))
_YES_OR_NO = ("exact", "changed", "always")
_FOLDS = 10
_Truth = NDArray[np.bool_]


def parse_verdicts(given: Sequence[str]) -> _Truth:
    """Return whether each rewrite was judged a success: 1 or 0, yes or no, true or false.

    Raises:
        WikibiasError: a verdict is none of these, or all are the same.
    """
    lowered = [cell.strip().lower() for cell in given]
    for row, cell in enumerate(lowered, 1):
        if cell not in _YES and cell not in _NO:
            raise WikibiasError(f"--verdict: row {row} has {cell[:40]!r}; give 1 or 0, yes or no")
    found = np.array([cell in _YES for cell in lowered], dtype=bool)
    if found.all() or not found.any():
        raise WikibiasError("--verdict: every rewrite has the same verdict; nothing can agree")
    return found


def agreement(
    found: Measured, success: _Truth, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Any]:
    """Return accuracy, MCC and AUC of each measure against the verdicts, with intervals.

    Of a measure with many values a rewrite counts as a success on that side of a threshold which
    gives the best accuracy on the other nine tenths of the rows; so no row helps to judge itself.
    AUC needs no threshold: it is the chance that the measure is higher for a success.
    """
    answers: dict[str, Any] = {"n": len(success), "success": int(success.sum())}
    for name, values in _values_by_measure(found).items():
        decisions = values > 0 if name in _YES_OR_NO else _decided(values, success)
        table = score_with_intervals(
            success, Predictions(values, decisions), resamples=resamples, seed=seed
        )
        answers[name] = {
            metric: {key: _rounded(value) for key, value in table[metric].items()}
            for metric in ("accuracy", "mcc", "roc_auc")
        }
    return answers


def _values_by_measure(found: Measured) -> dict[str, _Floats]:
    counted, _ = found.sums["bleu"]
    known = {
        "exact": found.rows["exact"],
        "changed": 100.0 - found.rows["unchanged"],
        "sentence_bleu": bleu(counted),
        "sari": found.rows["sari"],
        "change_rate": found.rows["change_rate"],
        "chrf_to_source": found.rows["chrf_to_source"],
        "always": np.ones(len(counted)),
    }
    if "bias_left" in found.rows:
        known["bias_removed"] = 1.0 - found.rows["bias_left"]
    return {name: known[name] for name in JUDGED_MEASURES if name in known}


def _decided(values: _Floats, success: _Truth) -> _Truth:
    """Decide each tenth of the rows by the threshold that is best on the others."""
    decisions = np.zeros(len(values), dtype=bool)
    for fold in range(min(_FOLDS, len(values))):
        here = np.arange(len(values)) % _FOLDS == fold
        threshold, above = _best(values[~here], success[~here])
        decisions[here] = (values[here] >= threshold) == above
    return decisions


def _best(values: _Floats, success: _Truth) -> tuple[float, bool]:
    """Return the threshold of the best accuracy, and whether a success lies at it or above."""
    candidates = [*np.unique(values).tolist(), np.inf]
    scored = [
        (float(np.mean(((values >= threshold) == above) == success)), above, -threshold)
        for threshold in candidates
        for above in (True, False)
    ]
    _, above, threshold = max(scored)
    return -threshold, above


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def bias_by(folder: Path) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Return what gives the probability that each text is biased; of an empty text it is 0.

    Raises:
        WikibiasError: the folder holds no model that can be read.
    """
    model = registry.load(folder)
    read = reader(registry.describe(folder))

    def probabilities(texts: Sequence[str]) -> NDArray[np.float64]:
        found = np.zeros(len(texts))
        some = [at for at, text in enumerate(texts) if text.strip()]
        if some:
            found[some] = model.predict_proba([read(texts[at]) for at in some])
        return found

    return probabilities

"""How far each automatic measure agrees with people who judged the same rewrites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import Predictions, score_with_intervals
from wikibias.research.neutralising.measures import Measured
from wikibias.research.neutralising.ngram_scores import bleu

MEASURES: Mapping[str, str] = {
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
_Floats = NDArray[np.float64]
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
    for name, values in _values(found).items():
        decisions = values > 0 if name in _YES_OR_NO else _decided(values, success)
        table = score_with_intervals(
            success, Predictions(values, decisions), resamples=resamples, seed=seed
        )
        answers[name] = {
            metric: {key: _rounded(value) for key, value in table[metric].items()}
            for metric in ("accuracy", "mcc", "roc_auc")
        }
    return answers


def _values(found: Measured) -> dict[str, _Floats]:
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
    return {name: known[name] for name in MEASURES if name in known}


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

"""How good annotators are against gold labels, with intervals.

A score depends on nothing but how often each answer meets each gold label. To draw sentences with
replacement is to draw these counts from a multinomial distribution, which takes the same time for a
thousand sentences as for a million.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import bootstrap
from wikibias.research.annotation.meanings import BIASED, NEUTRAL, NOT_GIVEN, NOT_READ, Codes

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]
METRICS = ("mcc", "precision", "recall", "f1", "accuracy")
_ANSWERS = (NEUTRAL, BIASED, NOT_READ)


def rates(tp: Floats, fp: Floats, fn: Floats, tn: Floats) -> dict[str, Floats]:
    """Return every metric of the biased class from counts; not a number where it is not defined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return {
            "mcc": (tp * tn - fp * fn) / spread,
            "precision": tp / (tp + fp),
            "recall": tp / (tp + fn),
            "f1": 2 * tp / (2 * tp + fp + fn),
            "accuracy": (tp + tn) / (tp + fp + fn + tn),
        }


def score(gold: Truth, said: Codes, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Any]:
    """Return the scores of one annotator.

    "?" and what was not answered are left out of the scores, as in Horych et al. (2025), Table 1;
    in `mcc_unparsed_as_wrong` a "?" is a wrong answer.

    Args:
        gold: whether each sentence is biased.
        said: what the annotator said; see `meanings.coded`.
        resamples: of the bootstrap.
        seed: of its draws.
    """
    counts = np.array(
        [
            np.count_nonzero((gold == truth) & (said == code))
            for truth in (0, 1)
            for code in _ANSWERS
        ]
    )
    unparsed = int(counts[2] + counts[5])
    answered = int(counts.sum()) - unparsed
    notes: list[str] = []
    found = bootstrap(_of_answers, counts, resamples=resamples, seed=seed, notes=notes)
    tn, fp, _, fn, tp, _ = (int(count) for count in counts)
    notes = _why_not(tn, fp, fn, tp) + notes
    return {
        **{metric: found[metric] for metric in METRICS},
        "mcc_unparsed_as_wrong": found["mcc_unparsed_as_wrong"],
        "coverage": answered / len(gold) if len(gold) else None,
        "answered": answered,
        "unparsed": unparsed,
        "not_answered": int(np.count_nonzero(said == NOT_GIVEN)),
        "true_positive": tp,
        "false_positive": fp,
        "false_negative": fn,
        "true_negative": tn,
        "notes": notes,
    }


def _of_answers(cells: Floats) -> dict[str, Floats]:
    tn, fp, wrong_neutral, fn, tp, wrong_biased = cells.T
    strict = rates(tp, fp + wrong_neutral, fn + wrong_biased, tn)["mcc"]
    return {**rates(tp, fp, fn, tn), "mcc_unparsed_as_wrong": strict}


def _why_not(tn: int, fp: int, fn: int, tp: int) -> list[str]:
    """Say in sentences why a score is not defined."""
    if not tn + fp + fn + tp:
        return ["no sentence has an answer that can be read; nothing is defined"]
    found = []
    if not tp + fp:
        found.append("never says biased; precision and MCC are not defined")
    elif not tn + fn:
        found.append("never says neutral; MCC is not defined")
    if not tp + fn:
        found.append("no sentence it answers is biased; recall and MCC are not defined")
    elif not tn + fp:
        found.append("no sentence it answers is neutral; MCC is not defined")
    return found


def ranked(columns: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    """Return the names of columns by MCC, the best first, those without one last."""
    values = {name: entry["mcc"]["value"] for name, entry in columns.items()}
    order = {name: -2.0 if mcc is None else mcc for name, mcc in values.items()}
    return sorted(order, key=order.__getitem__, reverse=True)

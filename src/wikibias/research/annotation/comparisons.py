"""Which of two annotators is right more often, by McNemar's test, beside the difference of MCC.

McNemar's test asks who is right on more sentences. The MCC may say otherwise: where one class is
rare, who finds more of it has the higher MCC and can be wrong more often. Horych et al. (2025,
section 6.3) take the test on BASIL for a sign that the higher MCC is no accident; it is a sign that
the other model is right more often. So the direction is told in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from wikibias.kits import RESAMPLES
from wikibias.kits.document import number
from wikibias.kits.evaluation import bootstrap, holm, mcnemar
from wikibias.messages import counted
from wikibias.research.annotation.answers import NEUTRAL, Codes
from wikibias.research.annotation.scores import Floats, Truth, rates

SURE = 0.05
"""From which corrected p-value on a difference may be chance."""


def compare_all(
    gold: Truth,
    said: Mapping[str, Codes],
    *,
    against: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Return a comparison of each two annotators, or of each with one, corrected for their number.

    Args:
        gold: whether each sentence is biased.
        said: what each annotator said of them; see `meanings.coded`.
        against: an annotator with whom all others are compared.
        resamples: of the bootstrap.
        seed: of its draws.
    """
    if against is None:
        pairs = list(combinations(said, 2))
    else:
        pairs = [(name, against) for name in said if name != against]
    found = [
        compare(gold, names, (said[names[0]], said[names[1]]), resamples=resamples, seed=seed)
        for names in pairs
    ]
    tested = [entry for entry in found if entry["p_exact"] is not None]
    for entry, corrected in zip(tested, holm([one["p_exact"] for one in tested]), strict=True):
        entry["p_holm"] = corrected
        entry["direction"] = _direction(entry)
        entry["warning"] = _warning(entry)
    return found


def compare(
    gold: Truth,
    names: tuple[str, str],
    said: tuple[Codes, Codes],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Any]:
    """Compare two annotators on the sentences that both answered.

    Returns:
        `b` counts the sentences on which only the first is right, `c` those of the second alone;
        `chi2_corrected` is McNemar's statistic with a continuity correction, at least 0; `odds` is
        b / c. Differences are the first less the second. What is not defined is None.
    """
    both = (said[0] >= NEUTRAL) & (said[1] >= NEUTRAL)
    truth, first, second = gold[both], said[0][both] == 1, said[1][both] == 1
    cells = np.bincount(truth * 4 + first * 2 + second, minlength=8).astype(np.int64)
    test = mcnemar(truth, first, second)
    b, c = test["only_first"], test["only_second"]
    statistic = max(abs(b - c) - 1, 0) ** 2 / (b + c) if b + c else None
    notes: list[str] = []
    found = bootstrap(_differences, cells, resamples=resamples, seed=seed, notes=notes)
    mcc = found["mcc_difference"]["value"]
    if not len(truth):
        notes.append("no sentence was answered by both")
    elif mcc is None:
        notes.append("one of them always says the same, or gold does; MCC is not defined")
    if len(truth) and not c:
        notes.append("c is 0; the odds are not defined")
    entry = {
        "first": names[0],
        "second": names[1],
        "rows": len(truth),
        "both_right": int(cells[0] + cells[7]),
        "b": b,
        "c": c,
        "both_wrong": int(cells[3] + cells[4]),
        "p_exact": test["p"] if len(truth) else None,
        "p_holm": test["p"] if len(truth) else None,
        "chi2_corrected": statistic,
        "p_chi2": None if statistic is None else float(chi2.sf(statistic, 1)),
        "right_more_often": _winner(names, b - c),
        "direction": "",
        "odds": b / c if c else None,
        **found,
        "higher_mcc": _winner(names, mcc or 0.0),
        "warning": None,
        "notes": notes,
    }
    return {**entry, "direction": _direction(entry), "warning": _warning(entry)}


def _differences(cells: Floats) -> dict[str, NDArray[np.float64]]:
    # The number of a cell: 4 if gold is biased + 2 if the first says so + 1 if the second does.
    n = cells.T
    first = rates(n[6] + n[7], n[2] + n[3], n[4] + n[5], n[0] + n[1])
    second = rates(n[5] + n[7], n[1] + n[3], n[4] + n[6], n[0] + n[2])
    return {f"{name}_difference": first[name] - second[name] for name in ("accuracy", "mcc")}


def _winner(names: tuple[str, str], difference: float) -> str | None:
    return None if not difference else names[0] if difference > 0 else names[1]


def _direction(entry: Mapping[str, Any]) -> str:
    more, fewer = sorted((entry["b"], entry["c"]), reverse=True)
    if more == fewer:
        return f"neither is right more often: each alone on {counted(more, 'sentence')}"
    found = (
        f"{entry['right_more_often']} is right more often: alone on {counted(more, 'sentence')}, "
        f"the other on {fewer:,}"
    )
    return found if _is_sure(entry) else f"{found}, which may be chance"


def _warning(entry: Mapping[str, Any]) -> str | None:
    mcc, difference = entry["mcc_difference"]["value"], entry["b"] - entry["c"]
    if mcc is None or mcc * difference >= 0:
        return None
    right = entry["right_more_often"]
    more, fewer = max(entry["b"], entry["c"]), min(entry["b"], entry["c"])
    verdict = (
        f"McNemar's test speaks for {right}, and says nothing for the higher MCC"
        if _is_sure(entry)
        else "McNemar's test tells neither from the other"
    )
    return (
        f"{entry['higher_mcc']} has the higher MCC (+{number(abs(mcc))}), but {right} is right on "
        f"more sentences ({more:,} against {fewer:,}): {verdict}"
    )


def _is_sure(entry: Mapping[str, Any]) -> bool:
    return entry["p_holm"] is not None and entry["p_holm"] < SURE


def turned(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the comparisons in which McNemar's test and the MCC differ, the surest first."""
    differing = [entry for entry in found if entry["warning"]]
    return sorted(differing, key=lambda entry: entry["p_exact"])

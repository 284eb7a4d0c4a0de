"""Checks that a sample holds: unchanged sentences as controls, and sentences shown again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wikibias.kits import agreement
from wikibias.kits.agreement import entries
from wikibias.kits.evaluation import UNDEFINED
from wikibias.research.annotation.answers import KNOWN
from wikibias.research.annotation.coefficients import GAP, Ratings, value_counts
from wikibias.research.annotation.sample_sizes import wilson
from wikibias.research.annotation.tasks import Task

NOT_TICKED = frozenset({*(word for word, biased in KNOWN.items() if not biased), "[]", "none"})
"""Answers, in small letters, that find nothing wrong with a sentence."""


def controls(found: Ratings, checked: Ratings) -> dict[str, Any]:
    """Return how often each annotator ticks unchanged sentences, and the others.

    Args:
        found: answers to the sentences of the sample.
        checked: answers to unchanged sentences.

    Returns:
        `items`; by annotator (`annotators`) `answers`, `values` (how often each), `ticked` (a
        share, with its 95 % interval by Wilson) and `ticked_of_sample`; None where no answer is
        known to find nothing wrong.
    """
    clean = np.array([value.lower() in NOT_TICKED for value in found.values], dtype=bool)
    result: dict[str, Any] = {"items": len(checked.items), "annotators": {}, "notes": {}}
    if not clean.any():
        result["notes"]["ticked"] = "no answer is called neutral, no, none or 0"
    for place, name in enumerate(found.annotators):
        codes = checked.codes[:, place]
        said = codes[codes != GAP]
        result["annotators"][name] = {
            "answers": len(said),
            "values": {
                value: int((said == code).sum())
                for code, value in enumerate(found.values)
                if (said == code).any()
            },
            "ticked": _ticked(said, clean),
            "ticked_of_sample": _ticked(found.codes[found.codes[:, place] != GAP, place], clean),
        }
    return result


def repeats(
    found: Ratings, tasks: Mapping[str, Task], *, resamples: int, seed: int
) -> dict[str, Any]:
    """Return how far each annotator says the same of a sentence that is shown again.

    Returns:
        By annotator: `items` judged both times, `percentage` (a fraction) and `cohen` between the
        two times, with intervals.
    """
    place_of = {item: place for place, item in enumerate(found.items)}
    again = [
        (place_of[task.repeat_of], place_of[task.item])
        for task in tasks.values()
        if task.kind == "repeat" and task.item in place_of and task.repeat_of in place_of
    ]
    if not again:
        return {}
    first, second = np.array(again).T
    result = {}
    for place, name in enumerate(found.annotators):
        codes = np.column_stack([found.codes[first, place], found.codes[second, place]])
        codes = codes[(codes != GAP).all(axis=1)]
        twice = replace(
            found, items=("",) * len(codes), annotators=("first", "second"), codes=codes
        )
        patterns, times = twice.patterns()
        size = len(found.values)
        figures = entries(
            {
                "percentage": agreement.percentage(value_counts(patterns, size)),
                "cohen": agreement.cohen(patterns[:, 0], patterns[:, 1], values=size),
            },
            times,
            resamples=resamples,
            seed=seed,
        )
        result[name] = {"items": len(codes), **figures}
    return result


def _ticked(said: Any, clean: Any) -> dict[str, float | None]:
    if not clean.any() or not len(said):
        return dict(UNDEFINED)
    share = float((~clean[said]).mean())
    low, high = wilson(share, len(said))
    return {"value": share, "low": low, "high": high}

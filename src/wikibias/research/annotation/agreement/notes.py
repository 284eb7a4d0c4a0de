"""Says in a sentence why a coefficient of agreement is undefined, or what it was taken over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikibias.messages import counted
from wikibias.research.annotation.agreement.ratings import GAP, Ratings

ONE_ANNOTATOR = "one annotator; agreement needs two"
NOTHING_SHARED = "no sentence was judged by two annotators"
ONE_VALUE = "all answers are the same, so that chance alone would agree as much"
NO_ORDER = "the labels are no numbers, and no --order says which comes first"
NO_NUMBERS = "the labels are no numbers"
PAIR_APART = "no sentence was judged by both"
PAIR_CONSTANT = "both always gave one and the same answer, so that chance alone would agree as much"
WHOLE_ANSWERS = "answers are lists of choices, compared whole; see the categories for each choice"


def notes(found: Ratings, result: Mapping[str, Any]) -> dict[str, str]:
    """Return a sentence for each figure of `measured` that is None or asks for one."""
    told: dict[str, str] = {}
    if len(found.annotators) < 2:
        why = ONE_ANNOTATOR
        told["cohen"] = why
    else:
        why = ONE_VALUE if result["compared"] else NOTHING_SHARED
    for level, entry in result["krippendorff"].items():
        if entry["value"] is None:
            told[f"krippendorff.{level}"] = why
    if why == ONE_VALUE:
        if not found.ordered:
            told["krippendorff.ordinal"] = NO_ORDER
        if found.numbers is None:
            told["krippendorff.interval"] = NO_NUMBERS
    if result["percentage"]["value"] is None:
        told["percentage"] = why
    if fleiss := _of_fleiss(len(found.annotators), result["fleiss"], why):
        told["fleiss"] = fleiss
    given = (found.codes != GAP).astype(int)
    shared = given.T @ given
    for name, pair in found.pairs().items():
        if result["cohen"][name]["value"] is None:
            told[f"cohen.{name}"] = PAIR_CONSTANT if shared[pair] else PAIR_APART
    if found.several():
        told["krippendorff.nominal"] = WHOLE_ANSWERS
    return told


def _of_fleiss(annotators: int, entry: Mapping[str, Any], why: str) -> str | None:
    if entry["value"] is None:
        return why
    left = f"{counted(entry['left_out'], 'sentence')} left out"
    if entry["answers"] < annotators:
        return (
            f"no sentence was judged by all {annotators}; taken over the "
            f"{counted(entry['items'], 'sentence')} with {entry['answers']} answers, whoever gave "
            f"them (Fleiss 1971 asks for equal numbers, not for the same people); {left}"
        )
    return f"{left}: not judged by all" if entry["left_out"] else None

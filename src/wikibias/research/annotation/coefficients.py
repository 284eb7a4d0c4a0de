"""Coefficients of agreement of annotators, with intervals over the items."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.kits.evaluation import (
    UNDEFINED,
    Level,
    Statistic,
    alpha,
    bootstrap,
    cohen,
    fleiss,
    percentage,
)
from wikibias.messages import counted
from wikibias.research.annotation.answers import NOT_GIVEN, Answers, label_choices

NOTHING = "[]"
"""The answer that no choice applies."""
MOST_LABELS = 500
"""More different answers than these are no labels: a comment, or a column that was not meant."""
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
ONE_ANNOTATOR = "one annotator; agreement needs two"
NOTHING_SHARED = "no sentence was judged by two annotators"
ONE_VALUE = "all answers are the same, so that chance alone would agree as much"
NO_NUMBERS = "the labels are no numbers"
PAIR_APART = "no sentence was judged by both"
PAIR_CONSTANT = "both always gave one and the same answer, so that chance alone would agree as much"
WHOLE_ANSWERS = "answers are lists of choices, compared whole; see the categories for each choice"
_NUMBER = re.compile(r"\d+")
_Times = NDArray[np.int64]


def check_labels(found: Answers) -> None:
    """Make sure that answers can be compared.

    Raises:
        UsageError: there are too many labels, or an annotator's name holds a bar.
    """
    if len(found.labels) > MOST_LABELS:
        raise UsageError(
            f"{len(found.labels):,} different answers; name the column of the labels with --label "
            "or --columns"
        )
    for name in found.annotators:
        if "|" in name:  # a pair is called a|b
            raise UsageError(f"annotator {name[:40]!r}: no name may hold a bar; rename it")


def several(found: Answers) -> bool:
    """Return whether an answer is a list of choices, such as of check boxes."""
    return any(label_choices(label) is not None for label in found.labels)


def categories(found: Answers) -> dict[str, NDArray[np.int64]]:
    """Return for each category the code of each label: 1 where it holds the category, or 0.

    The categories are the choices where an answer is a list, else the labels themselves.
    """
    lists = several(found)
    held = [(label_choices(label) if lists else None) or [label] for label in found.labels]
    held = [[] if of == [NOTHING] else of for of in held]
    names = dict.fromkeys(name for of in held for name in of)
    return {name: np.array([int(name in of) for of in held]) for name in names}


def patterns_of(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], _Times]:
    """Return the different rows of codes, and how many items have each."""
    found, times = np.unique(np.where(codes < 0, NOT_GIVEN, codes), axis=0, return_counts=True)
    return found, times


def measured(found: Answers, *, resamples: int, seed: int = 0) -> dict[str, Any]:
    """Return all coefficients of agreement, as plain values for JSON.

    Args:
        found: the answers.
        resamples: of the bootstrap over the items.
        seed: of it.

    Returns:
        `items`, `answers`, `compared` (items with two answers or more), `krippendorff` by level,
        `fleiss`, `percentage` (a fraction), `cohen` by pair, and `notes`: a sentence for what is
        None.
    """
    patterns, times = patterns_of(found.codes)
    return coefficients(replace(found, codes=patterns), times, resamples=resamples, seed=seed)


def coefficients(found: Answers, times: _Times, *, resamples: int, seed: int = 0) -> dict[str, Any]:
    """Return what `measured` does of patterns of answers, each of which so many items have."""
    counts, codes = found.counts, found.codes
    each = counts.sum(axis=1)
    full = _full(each, times, len(found.annotators))
    levels = LEVELS if found.numbers else LEVELS[:1]
    statistics: dict[str, Statistic] = {
        f"krippendorff.{level}": partial(alpha, counts=counts, level=level, numbers=found.numbers)
        for level in levels
    }
    statistics["percentage"] = partial(percentage, counts=counts)
    if full:
        statistics["fleiss"] = partial(fleiss, counts=counts, answers=full)
    for name, (one, other) in found.pairs().items():
        statistics[f"cohen.{name}"] = partial(
            cohen, one=codes[:, one], other=codes[:, other], values=len(found.labels)
        )
    computed = bootstrap(
        lambda weights: {name: of(weights) for name, of in statistics.items()},
        times,
        resamples=resamples,
        seed=seed,
    )
    result: dict[str, Any] = {
        "items": int(times.sum()),
        "answers": int(each @ times),
        "compared": int(times[each > 1].sum()),
        "krippendorff": {
            level: computed.get(f"krippendorff.{level}", dict(UNDEFINED)) for level in LEVELS
        },
        "fleiss": {
            **computed.get("fleiss", UNDEFINED),
            "answers": full or None,
            "items": int(times[each == full].sum()) if full else 0,
            "left_out": int(times[each != full].sum() if full else times.sum()),
        },
        "percentage": computed["percentage"],
        "cohen": {name: computed[f"cohen.{name}"] for name in found.pairs()},
    }
    return {**result, "notes": _notes(found, result)}


def _full(each: NDArray[np.float64], times: _Times, annotators: int) -> int:
    """Return how many answers an item needs for Fleiss' kappa, or 0 where none will do.

    As many as there are annotators; where no item has all, as many as most items have.
    """
    if annotators > 1 and (each == annotators).any():
        return annotators
    items = {int(size): int(times[each == size].sum()) for size in np.unique(each) if size > 1}
    return max(items, key=lambda size: (items[size], size), default=0)


def _notes(found: Answers, result: Mapping[str, Any]) -> dict[str, str]:
    """Return a sentence for each coefficient that is None or asks for one."""
    why = ONE_VALUE if result["compared"] else NOTHING_SHARED
    why = why if len(found.annotators) > 1 else ONE_ANNOTATOR
    notes = {} if result["cohen"] or why != ONE_ANNOTATOR else {"cohen": why}
    unordered = why == ONE_VALUE and found.numbers is None
    for level, entry in result["krippendorff"].items():
        if entry["value"] is None:
            notes[f"krippendorff.{level}"] = NO_NUMBERS if unordered and level != "nominal" else why
    if result["percentage"]["value"] is None:
        notes["percentage"] = why
    if fleiss_note := _fleiss_note(len(found.annotators), result["fleiss"], why):
        notes["fleiss"] = fleiss_note
    given = (found.codes >= 0).astype(int)
    shared = given.T @ given
    for name, pair in found.pairs().items():
        if result["cohen"][name]["value"] is None:
            notes[f"cohen.{name}"] = PAIR_CONSTANT if shared[pair] else PAIR_APART
    if several(found):
        notes["krippendorff.nominal"] = WHOLE_ANSWERS
    return notes


def in_order(group: str) -> tuple[bool, int, str]:
    """Return a key by which a group called 3-6 comes before 15-."""
    number = _NUMBER.search(group)
    return (number is None, int(number[0]) if number else 0, group)


def _fleiss_note(annotators: int, entry: Mapping[str, Any], why: str) -> str | None:
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

"""Ratings of annotators, and their coefficients of agreement with intervals over the items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.kits import agreement
from wikibias.kits.agreement import GAP, Codes, Level, Statistic, entries
from wikibias.kits.evaluation import UNDEFINED, Interval
from wikibias.messages import counted, nearest
from wikibias.research.annotation.answers import Answers, label_choices

NOTHING = "[]"
"""The answer that no choice applies."""
MOST_VALUES = 500
"""More different answers than these are no labels: a comment, or a column that was not meant."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Who gave which item which value.

    Attributes:
        items: the items' ids.
        annotators: who answered.
        values: what can be answered, in order where there is one.
        codes: the place of each answer among the values, of shape (items, annotators); or `GAP`.
        ordered: whether the values have an order.
        numbers: what the values are, where they are numbers.
    """

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    values: tuple[str, ...]
    codes: Codes
    ordered: bool = False
    numbers: tuple[float, ...] | None = None

    def rows(self, places: Sequence[int] | NDArray[np.int64]) -> Ratings:
        """Return the ratings of some items, by their places."""
        kept = np.asarray(places, dtype=int)
        return replace(
            self, items=tuple(self.items[place] for place in kept), codes=self.codes[kept]
        )

    def patterns(self) -> tuple[Codes, NDArray[np.int64]]:
        """Return the different rows of codes, and how many items have each."""
        found, times = np.unique(self.codes, axis=0, return_counts=True)
        return found, times

    def pairs(self) -> dict[str, tuple[int, int]]:
        """Return the places of each two annotators, by the name that JSON gives the pair."""
        names = self.annotators
        return {
            f"{names[one]}|{names[other]}": (one, other)
            for one, other in combinations(range(len(names)), 2)
        }

    def several(self) -> bool:
        """Say whether an answer is a list of choices, such as of check boxes."""
        return any(label_choices(value) is not None for value in self.values)

    def categories(self) -> dict[str, NDArray[np.int64]]:
        """Return for each category the code of each value: 1 where it holds the category, or 0.

        The categories are the choices where an answer is a list, else the values themselves.
        """
        several = self.several()
        held = [(label_choices(value) if several else None) or [value] for value in self.values]
        held = [[] if of == [NOTHING] else of for of in held]
        names = dict.fromkeys(name for of in held for name in of)
        return {name: np.array([int(name in of) for of in held]) for name in names}


def ratings(answers: Answers, order: Sequence[str] | None = None) -> Ratings:
    """Return answers as numbers.

    Args:
        answers: who said what.
        order: the values from the least to the most; None where numbers say so, or nothing does.

    Raises:
        UsageError: a value is not in the order, there are too many values, or an annotator's name
            holds a bar.
    """
    given = sorted({cell for row in answers.values for cell in row if cell is not None})
    if len(given) > MOST_VALUES:
        raise UsageError(
            f"{len(given):,} different answers; name the column of the labels with --label or "
            "--columns"
        )
    for name in answers.annotators:
        if "|" in name:  # a pair is called a|b
            raise UsageError(f"annotator {name[:40]!r}: no name may hold a bar; rename it")
    numbers = _numbers(given)
    if order is not None:
        _refuse_others(given, order)
        values = tuple(order)
        numbers = _numbers(values)
    elif numbers is not None:
        values = tuple(sorted(given, key=float))
        numbers = _numbers(values)
    else:
        values = tuple(given)
    places = {value: place for place, value in enumerate(values)}
    codes = [[GAP if cell is None else places[cell] for cell in row] for row in answers.values]
    return Ratings(
        tuple(answers.items),
        tuple(answers.annotators),
        values,
        np.array(codes, dtype=np.int64).reshape(len(answers.items), len(answers.annotators)),
        ordered=order is not None or numbers is not None,
        numbers=numbers,
    )


def value_counts(codes: Codes, values: int) -> NDArray[np.float64]:
    """Return how many annotators gave each item each value, of shape (items, values)."""
    found = np.zeros((len(codes), values))
    for column in codes.T:
        rows = np.flatnonzero(column != GAP)
        found[rows, column[rows]] += 1
    return found


def _numbers(values: Sequence[str]) -> tuple[float, ...] | None:
    try:
        found = tuple(float(value) for value in values)
    except ValueError:
        return None
    return found if found and all(map(math.isfinite, found)) else None


def _refuse_others(given: Sequence[str], order: Sequence[str]) -> None:
    if len(set(order)) < len(order):
        raise UsageError("--order: a value is named twice")
    for value in given:
        if value not in order:
            raise UsageError(f"--order lacks {value[:40]!r}{nearest(value[:40], order)}")


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
    if fleiss := _fleiss_note(len(found.annotators), result["fleiss"], why):
        told["fleiss"] = fleiss
    given = (found.codes != GAP).astype(int)
    shared = given.T @ given
    for name, pair in found.pairs().items():
        if result["cohen"][name]["value"] is None:
            told[f"cohen.{name}"] = PAIR_CONSTANT if shared[pair] else PAIR_APART
    if found.several():
        told["krippendorff.nominal"] = WHOLE_ANSWERS
    return told


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


LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
_WEIGHTS = ("linear", "quadratic")
_Key = tuple[str, ...]
_Times = NDArray[np.int64]


def measured(
    found: Ratings, *, weighted: bool = False, resamples: int, seed: int
) -> dict[str, Any]:
    """Return all coefficients of agreement, as plain values for JSON.

    Args:
        found: the answers.
        weighted: also compute Cohen's kappa weighted by how far two values are apart in order.
        resamples: of the bootstrap over the items.
        seed: of it.

    Returns:
        `items`, `answers`, `compared` (items with two answers or more), `krippendorff` by level,
        `fleiss`, `percentage` (a fraction), `cohen` and, if asked for, `cohen_weighted` by pair,
        and `notes`: a sentence for what is None.
    """
    return measured_each({"": found}, weighted=weighted, resamples=resamples, seed=seed)[""]


def measured_each(
    questions: Mapping[str, Ratings], *, weighted: bool = False, resamples: int, seed: int
) -> dict[str, dict[str, Any]]:
    """Return what `measured` does for several questions about the same items, in one go."""
    if not questions:
        return {}
    width = len(next(iter(questions.values())).annotators)
    together = np.concatenate([found.codes for found in questions.values()], axis=1)
    patterns, times = np.unique(together, axis=0, return_counts=True)
    codes = {
        name: patterns[:, place * width : (place + 1) * width]
        for place, name in enumerate(questions)
    }
    computed = entries(
        {
            (name, *key): statistic
            for name, found in questions.items()
            for key, statistic in _statistics(found, codes[name], times, weighted).items()
        },
        times,
        resamples=resamples,
        seed=seed,
    )
    by_name: dict[str, dict[_Key, Interval]] = {name: {} for name in questions}
    for (name, *key), entry in computed.items():
        by_name[name][tuple(key)] = entry
    return {
        name: _assembled(found, codes[name], times, by_name[name])
        for name, found in questions.items()
    }


def _statistics(
    found: Ratings, patterns: Codes, times: _Times, weighted: bool
) -> dict[_Key, Statistic]:
    size = len(found.values)
    counts = value_counts(patterns, size)
    full = _full(counts, times, len(found.annotators))
    statistics: dict[_Key, Statistic] = {
        ("krippendorff", level): agreement.alpha(counts, level, found.numbers)
        for level in _levels(found)
    }
    statistics["percentage",] = agreement.percentage(counts)
    if full:
        statistics["fleiss",] = agreement.fleiss(counts, answers=full)
    kinds: dict[_Key, Any] = {("cohen",): None}
    if weighted:
        for kind in _WEIGHTS:
            kinds["cohen_weighted", kind] = agreement.distances(size, squared=kind == "quadratic")
    for kind_of, apart in kinds.items():
        for name, (one, other) in found.pairs().items():
            statistics[*kind_of, name] = agreement.cohen(
                patterns[:, one], patterns[:, other], values=size, apart=apart
            )
    return statistics


def _assembled(
    found: Ratings, patterns: Codes, times: _Times, computed: Mapping[_Key, Interval]
) -> dict[str, Any]:
    counts = value_counts(patterns, len(found.values))
    each, full = counts.sum(axis=1), _full(counts, times, len(found.annotators))
    result: dict[str, Any] = {
        "items": len(found.items),
        "answers": int(each @ times),
        "compared": int(times[each > 1].sum()),
        "krippendorff": {
            level: computed.get(("krippendorff", level), dict(UNDEFINED)) for level in LEVELS
        },
        "fleiss": {
            **computed.get(("fleiss",), UNDEFINED),
            "answers": full or None,
            "items": int(times[each == full].sum()) if full else 0,
            "left_out": int(times[each != full].sum()) if full else len(found.items),
        },
        "percentage": computed["percentage",],
        "cohen": {key[1]: entry for key, entry in computed.items() if key[0] == "cohen"},
    }
    for (first, *rest), entry in computed.items():
        if first == "cohen_weighted":
            kind, name = rest
            result.setdefault(first, {}).setdefault(kind, {})[name] = entry
    return {**result, "notes": notes(found, result)}


def _levels(found: Ratings) -> list[Level]:
    known: Mapping[Level, bool] = {
        "nominal": True,
        "ordinal": found.ordered,
        "interval": found.numbers is not None,
    }
    return [level for level in LEVELS if known[level]]


def _full(counts: NDArray[np.float64], times: _Times, annotators: int) -> int:
    """Return how many answers an item needs for Fleiss' kappa, or 0 where none will do.

    As many as there are annotators; where no item has all, as many as most items have.
    """
    each = counts.sum(axis=1)
    if annotators > 1 and (each == annotators).any():
        return annotators
    items = {int(size): int(times[each == size].sum()) for size in np.unique(each) if size > 1}
    return max(items, key=lambda size: (items[size], size), default=0)

"""All coefficients of agreement of a set of ratings, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.kits import agreement
from wikibias.kits.agreement import Level, Statistic, entries
from wikibias.kits.evaluation import UNDEFINED, Interval
from wikibias.research.annotation.coefficients import Codes, Ratings, notes, value_counts

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

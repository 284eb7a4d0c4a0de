"""All coefficients of agreement of a set of ratings, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from wikibias.annotation.agreement import coefficients
from wikibias.annotation.agreement.notes import notes
from wikibias.annotation.agreement.ratings import Codes, Ratings, counted
from wikibias.annotation.agreement.resampling import UNDEFINED, Statistic, entries
from wikibias.models.evaluation.krippendorff import Level, alphas

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
_Key = tuple[str, ...]


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
    patterns, times = found.patterns()
    counts = counted(patterns, len(found.values))
    each = counts.sum(axis=1)
    full = _full(each, times, len(found.annotators))
    statistics: dict[_Key, Statistic] = {
        ("krippendorff", level): partial(alphas, counts, level=level, numbers=found.numbers)
        for level in _levels(found)
    }
    statistics["percentage",] = partial(coefficients.percentage, counts)
    if full:
        statistics["fleiss",] = partial(coefficients.fleiss, counts, answers=full)
    statistics |= _cohens(found, patterns, weighted)
    computed = entries(statistics, times, resamples=resamples, seed=seed)
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
    if weighted:
        result["cohen_weighted"] = {
            kind: {
                key[2]: entry
                for key, entry in computed.items()
                if key[:2] == ("cohen_weighted", kind)
            }
            for kind in ("linear", "quadratic")
        }
    result["notes"] = notes(found, result)
    return result


def _levels(found: Ratings) -> list[Level]:
    known: Mapping[Level, bool] = {
        "nominal": True,
        "ordinal": found.ordered,
        "interval": found.numbers is not None,
    }
    return [level for level in LEVELS if known[level]]


def _full(each: Any, times: Any, annotators: int) -> int:
    """Return how many answers an item needs for Fleiss' kappa, or 0 where none will do.

    As many as there are annotators; where no item has all, as many as most items have.
    """
    if annotators > 1 and (each == annotators).any():
        return annotators
    items = {int(size): int(times[each == size].sum()) for size in np.unique(each) if size > 1}
    return max(items, key=lambda size: (items[size], size), default=0)


def _cohens(found: Ratings, patterns: Codes, weighted: bool) -> dict[_Key, Statistic]:
    size = len(found.values)
    kinds: dict[_Key, Any] = {("cohen",): None}
    if weighted:
        kinds["cohen_weighted", "linear"] = coefficients.distances(size, squared=False)
        kinds["cohen_weighted", "quadratic"] = coefficients.distances(size, squared=True)
    return {
        (*kind, name): partial(
            coefficients.cohen, patterns[:, one], patterns[:, other], values=size, apart=apart
        )
        for kind, apart in kinds.items()
        for name, (one, other) in found.pairs().items()
    }

"""Where annotators differ: who stands apart, which answers are confused, and of which items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wikibias.kits import agreement
from wikibias.kits.agreement import Level, Statistic, entries, less
from wikibias.research.annotation.coefficients import GAP, Ratings, value_counts

MOST_SHOWN = 20


def standing_apart(found: Ratings, level: Level, *, resamples: int, seed: int) -> dict[str, Any]:
    """Return Krippendorff's alpha without each annotator, and who stands apart.

    Args:
        found: the answers.
        level: of the alpha.
        resamples: of the bootstrap over the items.
        seed: of it.

    Returns:
        `level`; `without`, by annotator: `krippendorff`, and `gain`, what alpha gains without that
        annotator, both with intervals; `annotator`, without whom it gains most, where all of the
        interval is above 0, else None.
    """
    result: dict[str, Any] = {"annotator": None, "level": level, "without": {}}
    if len(found.annotators) < 3:
        return result
    patterns, times = found.patterns()
    size = len(found.values)
    everyone = agreement.alpha(value_counts(patterns, size), level, found.numbers)
    statistics: dict[tuple[str, str], Statistic] = {}
    for place, name in enumerate(found.annotators):
        others = value_counts(np.delete(patterns, place, axis=1), size)
        without = agreement.alpha(others, level, found.numbers)
        statistics[name, "krippendorff"] = without
        statistics[name, "gain"] = less(without, everyone)
    for (name, figure), entry in entries(statistics, times, resamples=resamples, seed=seed).items():
        result["without"].setdefault(name, {})[figure] = entry
    apart = {
        name: entry["gain"]["value"]
        for name, entry in result["without"].items()
        if (entry["gain"]["low"] or 0) > 0
    }
    result["annotator"] = max(apart, key=lambda name: apart[name], default=None)
    return result


def confusion(found: Ratings) -> dict[str, dict[str, dict[str, int]]]:
    """Return for each pair what the first said (outer), what the second (inner), how often."""
    tables = {}
    for name, (one, other) in found.pairs().items():
        a, b = found.codes[:, one], found.codes[:, other]
        both = (a != GAP) & (b != GAP)
        seen, times = np.unique(np.column_stack([a[both], b[both]]), axis=0, return_counts=True)
        table: dict[str, dict[str, int]] = {}
        for (first, second), count in zip(seen, times, strict=True):
            table.setdefault(found.values[first], {})[found.values[second]] = int(count)
        tables[name] = table
    return tables


def most_disagreed(found: Ratings, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the items on which most pairs of annotators differ; of equal ones, the largest share.

    Each has `item`, `text` where it is known, `differing` (a share of the pairs) and `answers`.
    """
    counts = value_counts(found.codes, len(found.values))
    each = counts.sum(axis=1)
    all_pairs = each * (each - 1)
    unequal = all_pairs - (counts**2).sum(axis=1) + each
    differing = unequal / np.maximum(all_pairs, 1)
    order = np.lexsort((-differing, -unequal))
    shown = []
    for place in order[:MOST_SHOWN]:
        if differing[place] <= 0:
            break
        item = found.items[place]
        answers = {
            name: found.values[code]
            for name, code in zip(found.annotators, found.codes[place], strict=True)
            if code != GAP
        }
        known = {"text": texts[item]} if item in texts else {}
        shown.append(
            {"item": item, **known, "differing": float(differing[place]), "answers": answers}
        )
    return shown

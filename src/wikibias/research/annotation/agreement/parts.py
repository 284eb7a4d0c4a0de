"""Agreement within groups of items, such as bins of the sample, and on each category alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wikibias.errors import UsageError
from wikibias.research.annotation.agreement.measures import measured, measured_each
from wikibias.research.annotation.agreement.ratings import GAP, Ratings

MOST_GROUPS = 200
_MOST_CATEGORIES = 30
_NUMBER = re.compile(r"\d+")


def by_group(
    found: Ratings,
    columns: Mapping[str, Mapping[str, str]],
    *,
    weighted: bool,
    resamples: int,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """Return the coefficients of each group of items; see `measures.measured`.

    Args:
        found: the answers.
        columns: what tells the groups: the group of each item that is in one.
        weighted: see `measured`.
        resamples: see `measured`.
        seed: see `measured`.

    Raises:
        UsageError: a column tells more groups than one would read.
    """
    result: dict[str, dict[str, Any]] = {}
    for name, group_of in columns.items():
        places: dict[str, list[int]] = {}
        for place, item in enumerate(found.items):
            if item in group_of:
                places.setdefault(group_of[item], []).append(place)
        if len(places) > MOST_GROUPS:
            raise UsageError(
                f"--by {name}: {len(places):,} different values; choose a column of groups"
            )
        result[name] = {
            group: measured(
                found.rows(places[group]), weighted=weighted, resamples=resamples, seed=seed
            )
            for group in sorted(places, key=_in_order)
        }
    return result


def by_category(found: Ratings, *, resamples: int, seed: int) -> dict[str, Any]:
    """Return for each category how far annotators agree whether it applies.

    A question with two answers has no categories of its own, nor has one with very many.

    Returns:
        By category what `measured` returns, less what asks for an order; and `chosen`, in how many
        answers it is.
    """
    of_value = found.categories()
    if len(of_value) > _MOST_CATEGORIES or (len(of_value) < 3 and not found.several()):
        return {}
    codes = {
        name: np.where(found.codes == GAP, GAP, holds[found.codes])
        for name, holds in of_value.items()
    }
    yes_or_no = replace(found, values=("no", "yes"), ordered=False, numbers=None)
    alone = {name: replace(yes_or_no, codes=of) for name, of in codes.items()}
    result = {}
    for name, figures in measured_each(alone, resamples=resamples, seed=seed).items():
        figures["krippendorff"] = {"nominal": figures["krippendorff"]["nominal"]}
        for level in ("ordinal", "interval"):
            figures["notes"].pop(f"krippendorff.{level}", None)
        result[name] = {"chosen": int((codes[name] == 1).sum()), **figures}
    return result


def _in_order(group: str) -> tuple[bool, int, str]:
    """Return a key by which 3-6 comes before 15-."""
    number = _NUMBER.search(group)
    return (number is None, int(number[0]) if number else 0, group)

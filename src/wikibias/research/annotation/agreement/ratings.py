"""Answers as numbers: who gave which item which value, the values in their order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError
from wikibias.kits.agreement import GAP, Codes
from wikibias.messages import nearest
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


def counted(codes: Codes, values: int) -> NDArray[np.float64]:
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

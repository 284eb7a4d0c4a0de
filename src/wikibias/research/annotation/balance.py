"""Strata in which as many sentences are biased as neutral.

Horych et al. (2025, sections 5.1 and 5.2) balance twice. Before annotation, by an estimate: each
part of the political spectrum gives equally many sentences, half of which a classifier holds for
biased, so that annotation is not spent on neutral ones, of which there are many more. After it, by
the label: in each part, the larger class is drawn down to the smaller. A corpus in which all bias
came from one outlet would teach its style.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wikibias.errors import WikibiasError
from wikibias.research.annotation.answers import UNPARSED, cell_label, is_biased

if TYPE_CHECKING:
    import pandas as pd

Stratum = tuple[str, ...]
LEVEL = 0.5
"""A larger probability counts as biased."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a stratum had and gave: how many biased and neutral sentences."""

    stratum: Stratum
    biased: int
    neutral: int
    taken: int
    """Of each of the two."""


@dataclass(frozen=True, slots=True)
class Balanced:
    """A balanced choice of rows.

    Attributes:
        rows: their numbers, in order.
        parts: the strata, in the order in which they first occur.
        unlabelled: how many rows were left out because they have no label.
    """

    rows: Sequence[int]
    parts: Sequence[Part]
    unlabelled: int


def balanced(
    strata: Sequence[Stratum],
    biased: Sequence[bool | None],
    *,
    equal: bool = False,
    seed: int = 0,
) -> Balanced:
    """Choose rows at random so that in each stratum half are biased.

    Args:
        strata: the stratum of each row.
        biased: whether each is biased, by label or by estimate; None leaves it out.
        equal: take equally many from each stratum, so many as the smallest can give. A stratum that
            lacks one of the classes gives nothing, and does not count.
        seed: of the draws.

    Raises:
        WikibiasError: no stratum has both classes.
    """
    members: dict[Stratum, tuple[list[int], list[int]]] = {}
    for row, (stratum, is_it) in enumerate(zip(strata, biased, strict=True)):
        classes = members.setdefault(stratum, ([], []))
        if is_it is not None:
            classes[is_it].append(row)
    able = [min(map(len, classes)) for classes in members.values()]
    if not any(able):
        raise WikibiasError("no stratum has both biased and neutral sentences; nothing is balanced")
    least = min(filter(None, able))
    rng = np.random.default_rng(seed)
    rows: list[int] = []
    parts = []
    for (stratum, (neutral, positive)), most in zip(members.items(), able, strict=True):
        number = min(most, least) if equal else most
        for of_class in (neutral, positive):
            rows += rng.permutation(np.array(of_class, np.int64))[:number].tolist()
        parts.append(Part(stratum, len(positive), len(neutral), number))
    return Balanced(sorted(rows), parts, sum(one is None for one in biased))


def judged(cells: Sequence[Any], labels: Mapping[str, bool], place: str) -> list[bool | None]:
    """Return whether cells say biased: labels, or probabilities of bias; None of "?" and blanks.

    Args:
        cells: the cells of a column.
        labels: what labels mean.
        place: names the column in messages.

    Raises:
        WikibiasError: a cell is neither a label nor a number from 0 to 1.
    """
    found: list[bool | None] = []
    for row, cell in enumerate(cells):
        label = cell_label(cell)
        if label is None or label == UNPARSED:
            found.append(None)
            continue
        if (meaning := is_biased(label, labels)) is None:
            share = -1.0
            with suppress(ValueError):
                share = float(label)
            if not 0 <= share <= 1:
                raise WikibiasError(
                    f"{place}: row {row + 1}: {label[:40]!r} is no known label and no probability; "
                    "name labels with --labels NAME=biased,NAME=neutral"
                )
            meaning = share > LEVEL
        found.append(meaning)
    return found


def strata_of(table: pd.DataFrame, names: Sequence[str]) -> list[Stratum]:
    """Return the stratum of each row: what it has in some columns."""
    cells = [[cell_label(cell) or "" for cell in table[name]] for name in names]
    return list(zip(*cells, strict=True))

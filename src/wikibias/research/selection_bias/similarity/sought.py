"""Under which names a word or a phrase may have a vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in a file.

    Attributes:
        names: under which words and phrases may stand there.
        words: single words, those of phrases too, as they are written.
    """

    names: frozenset[str]
    words: frozenset[str]


class Found(NamedTuple):
    """What a file has.

    Attributes:
        vectors: of those sought, by name.
        dimensions: how many numbers each has.
        caution: what to keep in mind of the file; "" where nothing.
    """

    vectors: Mapping[str, Vector]
    dimensions: int
    caution: str = ""


def sought(wanted: Iterable[str]) -> Sought:
    """Return what to look for, so that all of some words and phrases can be told."""
    wanted = frozenset(wanted)
    words = frozenset(part for each in wanted for part in each.split())
    return Sought(frozenset(name for each in wanted | words for name in names(each)), words)


def names(wanted: str) -> list[str]:
    """Return the names of a word or a phrase, the best first: as it is written, lower-cased.

    The words of a phrase may be joined by "_" or "-".
    """
    parts = wanted.split()
    written = dict.fromkeys([wanted, *(mark.join(parts) for mark in " _-" if len(parts) > 1)])
    return list(dict.fromkeys(form for each in written for form in (each, each.lower())))

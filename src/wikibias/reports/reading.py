"""Reads the tables of a result folder for a page, few columns and few rows at a time.

A table may be missing, since a run has not come so far, and a column too, since an earlier version
wrote it. Neither is an error here.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wikibias.config.choices import SPLITS
from wikibias.kits.parquet import read_table
from wikibias.kits.schemas import Row


class Place(NamedTuple):
    """Where a row stands: the file, and its number in it."""

    path: Path
    row: int


def files(folder: Path, table: str) -> list[Path]:
    """Return the files of a table, in order; of the corpus those of its splits."""
    if table == "corpus":
        paths = [folder / table / f"{split}.parquet" for split in SPLITS]
        return [path for path in paths if path.is_file()]
    return sorted((folder / table).glob("*.parquet"))


def rows(folder: Path, table: str, columns: Sequence[str]) -> Iterator[tuple[Place, Row]]:
    """Yield the rows of a table with some of its columns; those that a file lacks are left out.

    Raises:
        WikibiasError: a file cannot be read.
    """
    for path in files(folder, table):
        for number, row in enumerate(read_table(path, list(columns))):
            yield Place(path, number), row


def at(places: Iterable[Place], columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows that stand in some places, by file and number.

    Raises:
        WikibiasError: a file cannot be read.
    """
    by_file: dict[Path, list[int]] = {}
    for path, row in places:
        by_file.setdefault(path, []).append(row)
    for path in sorted(by_file):
        yield from read_table(path, list(columns), sorted(by_file[path]))


class Reservoir:
    """A sample of fixed size of things that come one by one, each as likely as any other."""

    def __init__(self, size: int, seed: str) -> None:
        self._size, self._rng = size, random.Random(seed)  # noqa: S311 (chooses what is shown)
        self._seen = 0
        self.found: list[Place] = []

    def add(self, place: Place) -> None:
        """Take the next one, or pass it over."""
        self._seen += 1
        if len(self.found) < self._size:
            self.found.append(place)
        elif (instead := self._rng.randrange(self._seen)) < self._size:
            self.found[instead] = place


def texts(value: object) -> list[str]:
    """Return the texts in a cell or an entry that should hold a list of them."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def text(value: object) -> str:
    """Return a cell or an entry that should be a text; "" for what is none."""
    return value if isinstance(value, str) else ""


def numbers(value: object) -> dict[str, int]:
    """Return those entries of what should be numbers by name that are."""
    if not isinstance(value, Mapping):
        return {}
    return {str(name): number for name, number in value.items() if is_count(number)}


def is_count(value: object) -> bool:
    """Return whether a value is a number of things."""
    return type(value) is int and 0 <= value < 1 << 62


def section(value: object, *names: str) -> Mapping[str, Any]:
    """Return a part of what a manifest holds; an empty one where it is not there."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}

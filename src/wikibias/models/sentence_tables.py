"""Reads labelled sentences from tables: Parquet, JSON Lines and CSV, of ours and of others.

A table has the columns `label`, and `norm` or `text` or `sentence`; the others are optional.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.kits.cells import original
from wikibias.kits.parquet import read_columns
from wikibias.kits.tables import json_object
from wikibias.models.examples import LONGEST, Examples, Warn
from wikibias.models.sentence_lines import Tally, meaning, numbered_lines

CORPUS_COLUMNS = ("norm", "label", "role", "page_id", "before_rev_id", "after_rev_id")
"""What every table of a corpus has."""
SPLIT_NAMES: Mapping[str, str] = {
    "train": "train",
    "dev": "dev",
    "validation": "dev",
    "valid": "dev",
    "test": "test",
}
"""What a split may be called -> what we call it."""
_TEXTS = ("norm", "text", "sentence")
_WANTED = ("label", "split", "role", "page_id", "after_rev_id", "sentence_id", "diff_url")
_Columns = Mapping[str, Sequence[Any]]


def read_table(
    path: Path, labels: Mapping[str, bool], warn: Warn, *, needed: Sequence[str] = ()
) -> dict[str, Examples]:
    """Return the sentences of a table by split; under "" where it does not tell splits apart.

    Args:
        path: the file, whose name ends in `.parquet`, `.jsonl` or `.csv`.
        labels: label in the file -> whether it means biased.
        warn: takes what was skipped.
        needed: columns that must be there.

    Raises:
        WikibiasError: it cannot be read, lacks a column, or holds an unknown label.
    """
    columns = READERS[path.suffix.lower()](path, needed)
    texts = next((name for name in _TEXTS if name in columns), None)
    for name in (*needed, "label"):
        if name not in columns:
            raise WikibiasError(f"{path}: no column {name!r}; was it made by `wikibias extract`?")
    if texts is None:
        raise WikibiasError(f"{path}: no column of sentences; it must be called norm or text")
    places = _places(path, columns, texts, warn, cut=bool(needed))
    biased = _truth(path, columns["label"], labels)
    splits = [_split(path, columns, place) for place in places]
    apart = len(set(splits)) > 1
    found = {}
    for split in dict.fromkeys(splits) if apart else [""]:
        chosen = [p for p, s in zip(places, splits, strict=True) if s == split or not apart]
        name = f"{path} ({split})" if split else str(path)
        found[split] = _examples(name, columns, texts, biased, chosen, strict=bool(needed))
    return found


def _places(path: Path, columns: _Columns, texts: str, warn: Warn, *, cut: bool) -> list[int]:
    """Return the rows to learn from; where the long ones are not to be cut, they are left out."""
    left_out = Tally(path, warn, "row")
    found = []
    for place, text in enumerate(columns[texts]):
        shown = "" if text is None else str(text)
        if left_out.takes(shown[:LONGEST] if cut else shown, place + 1):
            found.append(place)
    left_out.report()
    return found


def _truth(path: Path, given: Sequence[Any], labels: Mapping[str, bool]) -> NDArray[np.bool_]:
    """Return whether each row is biased; asks for the meaning of each label once."""
    meanings: dict[str, bool] = {}
    for row, label in enumerate(map(str, given), 1):
        if label not in meanings:
            meanings[label] = meaning(label, labels, f"{path}: row {row}", first=not meanings)
    return np.array([meanings[str(label)] for label in given], dtype=bool)


def _split(path: Path, columns: _Columns, place: int) -> str:
    name = str((columns["split"][place] if "split" in columns else None) or "")
    if not name:
        return ""
    if name not in SPLIT_NAMES:
        raise WikibiasError(
            f"{path}: row {place + 1}: unknown split {name[:40]!r}; known: {', '.join(SPLIT_NAMES)}"
        )
    return SPLIT_NAMES[name]


def _examples(
    name: str,
    columns: _Columns,
    texts: str,
    biased: NDArray[np.bool_],
    places: Sequence[int],
    *,
    strict: bool,
) -> Examples:
    def of(column: str) -> list[str] | None:
        # Many sentences have the same role, and those of an edit its address: each is kept once.
        known: dict[str, str] = {}
        if (cells := columns.get(column)) is None:
            return None
        shown = ("" if cells[place] is None else str(cells[place]) for place in places)
        return [known.setdefault(cell, cell) for cell in shown]

    at = np.array(places, dtype=np.int64)
    return Examples(
        name=name,
        texts=[str(columns[texts][place])[:LONGEST] for place in places],
        biased=biased[at],
        rows=at + 1,
        pages=_numbers(name, columns, "page_id", places, strict=strict),
        # A revision belongs to one page, and one revision ends one edit: its id names the edit.
        edits=_numbers(name, columns, "after_rev_id", places, strict=strict),
        roles=of("role"),
        ids=of("sentence_id"),
        urls=of("diff_url"),
        normalised=texts == "norm",
    )


def _numbers(
    name: str, columns: _Columns, column: str, places: Sequence[int], *, strict: bool
) -> NDArray[np.int64] | None:
    """Return a column of ids; None where there is none, or of a foreign table no whole one."""
    if column not in columns:
        return None
    try:
        found = np.array([columns[column][place] for place in places], dtype=np.int64)
        if found.ndim != 1:
            raise TypeError
        return found
    except (TypeError, ValueError, OverflowError) as error:
        if not strict:
            return None
        raise WikibiasError(
            f"{name}: {column} is no number; was it made by `wikibias extract`?"
        ) from error


def _parquet(path: Path, needed: Sequence[str]) -> _Columns:
    return read_columns(path, (*_WANTED, *needed), _TEXTS)


def _csv(path: Path, _: Sequence[str]) -> _Columns:
    lines = numbered_lines(path, "row")
    header: list[str] = []
    try:
        # A cell of ours may bear an apostrophe that keeps spreadsheets from calculating.
        rows = csv.reader((f"{line}\n" for _, line in lines), strict=True)
        header = next(rows, [])
        if "label" not in header:
            raise WikibiasError(
                f"{path}: no column 'label'; its first line names {', '.join(header)[:100]!r}, and "
                "commas part the columns"
            )
        cells = (dict(zip(header, map(original, row), strict=False)) for row in rows)
        return _columns(header, cells)
    except csv.Error as error:
        raise WikibiasError(f"{path}: not a CSV file that can be read ({error})") from error


def _jsonl(path: Path, _: Sequence[str]) -> _Columns:
    def rows() -> Iterator[Mapping[str, Any]]:
        for number, line in numbered_lines(path, "object"):
            if not line.strip():
                continue
            yield json_object(line, f"{path}:{number}")

    return _columns(None, rows())


def _columns(header: Sequence[str] | None, rows: Iterable[Mapping[str, Any]]) -> _Columns:
    """Gather rows by column: those that the header names, else all that a row has."""
    wanted = (*_TEXTS, *_WANTED)
    found: dict[str, list[Any]] = {name: [] for name in wanted if header and name in header}
    for number, row in enumerate(rows, 1):
        for name in wanted:
            if name in row and name not in found:
                found[name] = [None] * (number - 1)
        for name, cells in found.items():
            cells.append(row.get(name))
    return found


READERS: Mapping[str, Callable[[Path, Sequence[str]], _Columns]] = {
    ".parquet": _parquet,
    ".jsonl": _jsonl,
    ".csv": _csv,
}
"""How the name of a table ends -> what reads it."""

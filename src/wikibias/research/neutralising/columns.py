"""Reads columns of texts that belong together: source, target, output, a person's verdict."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import decoded_lines, json_object
from wikibias.messages import counted, nearest

_NAME = re.compile(r"[^\W\d]\w*")
_BLANK = "blank"
_Row = Mapping[str, str]


def read_columns(
    path: Path, wanted: Mapping[str, str], warn: Callable[[str], None], needed: Sequence[str] = ()
) -> dict[str, list[str]]:
    """Return columns of a table, each of the same length.

    Args:
        path: TSV without quotes; where the name says so CSV, or JSON Lines with an object a line.
        wanted: what to call a column -> its name in the file, or its number from 1 on.
        warn: takes how many rows were left out, and why.
        needed: of `wanted`, those whose empty cells leave the row out.

    A first line of a TSV or CSV file whose cells are all single words, each another, is a header.

    Raises:
        UsageError: the file has no such column.
        WikibiasError: it cannot be read, holds nothing, or has rows of unequal length.
    """
    read = _jsonl if path.suffix.lower() in (".jsonl", ".ndjson") else _delimited
    found: dict[str, list[str]] = {name: [] for name in wanted}
    empty: dict[str, list[int]] = {}
    try:
        with path.open("rb") as stream:
            for number, row in read(path, _lines(path, stream, empty), wanted):
                missing = next((name for name in needed if not row[name].strip()), None)
                if missing:
                    empty.setdefault(f"without {missing}", []).append(number)
                    continue
                for name, cells in found.items():
                    cells.append(row[name])
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    for why, lines in empty.items():
        told = counted(len(lines), "blank row" if why == _BLANK else "row")
        more = "" if why == _BLANK else f" {why}"
        warn(f"{path}: left out {told}{more} (the first in line {lines[0]})")
    if not any(found.values()):
        raise WikibiasError(f"{path}: no row of texts in it")
    return found


def _lines(path: Path, stream: Any, empty: dict[str, list[int]]) -> Iterator[tuple[int, str]]:
    for number, line in decoded_lines(stream, str(path), "row"):
        if line.strip():
            yield number, line
        else:
            empty.setdefault(_BLANK, []).append(number)


def _delimited(
    path: Path, lines: Iterator[tuple[int, str]], wanted: Mapping[str, str]
) -> Iterator[tuple[int, _Row]]:
    columns: dict[str, int] | None = None
    width = 0
    for number, cells in _cells(path, lines):
        if columns is None:
            header = len(set(cells)) == len(cells) and all(map(_NAME.fullmatch, cells))
            columns, width = _places(path, wanted, cells, header=header), len(cells)
            if header:
                continue
        if len(cells) != width:
            raise WikibiasError(
                f"{path}:{number}: {counted(len(cells), 'column')} where the first line has "
                f"{width}; mend the line, or leave it out"
            )
        yield number, {name: cells[place] for name, place in columns.items()}


def _cells(path: Path, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    if path.suffix.lower() != ".csv":
        yield from ((number, line.split("\t")) for number, line in lines)
        return
    at = 0

    def fed() -> Iterator[str]:
        nonlocal at
        for at, line in lines:  # noqa: B007 (a row may go over several lines)
            yield f"{line}\n"

    try:
        for cells in csv.reader(fed(), strict=True):
            yield at, cells
    except csv.Error as error:
        raise WikibiasError(f"{path}:{at}: no CSV that can be read ({error})") from error


def _places(
    path: Path, wanted: Mapping[str, str], first: Sequence[str], *, header: bool
) -> dict[str, int]:
    found = {}
    for name, asked in wanted.items():
        if header and asked in first:
            found[name] = first.index(asked)
        elif asked.isdecimal():
            found[name] = int(asked) - 1
            if not 1 <= int(asked) <= len(first):
                raise UsageError(
                    f"--{name} {asked}: {path} has {counted(len(first), 'column')}, from 1 on"
                )
        elif header:
            raise UsageError(f"--{name}: {path} has no column {asked!r}{nearest(asked, first)}")
        else:
            raise UsageError(
                f"--{name} {asked}: {path} has no header; give the number of the column, from 1 on"
            )
    return found


def _jsonl(
    path: Path, lines: Iterator[tuple[int, str]], wanted: Mapping[str, str]
) -> Iterator[tuple[int, _Row]]:
    for number, line in lines:
        found = json_object(line, f"{path}:{number}")
        for name, asked in wanted.items():
            if asked not in found:
                raise UsageError(
                    f"--{name}: {path}:{number} has no {asked!r}{nearest(asked, found)}"
                )
        yield (
            number,
            {
                name: "" if found[asked] is None else str(found[asked])
                for name, asked in wanted.items()
            },
        )

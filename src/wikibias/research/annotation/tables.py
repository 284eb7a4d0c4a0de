"""Reads and writes tables of tasks, answers and labels: Parquet, JSON Lines, JSON, CSV and TSV.

The file of answers of the labelling page is read as well, as a long table.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.cells import harmless, original
from wikibias.kits.files import read_small, write_text
from wikibias.kits.parquet import foreign_columns, read_columns
from wikibias.kits.tables import decoded_lines, json_object
from wikibias.messages import nearest
from wikibias.research.annotation.answer_store import ENDING, read_answer_rows

ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ENDING)
_LINES, _DELIMITED = (".jsonl", ".ndjson"), (".csv", ".tsv")
_SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")
_HALF = re.compile("[\ud800-\udfff]")
_IN_JSON = (str, int, float, list, dict, type(None))


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of equal length, by name, in the order of the file."""

    path: Path
    columns: Mapping[str, Sequence[Any]]
    places: Sequence[int] = ()
    """The row of the file that each stands in, where that is not known by counting."""

    def place(self, number: int) -> str:
        """Return where a row of the table, from 0, stands in the file, as "path:row"."""
        return f"{self.path}:{self.places[number] if self.places else number + 1}"

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def column(self, name: str) -> Sequence[Any]:
        """Return a column.

        Raises:
            WikibiasError: there is none of that name; the message names the nearest.
        """
        if name not in self.columns:
            raise WikibiasError(f"{self.path}: no column {name!r}{nearest(name, self.columns)}")
        return self.columns[name]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows, with nothing in them that JSON cannot hold: a date becomes its text."""
        for number in range(len(self)):
            yield {name: _plain(cells[number]) for name, cells in self.columns.items()}

    def chosen(self, patterns: str, option: str = "--columns") -> list[str]:
        """Return the columns that names or patterns such as `*@*`, parted by commas, choose.

        Raises:
            UsageError: a part chooses none.
        """
        return chosen(patterns, self.columns, option, f"{self.path} has no column")


def chosen(patterns: str, known: Collection[str], option: str, unknown: str) -> list[str]:
    """Return the known names that names or patterns, parted by commas, choose, each once.

    Args:
        patterns: what a user says.
        known: all names there are.
        option: of the command line, for messages.
        unknown: what a message says before a part that chooses none.

    Raises:
        UsageError: a part chooses none, or there is no part.
    """
    names: dict[str, None] = {}
    for pattern in filter(None, (part.strip() for part in patterns.split(","))):
        exact = [pattern] if pattern in known else []
        found = exact or [name for name in known if fnmatchcase(name, pattern)]
        if not found:
            raise UsageError(f"{option}: {unknown} {pattern!r}{nearest(pattern, known)}")
        names |= dict.fromkeys(found)
    if not names:
        raise UsageError(f"{option}: give names, parted by commas")
    return list(names)


def read_table(path: Path) -> Table:
    """Return a table, whatever its form, by the ending of its name.

    Raises:
        WikibiasError: it cannot be read, its ending says nothing, or it holds no row.
    """
    ending = path.suffix.lower()
    places: Sequence[int] = ()
    if ending in _SPREADSHEETS:
        raise WikibiasError(f"{path}: a spreadsheet; save it as CSV (UTF-8), and give that")
    if ending not in ENDINGS:
        raise WikibiasError(f"{path}: not a table; its name must end in {', '.join(ENDINGS)}")
    try:
        if ending == ".parquet":
            columns: Mapping[str, Sequence[Any]] = read_columns(path, foreign_columns(path))
        elif ending in _DELIMITED:
            columns, places = _delimited(path, "\t" if ending == ".tsv" else ",")
        elif ending == ENDING:
            columns = _gathered(read_answer_rows(path))
        else:
            columns = _gathered(_json_rows(path) if ending == ".json" else _jsonl_rows(path))
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    table = Table(path, columns, places)
    if not len(table):
        raise WikibiasError(f"{path}: no row in it")
    return table


def _delimited(path: Path, mark: str) -> tuple[dict[str, list[str]], list[int]]:
    """Return the columns of CSV or TSV, and the number of each row, the header's being 1."""
    try:
        text = read_small(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WikibiasError(f"{path}: not UTF-8; save it as UTF-8") from error
    if "\0" in text:
        raise WikibiasError(f"{path}: a NUL byte; this is no text file")
    # A cell may be as long as the file, which is small; the module's own limit is 131,072.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    try:
        rows = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
        filled = [(number, row) for number, row in enumerate(rows, 1) if any(map(str.strip, row))]
    except csv.Error as error:
        raise WikibiasError(f"{path}: not a CSV file that can be read ({error})") from error
    header = [original(cell).strip() for cell in filled[0][1]] if filled else []
    if len(set(header)) < len(header):
        raise WikibiasError(f"{path}: two columns have one name; rename one")
    for number, row in filled[1:]:
        if len(row) != len(header):
            raise WikibiasError(
                f"{path}:{number}: {len(row)} cells where the header has {len(header)}; mend the "
                "line, or leave it out"
            )
    columns = [[original(row[place]) for _, row in filled[1:]] for place in range(len(header))]
    return dict(zip(header, columns, strict=True)), [number for number, _ in filled[1:]]


def _gathered(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for number, row in enumerate(rows):
        for name in row:
            if name not in found:
                found[name] = [None] * number
        for name, cells in found.items():
            cells.append(row.get(name))
    return found


def _jsonl_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open("rb") as stream:
        for number, line in decoded_lines(stream, str(path), "row"):
            if line.strip():
                yield json_object(line, f"{path}:{number}")


def _json_rows(path: Path) -> list[dict[str, Any]]:
    found = read_json(path)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise WikibiasError(f"{path}: no list of objects; give one object a row, or JSON Lines")
    return found


def _whole(value: Any) -> Any:
    """Return what JSON holds without halves of characters, which no other file can hold."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(each) for name, each in value.items()}
    return value


def read_json(path: Path) -> Any:
    """Return what a JSON file holds.

    Raises:
        WikibiasError: it cannot be read, or is no JSON.
    """
    try:
        return _whole(json.loads(read_small(path).decode("utf-8-sig")))
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise WikibiasError(f"{path}: no JSON ({error!s:.200})") from error


def listed(cell: Any, place: str) -> list[Any]:
    """Return a list that stands in a cell; in CSV it is JSON.

    Raises:
        WikibiasError: it is none; `place` says where.
    """
    found = cell
    if isinstance(cell, str):
        with suppress(ValueError, RecursionError):
            found = json.loads(cell)
    if not isinstance(found, list | tuple):
        raise WikibiasError(f"{place}: {cell!s:.40} is no list")
    return list(found)


def check_ending(path: Path) -> None:
    """Check that a table can be written under a name, before there is one.

    Raises:
        UsageError: the ending names another form.
    """
    if path.suffix.lower() not in (*_LINES, *_DELIMITED):
        raise UsageError(f"{path}: the name must end in .jsonl, .csv or .tsv")


def _plain(cell: Any) -> Any:
    if isinstance(cell, float) and not isfinite(cell):
        return None
    return cell if isinstance(cell, _IN_JSON) else str(cell)


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]], *, mark: bool = False) -> None:
    """Write rows as JSON Lines, CSV or TSV, by the ending of the name; all of one shape.

    In CSV and TSV a list stands as JSON, and no cell is a formula; with `mark` they begin with a
    byte order mark, without which Excel takes UTF-8 for something else.

    Raises:
        UsageError: the ending names another form.
        WikibiasError: the file cannot be written.
    """
    ending = path.suffix.lower()
    check_ending(path)
    if ending in _LINES:
        write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        return
    text = StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(text, delimiter="\t" if ending == ".tsv" else ",", lineterminator="\n")
    writer.writerow(map(_shown, names))
    writer.writerows([_shown(row.get(name)) for name in names] for row in rows)
    write_text(path, ("\ufeff" if mark else "") + text.getvalue())


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, list | tuple | dict):
        return json.dumps(cell, ensure_ascii=False)
    # A NUL, which a model may answer, ends a text file for what reads it.
    return harmless(cell.replace("\0", "\ufffd")) if isinstance(cell, str) else str(cell)

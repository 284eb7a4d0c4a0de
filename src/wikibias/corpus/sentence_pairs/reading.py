"""Reads sentence pairs: what `wikibias pairs` wrote, and tables of anybody.

Parquet, JSON Lines, CSV, and TSV with a header or without; each but Parquet also as `.gz`. Only a
line of a file is in memory at a time.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.cells import original
from wikibias.kits.parquet import DamagedTableError, open_file, read_table
from wikibias.kits.schemas import SENTENCE_PAIRS_FILE
from wikibias.kits.tables import decoded_lines, json_object
from wikibias.messages import counted, nearest
from wikibias.records import Label

SIDES = (
    ("source", "target"),
    ("src", "tgt"),
    ("src", "ref"),
    ("src_raw", "tgt_raw"),
    ("removed", "added"),
    ("biased", "neutral"),
    ("text", "neutral"),
    ("before", "after"),
)
"""Names of two columns that are known for the sides of a pair."""
_KNOWN = {name for pair in SIDES for name in pair}
_IDS = ("pair_id", "id", "row")
# Pages rather than revisions: two edits of one page are no strangers.
_GROUPS = ("page_id", "group", "revision", "rev_id", "after_rev_id")


@dataclass(frozen=True, slots=True)
class PairColumns:
    """The places of the columns of a table, from 0; None where it has no such column."""

    source: int
    target: int
    group: int | None
    split: int | None = None
    label: int | None = None
    pair_id: int | None = None


def is_header(cells: Sequence[str], wanted: Sequence[str | None]) -> bool:
    """Return whether the first line of a file names its columns.

    It does where a wanted column is one of its names, or the cells at the wanted places are known
    as names, or, with nothing wanted, a known pair of names is among them.
    """
    names = [_plain(cell) for cell in cells]
    given = [each for each in wanted if each is not None]
    if any(each in map(str.strip, cells) for each in given):
        return True
    if given and all(map(str.isdecimal, given)):
        places = [int(each) - 1 for each in given]
        return any(0 <= place < len(names) and names[place] in _KNOWN for place in places)
    return bool(_known_sides(names))


def columns_of(
    path: Path,
    names: Sequence[str] | None,
    source: str | None,
    target: str | None,
    group: str | None,
) -> PairColumns:
    """Return which columns to read.

    Args:
        path: the file, for messages.
        names: of its columns; None where it has no header.
        source: name or number, from 1, of the column with the biased sentences; None to find it.
        target: that with the neutral ones.
        group: that with what keeps pairs together, such as the revision.

    Raises:
        UsageError: a column is not there, or the sides cannot be told without being named.
    """
    if (source is None) != (target is None):
        raise UsageError("give both --source and --target, or neither")
    found = names or []
    if source is None or target is None:
        sides = _known_sides([_plain(name) for name in found])
        if len(sides) != 1:
            why = f"its columns are {_listed(found)}" if found else "it has no header"
            raise UsageError(
                f"{path}: which columns hold the pairs? {why}; "
                "give --source and --target, by name or number from 1"
            )
        first, second = sides[0]
    else:
        first, second = _place(path, names, source), _place(path, names, target)
    if first == second:
        raise UsageError(f"{path}: --source and --target are the same column")
    return PairColumns(
        first,
        second,
        _first(found, _GROUPS) if group is None else _place(path, names, group),
        split=_first(found, ("split",)),
        label=_first(found, ("label",)),
        pair_id=_first(found, _IDS),
    )


def _plain(name: str) -> str:
    return name.strip().lower()


def _known_sides(names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the known pairs of names; none where two pairs fit."""
    return [(names.index(a), names.index(b)) for a, b in SIDES if a in names and b in names]


def _first(names: Sequence[str], known: Sequence[str]) -> int | None:
    plain = [_plain(name) for name in names]
    return next((plain.index(name) for name in known if name in plain), None)


def _place(path: Path, names: Sequence[str] | None, wanted: str) -> int:
    """Return the place of a column that is given by name or by number."""
    known = [name.strip() for name in names or ()]
    if wanted in known:
        return known.index(wanted)
    if wanted.isdecimal() and int(wanted) > 0:
        if names is not None and int(wanted) > len(known):
            raise UsageError(f"{path}: no column {wanted}; it has {len(known)}")
        return int(wanted) - 1
    if names is None:
        raise UsageError(f"{path}: no header with a column {wanted!r}; give its number, from 1")
    raise UsageError(f"{path}: unknown column {wanted!r}{nearest(wanted, known)}")


def _listed(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(name.strip()[:30] for name in names[:most])
    return shown + (", ..." if len(names) > most else "")


_OURS = ["split", "label", "tier"]  # how the header of our readable table begins
_ROWS_AT_ONCE = 256
Cells = Sequence[Any]
Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PairText:
    """A sentence pair of any file.

    Attributes:
        pair_id: names it; the number of its row where the file has no column of ids.
        source: the biased sentence.
        target: the neutral one; the same where the label is neutral.
        split: that the file puts it into.
        group: what it must share a fold with: its page or its revision.
        row: its line, object or row in the file, from 1.
        label: neutral for a sentence that an edit for neutrality left alone.
    """

    pair_id: str
    source: str
    target: str
    split: str | None
    group: str | None
    row: int
    label: Label = "biased"


class _Wanted(NamedTuple):
    source: str | None
    target: str | None
    group: str | None


def read_pairs(
    path: Path,
    *,
    source: str | None = None,
    target: str | None = None,
    group: str | None = None,
    neutral: bool = False,
    warn: Warn | None = None,
) -> Iterator[PairText]:
    """Yield the pairs of a file, in its order.

    Args:
        path: a folder that `wikibias pairs` made, or a table.
        source: the column of the biased sentences, by name or number from 1; found by itself where
            the header has names that are known, or there are two columns and no header.
        target: that of the neutral ones.
        group: that of the pages or revisions.
        neutral: whether to yield the pairs labelled neutral, too.
        warn: takes one line that says how many rows had no pair, and where the first was.

    Raises:
        UsageError: the file is not there, or has no such column.
        WikibiasError: a row cannot be read; the line names file and row.
    """
    file = path / SENTENCE_PAIRS_FILE if path.is_dir() else path
    if not file.is_file():
        missing = (
            f"no {SENTENCE_PAIRS_FILE} in it; `wikibias pairs` makes one"
            if path.is_dir()
            else "no file"
        )
        raise UsageError(f"{path}: {missing}")
    columns, rows = _opened(file, _Wanted(source, target, group))
    without: list[int] = []
    for row, cells in rows:
        pair = _pair(file, columns, row, cells)
        if pair is None:
            without.append(row)
        elif neutral or pair.label == "biased":
            yield pair
    if without and warn is not None:
        first = " (this is the first)" if len(without) > 1 else ""
        warn(f"{file}:{without[0]}: left out {counted(len(without), 'row')} without a pair{first}")


def is_pairs_folder(folder: Path) -> bool:
    """Return whether a folder is one that `wikibias pairs` made."""
    return (folder / SENTENCE_PAIRS_FILE).is_file()


def holds_pairs(path: Path) -> bool:
    """Return whether a file or folder holds pairs that are found without naming columns."""
    try:
        next(read_pairs(path), None)
    except WikibiasError:
        return False
    return True


def _opened(path: Path, wanted: _Wanted) -> tuple[PairColumns, Iterator[tuple[int, Cells]]]:
    """Return the columns of a file, and its rows with their numbers."""
    ending = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
    if ending.lower() == ".parquet":
        names = _parquet_names(path)
        columns = columns_of(path, names, *wanted)
        return columns, _parquet_rows(path, names, columns)
    if ending.lower() in (".jsonl", ".ndjson", ".json"):
        return _objects(path, wanted)
    return _lines(path, wanted, _csv if ending.lower() == ".csv" else _tsv)


def _pair(path: Path, columns: PairColumns, row: int, cells: Cells) -> PairText | None:
    """Return the pair of a row; None where one of its sides is null or blank."""

    def text(place: int | None) -> str | None:
        if place is None:
            return None
        if place >= len(cells):
            raise WikibiasError(
                f"{path}:{row}: {counted(len(cells), 'column')} only, and column {place + 1} is "
                "wanted"
            )
        cell = cells[place]
        return None if cell is None or cell == "" else str(cell)

    source, target = text(columns.source), text(columns.target)
    if source is None or target is None or not source.strip() or not target.strip():
        return None
    # Others have numbers there, of which nobody says what they mean.
    label: Label = "neutral" if text(columns.label) == "neutral" else "biased"
    return PairText(
        text(columns.pair_id) or str(row),
        source,
        target,
        text(columns.split),
        text(columns.group),
        row,
        label,
    )


def _parquet_names(path: Path) -> list[str]:
    try:
        with open_file(path) as file:
            return list(file.schema_arrow.names)
    except DamagedTableError as error:
        raise WikibiasError(f"{path}: not a Parquet file that can be read") from error


def _parquet_rows(
    path: Path, names: Sequence[str], columns: PairColumns
) -> Iterator[tuple[int, Cells]]:
    places = (columns.source, columns.target, columns.group, columns.split, columns.label)
    needed = {names[place] for place in (*places, columns.pair_id) if place is not None}
    rows = read_table(path, [name for name in names if name in needed], at_once=_ROWS_AT_ONCE)
    for number, row in enumerate(rows, 1):
        yield number, [row.get(name) for name in names]


def _objects(path: Path, wanted: _Wanted) -> tuple[PairColumns, Iterator[tuple[int, Cells]]]:
    """Read JSON Lines; the first object names the columns."""
    rows = _json_rows(path)
    first = next(rows, None)
    if first is None:
        raise WikibiasError(f"{path}: no pair in it; give a source and a target a line")
    names = list(first[1])

    def cells() -> Iterator[tuple[int, Cells]]:
        for number, found in _chained(first, rows):
            yield number, [found.get(name) for name in names]

    return columns_of(path, names, *wanted), cells()


def _json_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in _text_lines(path):
        if not line.strip():
            continue
        yield number, json_object(line, f"{path}:{number}")


def _lines(
    path: Path, wanted: _Wanted, split: Callable[[Path], Iterator[tuple[int, list[str]]]]
) -> tuple[PairColumns, Iterator[tuple[int, Cells]]]:
    """Read TSV or CSV, with a header or without."""
    rows = split(path)
    first = next(rows, None)
    if first is None:
        raise WikibiasError(f"{path}: no pair in it; give a source and a target a line")
    if is_header(first[1], wanted):
        columns = columns_of(path, first[1], *wanted)
        return columns, _ours(rows) if first[1][: len(_OURS)] == _OURS else rows
    if wanted.source is None and wanted.target is None and _are_two_sentences(first[1]):
        wanted = _Wanted("1", "2", wanted.group)
    if wanted.source is None and len(first[1]) > 1:
        raise UsageError(
            f"{path}: its first line names no columns that are known; "
            "give --source and --target, by name or number from 1"
        )
    return columns_of(path, None, *wanted), _chained(first, rows)


def _are_two_sentences(cells: Sequence[str]) -> bool:
    """Return whether a line is a pair and nothing else; a label or a number has no space."""
    return len(cells) == 2 and all(" " in cell.strip() for cell in cells)


def _tsv(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line; quotation marks are characters as all others."""
    for number, line in _text_lines(path):
        if line.strip():
            yield number, line.split("\t")


def _ours(rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """Undo what keeps spreadsheets from calculating, in a table that we wrote."""
    for number, row in rows:
        yield number, [original(_unquoted(cell)) for cell in row]


def _unquoted(cell: str) -> str:
    whole = len(cell) > 1 and cell.startswith('"') and cell.endswith('"')
    return cell[1:-1].replace('""', '"') if whole else cell


def _csv(path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader((f"{line}\n" for _, line in _text_lines(path)), strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, [original(cell) for cell in row]
    except csv.Error as error:
        raise WikibiasError(f"{path}:{reader.line_num}: no CSV ({error})") from error


def _chained(first: tuple[int, Any], rest: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    yield first
    yield from rest


def _text_lines(path: Path) -> Iterator[tuple[int, str]]:
    with _stream(path) as stream:
        yield from decoded_lines(stream, str(path), "pair")


@contextmanager
def _stream(path: Path) -> Iterator[BinaryIO]:
    """Open a file, decompressed where its name ends in `.gz`.

    Raises:
        WikibiasError: it cannot be read, or is damaged.
    """
    try:
        if path.suffix.lower() == ".gz":
            with gzip.open(path, "rb") as stream:
                yield cast(BinaryIO, stream)
        else:
            with path.open("rb") as plain:
                yield plain
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise WikibiasError(f"{path}: a damaged gz file ({error})") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error

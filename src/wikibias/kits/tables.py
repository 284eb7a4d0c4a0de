"""Foreign tables as pandas frames: CSV, TSV, JSON Lines, JSON and Parquet, in UTF-8, also as `.gz`.

A row is named by its line in the file (in Parquet by its row), from 1 on: the index of a frame.

A spreadsheet takes a cell that begins with one of a few characters for a formula, which may call
programs or send the sheet away. An apostrophe in front makes it text.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from wikibias.errors import UsageError, WikibiasError, counted, nearest, printable
from wikibias.kits.files import LARGEST_SMALL_FILE, from_json, write_text

if TYPE_CHECKING:
    import pandas as pd


# The wide forms of = + - @ count in spreadsheets set up for Chinese or Japanese.
_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; `original` gives back what it was."""
    return f"'{cell}" if _is_risky(cell) else cell


def one_line(text: str) -> str:
    """Return a text as a harmless cell of one line, with what a terminal would obey escaped."""
    return harmless(printable(" ".join(text.split())))


def tsv_cell(text: str) -> str:
    """Return a text as `one_line` does, in quotation marks where it begins with one.

    A reader takes it for quoted, up to the next mark anywhere.
    """
    cell = one_line(text)
    return '"{}"'.format(cell.replace('"', '""')) if cell.startswith('"') else cell


def original(cell: str) -> str:
    """Return the cell that was made harmless; others as they are."""
    return cell[1:] if cell.startswith("'") and _is_risky(cell) else cell


def _is_risky(cell: str) -> bool:
    # With apostrophes of its own it gets one more, so that none of them is lost.
    return cell.lstrip("'").startswith(_BEGINS_FORMULA)


T = TypeVar("T")
Row = dict[str, Any]
Warn = Callable[[str], None]

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
"""Of the names of tables; each but Parquet also with `.gz` behind it."""
_WRITTEN = (".jsonl", ".ndjson", ".csv", ".tsv")
_LONGEST = 10_000_000  # bytes; a line without end would take all memory
_MOST_COLUMNS = 10_000
_MOST_GAPS = 20_000_000  # cells of a frame that no row has, where there are more than cells
_NAME = re.compile(r"[^\W\d]\w*")
_SAVE_IT = "save it as UTF-8 (Excel: CSV UTF-8; LibreOffice: character set UTF-8)"
_FASTTEXT = "__label__"


class Columns:
    """The columns to read of a table: what each is called in the frame, and its names in the file.

    The first name that the file has counts. A single name that is a number from 1 on means the
    column at that place, unless it is a column's name.

        Columns(text=("norm", "text", "sentence"), label="label", needed=("text", "label"))

    Args:
        needed: the columns without which a table is refused.
        names: by column; one that is None is not read.
    """

    def __init__(
        self, *, needed: Collection[str] = (), **names: str | Sequence[str] | None
    ) -> None:
        self.needed = frozenset(needed)
        self.names: dict[str, Sequence[str]] = {
            column: (given,) if isinstance(given, str) else given
            for column, given in names.items()
            if given is not None
        }

    def found_in(self, path: Path, known: Sequence[str]) -> dict[str, str]:
        """Return the name in a file of each column that it has.

        Raises:
            WikibiasError: it lacks one that is needed; the message names those that there are. A
                UsageError where the name is not the column's own, but was chosen.
        """
        found = {}
        for column, names in self.names.items():
            name = next((each for each in names if each in known), None)
            if name is None and len(names) == 1 and names[0].isdecimal():
                place = int(names[0])
                name = known[place - 1] if 1 <= place <= len(known) else None
            if name is not None:
                found[column] = name
            elif column in self.needed:
                error = UsageError if list(names) != [column] and len(names) == 1 else WikibiasError
                raise error(f"{path}: {_missing(names, known)}")
        return found

    def are_in_header(self, cells: Sequence[str]) -> bool:
        """Return whether a first line has one of the names, or, with numbers only, mere names."""
        names = [name for each in self.names.values() for name in each]
        if any(name in cells for name in names):
            return True
        if not all(map(str.isdecimal, names)):
            return False
        return len(set(cells)) == len(cells) and all(map(_NAME.fullmatch, cells))


def _missing(names: Sequence[str], known: Sequence[str]) -> str:
    if len(names) == 1:
        return f"no column {names[0]!r}{nearest(names[0], known)}"
    columns = ", ".join(name[:40] for name in known[:20])
    return f"no column called {', '.join(names)}; its columns are {columns}"


def read_frame(
    path: Path,
    columns: Columns | None = None,
    *,
    header: bool | None = True,
    quoted: bool | None = None,
) -> pd.DataFrame:
    """Return a table as a frame of Python values; its index is the line (or row) of each row.

    `frame.attrs["path"]` is the file, `frame.attrs["names"]` the name there of each column.

    Args:
        path: the file; the ending of its name says its form.
        columns: those to read; all by default.
        header: of CSV and TSV, whether the first line names the columns; None to tell by its
            cells. Columns without names are called by their numbers, from 1 on.
        quoted: of CSV and TSV, whether cells may be in quotation marks, and begin with an
            apostrophe that keeps spreadsheets from calculating; CSV alone by default.

    Raises:
        UsageError: the file is missing, is no table, or lacks a column that is needed.
        WikibiasError: a line cannot be read; the message names it.
    """
    return _frame(path, *_open_rows(path, columns, header=header, quoted=quoted))


def _frame(path: Path, names: Mapping[str, str], rows: Iterable[tuple[int, Row]]) -> pd.DataFrame:
    """Return rows as a frame, given the name in the file of each column."""
    import pandas as pd

    numbers: list[int] = []
    cells: dict[str, list[Any]] = {name: [] for name in names}
    held = 0
    for number, row in rows:
        new = row.keys() - cells.keys()
        width = len(cells) + len(new)
        if new:
            _check_width(f"{path}:{number}", width)
        held += len(row)
        if len(numbers) * width > _MOST_GAPS + 4 * held:
            raise WikibiasError(
                f"{path}:{number}: the rows have few of the {width:,} columns; give them the same"
            )
        for name in sorted(new):
            cells[name] = [None] * len(numbers)
        numbers.append(number)
        for name, column in cells.items():
            column.append(row.get(name))
    index = pd.Index(numbers, dtype="int64", name="row")
    found = {name: pd.Series(column, index, dtype=object) for name, column in cells.items()}
    frame = pd.DataFrame(found, index=index)
    frame.attrs = {"path": str(path), "names": names}
    return frame


def read_rows(
    path: Path,
    columns: Columns | None = None,
    *,
    header: bool | None = True,
    quoted: bool | None = None,
) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a table with their lines, one in memory at a time; see `read_frame`."""
    return _open_rows(path, columns, header=header, quoted=quoted)[1]


def column_names_of(path: Path) -> list[str]:
    """Return the names of the columns of a table; of JSON Lines those of the first object.

    Raises:
        WikibiasError: it cannot be read.
    """
    return list(_open_rows(path, None, header=True, quoted=None)[0].values())


def read_labelled_lines(path: Path) -> pd.DataFrame:
    """Return the columns `label` and `text` of `label<TAB>text` or `__label__x text` lines.

    The first line that is not blank tells which of the two a file has, and whether it is a header.

    Raises:
        UsageError: the file cannot be read.
        WikibiasError: a line has no label.
    """
    rows: list[tuple[int, Row]] = []
    fasttext = False
    for number, line in text_lines(path, "sentence"):
        if not line.strip():
            continue
        fasttext = line.startswith(_FASTTEXT) if not rows else fasttext
        label, found, text = line.partition(" " if fasttext else "\t")
        if fasttext and not label.startswith(_FASTTEXT):
            raise WikibiasError(f"{path}:{number}: no {_FASTTEXT} at the beginning, as above")
        if not found and not fasttext:
            raise WikibiasError(f"{path}:{number}: no tab; every line is label<TAB>sentence")
        label = label.removeprefix(_FASTTEXT) if fasttext else label
        rows.append((number, {"label": label, "text": text}))
    header = rows and not fasttext and rows[0][1]["label"] == "label"
    if header and rows[0][1]["text"] in ("text", "sentence", "norm"):
        del rows[0]
    return _frame(path, {"label": "label", "text": "text"}, rows)


def map_labels(frame: pd.DataFrame, labels: Mapping[str, T]) -> list[T]:
    """Return what the label of each row means.

    Raises:
        WikibiasError: one is unknown; the message names its line, and the option that maps it.
    """
    for number, label in zip(frame.index, frame["label"], strict=True):
        if str(label) not in labels:
            raise WikibiasError(
                f"{frame.attrs['path']}:{number}: unknown label {str(label)[:40]!r}; known: "
                f"{', '.join(labels)} (other names: --labels NAME=MEANING,...)"
            )
    return [labels[str(label)] for label in frame["label"]]


class Tally:
    """Counts what is left out of a file, by reason, and warns once of each, with its first place.

    Args:
        path: the file.
        warn: takes the warnings.
        unit: what is counted.
        prefix: of each warning, before the number.
    """

    def __init__(
        self, path: Path | str, warn: Warn, unit: str = "row", prefix: str = "left out "
    ) -> None:
        self._path, self._warn, self._unit, self._prefix = path, warn, unit, prefix
        self._first: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    def add(self, reason: str, place: int, count: int = 1) -> None:
        """Count what is left out, for a reason such as "without a sentence"."""
        self._first.setdefault(reason, place)
        self._counts[reason] = self._counts.get(reason, 0) + count

    def report(self) -> None:
        """Warn of each reason."""
        for reason, count in self._counts.items():
            self._warn(
                f"{self._path}:{self._first[reason]}: {self._prefix}{counted(count, self._unit)} "
                f"{reason}" + (" (this is the first)" if count > 1 else "")
            )


def leave_out(
    frame: pd.DataFrame, reasons: Mapping[str, pd.Series[bool]], warn: Warn, unit: str = "row"
) -> pd.DataFrame:
    """Return a frame without some rows, and warn of each reason: the first that holds counts."""
    tally, left = Tally(frame.attrs["path"], warn, unit), frame
    for reason, holds in reasons.items():
        gone = holds.reindex(left.index)
        if gone.any():
            tally.add(reason, int(left.index[gone.to_numpy()][0]), int(gone.sum()))
            left = left[~gone]
    tally.report()
    return left


def check_ending(path: Path) -> None:
    """Check that a table can be written under a name, before there is one.

    Raises:
        UsageError: the ending names another form.
    """
    if path.suffix.lower() not in _WRITTEN:
        raise UsageError(f"{path}: the name must end in .jsonl, .csv or .tsv")


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]], *, mark: bool = False) -> None:
    """Write rows as JSON Lines, CSV or TSV, by the ending of the name.

    In CSV and TSV a list is JSON, and no cell is a formula; with `mark` they begin with a byte
    order mark, without which Excel takes UTF-8 for something else.

    Raises:
        UsageError: the ending names another form.
        WikibiasError: the file cannot be written.
    """
    check_ending(path)
    ending = path.suffix.lower()
    if ending in (".jsonl", ".ndjson"):
        write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        return
    text = StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(text, delimiter="\t" if ending == ".tsv" else ",", lineterminator="\n")
    writer.writerow(map(_cell, names))
    writer.writerows([_cell(row.get(name)) for name in names] for row in rows)
    write_text(path, ("\ufeff" if mark else "") + text.getvalue())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    # A NUL, which a model may answer, ends a text file for what reads it.
    return harmless(value.replace("\0", "\ufffd")) if isinstance(value, str) else str(value)


def _open_rows(
    path: Path, columns: Columns | None, *, header: bool | None, quoted: bool | None
) -> tuple[dict[str, str], Iterator[tuple[int, Row]]]:
    """Return the name in the file of each column, and the rows with the cells of each."""
    ending = form_of(path)
    if ending == ".parquet":
        from wikibias.kits.parquet import foreign_columns, iter_rows

        known = foreign_columns(path)
        _check_width(str(path), len(known))
        names = columns.found_in(path, known) if columns else {name: name for name in known}
        found = enumerate(iter_rows(path, set(names.values())), 1)
        return names, ((at, {c: row[name] for c, name in names.items()}) for at, row in found)
    if ending in (".csv", ".tsv"):
        return _delimited(path, columns, ending, header=header, quoted=quoted)
    objects = _json_rows(path) if ending == ".json" else _json_lines(path)
    first = next(objects, None)
    if first is None:
        return {c: n[0] for c, n in columns.names.items()} if columns else {}, iter(())
    _check_width(f"{path}:{first[0]}", len(first[1]))
    rows = chain([first], objects)
    if columns is None:
        return {name: name for name in first[1]}, rows
    # Objects need not have the same keys.
    return columns.found_in(path, list(first[1])), _picked_of_objects(rows, columns.names)


def form_of(path: Path) -> str:
    """Return the ending of a table's name that tells its form, without `.gz`.

    Raises:
        UsageError: it is none of those known.
    """
    name = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = name.suffix.lower()
    if ending not in ENDINGS or (name is not path and ending == ".parquet"):
        raise UsageError(
            f"{path}: not a table; its name must end in {', '.join(ENDINGS)}, or one of them and "
            ".gz (a spreadsheet: save it as CSV UTF-8)"
        )
    return ending


def _check_width(place: str, columns: int) -> None:
    if columns > _MOST_COLUMNS:
        raise WikibiasError(
            f"{place}: {counted(columns, 'column')}, more than {_MOST_COLUMNS:,}; leave some out"
        )


def _picked_of_objects(
    rows: Iterable[tuple[int, Row]], columns: Mapping[str, Sequence[str]]
) -> Iterator[tuple[int, Row]]:
    for number, row in rows:
        found: Row = {}
        for column, names in columns.items():
            held = [row[name] for name in names if name in row]
            if held:
                found[column] = next((cell for cell in held if cell is not None), None)
        yield number, found


def _delimited(
    path: Path, columns: Columns | None, ending: str, *, header: bool | None, quoted: bool | None
) -> tuple[dict[str, str], Iterator[tuple[int, Row]]]:
    if ending == ".csv" if quoted is None else quoted:
        rows = _quoted_cells(path, ending)
    else:
        lines = text_lines(path, "row")
        rows = ((number, line.split("\t")) for number, line in lines if line.strip())
    start, first = next(rows, (0, []))
    _check_width(f"{path}:{start}", len(first))
    if header is None:
        header = columns is None or columns.are_in_header([cell.strip() for cell in first])
    known = [cell.strip() for cell in first]
    while header and known and not known[-1]:
        known.pop()
    if not header:
        known = [str(place) for place in range(1, len(first) + 1)]
        rows = chain([(start, first)] if first else [], rows)
    if doubled := next((name for name in known if known.count(name) > 1), None):
        raise WikibiasError(f"{path}: two columns are called {doubled!r}; rename one")
    names = columns.found_in(path, known) if columns else {name: name for name in known}
    places = {column: known.index(name) for column, name in names.items()}
    return names, _of_width(path, rows, len(known), places)


def _of_width(
    path: Path, rows: Iterable[tuple[int, list[str]]], known: int, places: Mapping[str, int]
) -> Iterator[tuple[int, Row]]:
    """Yield the cells of each row by column; blank ones behind those of the header do not count."""
    for number, cells in rows:
        width = len(cells)
        while len(cells) > known and not cells[-1].strip():
            cells.pop()
        if len(cells) != known:
            raise WikibiasError(
                f"{path}:{number}: {counted(width, 'column')} where the first line has "
                f"{known}; mend the line, or leave it out"
            )
        yield number, {column: cells[place] for column, place in places.items()}


def _quoted_cells(path: Path, ending: str) -> Iterator[tuple[int, list[str]]]:
    lines = (f"{line}\n" for _, line in text_lines(path, "row"))
    first = next(lines, "")
    # Spreadsheets set up for a decimal comma write semicolons.
    mark = "\t" if ending == ".tsv" else max(",;\t", key=first.count)
    csv.field_size_limit(_LONGEST)
    reader = csv.reader(chain([first], lines), delimiter=mark, strict=True)
    number = 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield number, [original(cell) if cell[:1] == "'" else cell for cell in cells]
            number = reader.line_num + 1
    except csv.Error as error:
        raise WikibiasError(f"{path}:{number}: not CSV that can be read ({error})") from error


def _json_lines(path: Path) -> Iterator[tuple[int, Row]]:
    for number, line in text_lines(path, "object"):
        if line.strip():
            yield number, json_object(line, f"{path}:{number}")


def _json_rows(path: Path) -> Iterator[tuple[int, Row]]:
    with _opened(path) as stream:
        content = stream.read(LARGEST_SMALL_FILE + 1)
    if len(content) > LARGEST_SMALL_FILE:
        raise WikibiasError(f"{path}: larger than 200 MB; give JSON Lines")
    try:
        text = content.decode("utf-8-sig")
        found = _json(text, str(path))
        _refuse_halves(found, text, str(path))
    except UnicodeDecodeError as error:
        raise WikibiasError(f"{path}: not UTF-8; {_SAVE_IT}") from error
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise WikibiasError(f"{path}: no list of objects; give one object a row, or JSON Lines")
    yield from enumerate(found, 1)


def text_lines(path: Path, unit: str = "sentence") -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, decompressed where its name ends in `.gz`.

    Raises:
        UsageError: the file cannot be read.
        WikibiasError: see `decoded_lines`.
    """
    with _opened(path) as stream:
        yield from decoded_lines(stream, str(path), unit)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, decompressed where its name ends in `.gz`."""
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as stream:
            yield cast(BinaryIO, stream)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise WikibiasError(f"{path}: cannot be unpacked ({error})") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error


def decoded_lines(stream: BinaryIO, name: str, unit: str = "sentence") -> Iterator[tuple[int, str]]:
    """Yield line number and text of a byte stream of UTF-8 lines, without the line end.

    Args:
        stream: what is read, line by line.
        name: what a message calls it.
        unit: what is on a line.

    Raises:
        WikibiasError: it is a PDF, or a line is not UTF-8, has a NUL byte or no end.
    """
    lines = iter(partial(stream.readline, _LONGEST + 1), b"")
    for number, raw in enumerate(lines, start=1):
        if b"\0" in raw and raw[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            raise WikibiasError(f"{name}:{number}: a NUL byte; this is not a text file")
        if number == 1 and raw.startswith(b"%PDF-"):
            raise WikibiasError(f"{name}: a PDF; give its text, as a file of its own")
        if len(raw) > _LONGEST:
            raise WikibiasError(
                f"{name}:{number}: longer than {_LONGEST / 1e6:.0f} MB; give one {unit} a line"
            )
        try:
            yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            place = f"{name}:{number}: not UTF-8 (byte {error.start + 1})"
            raise WikibiasError(f"{place}; {_SAVE_IT}") from error


def refuse_table(name: str) -> None:
    """Refuse a table or a web page, by its name, where sentences are wanted, one a line.

    Raises:
        UsageError: it is one.
    """
    if name.lower().endswith((".csv", ".parquet", ".xlsx", ".html", ".json")):
        raise UsageError(f"{name}: no list of sentences; give a text file with one a line")


def given_sentences(stream: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Yield line number and sentence of each line; of JSON Lines, by the name, their key `text`.

    Raises:
        UsageError: see `refuse_table`.
        WikibiasError: see `decoded_lines`; or a line of JSON Lines has no such key.
    """
    refuse_table(name)
    numbered = decoded_lines(stream, name)
    if not name.lower().endswith((".jsonl", ".ndjson")):
        yield from numbered
        return
    for number, line in numbered:
        text = json_object(line, f"{name}:{number}").get("text") if line.strip() else line
        if not isinstance(text, str):
            raise WikibiasError(
                f'{name}:{number}: no "text" in it; give JSON Lines with it, or plain lines'
            )
        yield number, text


def json_object(line: str, place: str) -> Row:
    """Return the object on a line of JSON Lines.

    Args:
        line: the line.
        place: what a message calls it, such as "file.jsonl:3".

    Raises:
        WikibiasError: it is no JSON, no object, or holds half a character, which no file can.
    """
    found = _json(line, place)
    if not isinstance(found, dict):
        raise WikibiasError(f"{place}: no JSON object")
    _refuse_halves(found, line, place)
    return found


def _refuse_halves(found: Any, text: str, place: str) -> None:
    if "\\ud" in text.lower():
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise WikibiasError(f"{place}: half a character (a lone surrogate); mend it") from error


def _json(line: str, place: str) -> Any:
    try:
        return from_json(line)
    except ValueError as error:
        raise WikibiasError(f"{place}: no JSON ({error!s:.200})") from error

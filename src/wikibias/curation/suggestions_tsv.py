"""Reads and writes suggestions as a TSV file, which users edit in an editor or a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from wikibias.curation.suggest import NO, OPEN, YES, Suggestion
from wikibias.errors import UsageError
from wikibias.kits.cells import harmless, original
from wikibias.kits.checked import read_text
from wikibias.kits.files import write_text
from wikibias.messages import nearest, printable

COLUMNS = tuple(field.name for field in fields(Suggestion))
_NUMBERS = ("pages", "revisions", "first_year", "last_year")
_DIGITS = 18
_KEEP = {"yes": YES, "y": YES, "no": NO, "n": NO, "?": OPEN, "": OPEN}


def write_suggestions(path: Path, suggestions: Sequence[Suggestion]) -> None:
    """Write the suggestions as a TSV file with a header line.

    Raises:
        DiskError: the file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, "excel-tab", lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        [harmless(printable(str(getattr(suggestion, name)))) for name in COLUMNS]
        for suggestion in suggestions
    )
    write_text(path, text.getvalue())


def check_no_decision_is_lost(path: Path, suggestions: Sequence[Suggestion]) -> None:
    """Check that overwriting a file with these suggestions loses no decision of the user.

    Raises:
        UsageError: the user decided differently, or on names that are not suggested now.
    """
    if not path.is_file():
        return
    new = {(p.tag, p.name): p.keep for p in suggestions}
    by_hand = [old for old in read_suggestions(path) if old.keep != old.proposed]
    if any(new.get((old.tag, old.name)) != old.keep for old in by_hand):
        raise UsageError(
            f"{path}: overwriting it would lose your decisions; give another --out, or remove it"
        )


def read_suggestions(path: Path) -> list[Suggestion]:
    """Read an edited TSV file; its columns may be in any order.

    Raises:
        UsageError: a column is missing or unknown, `keep` is not yes, no or ?, or a number is
            malformed. The message gives file, line and column.
    """
    rows = _rows(path, read_text(path))
    head = next(rows, [])
    if not head:
        raise UsageError(f"{path}: the file is empty; write it again with `wikibias tags suggest`")
    if len(head) == 1 and re.search("[,;]", head[0]):
        raise UsageError(f"{path}:1: no tab; save it with tabs between the columns, in UTF-8")
    for column in COLUMNS:
        if column not in head:
            raise UsageError(f"{path}:1: no column {column!r}{nearest(column, head)}")
    return list(_suggestions(path, head, rows))


def _rows(path: Path, text: str) -> Iterator[list[str]]:
    rows = csv.reader(io.StringIO(text), "excel-tab")
    try:
        yield from rows
    except csv.Error as error:
        raise UsageError(f"{path}:{rows.line_num}: {error}") from error


def _suggestions(path: Path, head: list[str], rows: Iterator[list[str]]) -> Iterator[Suggestion]:
    for number, cells in enumerate(rows, 2):
        if not any(cell.strip() for cell in cells):
            continue
        row = {name: original(cell.strip()) for name, cell in zip(head, cells, strict=False)}
        for name in COLUMNS:
            if name not in row:
                raise UsageError(f"{path}:{number}: column {name!r} is missing")
        keep = _KEEP.get(row["keep"].lower())
        if keep is None:
            raise UsageError(f"{path}:{number}: keep must be yes, no or ?, not {row['keep']!r}")
        for name in _NUMBERS:
            if not row[name].isdecimal() or len(row[name]) > _DIGITS:
                raise UsageError(f"{path}:{number}: {name} must be a number, not {row[name]!r}")
        texts = {name: row[name] for name in COLUMNS if name not in _NUMBERS}
        numbers = {name: int(row[name]) for name in _NUMBERS}
        yield Suggestion(**{**texts, "keep": keep}, **numbers)  # type: ignore[arg-type]

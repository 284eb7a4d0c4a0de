"""Reads tables that were filled in: those of `write_sheet`, or any with items and answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from wikibias.research.annotation.answers import cell_label
from wikibias.research.annotation.exchange.columns import find_columns
from wikibias.research.annotation.exchange.reading import Reading
from wikibias.research.annotation.exchange.rows import Answer
from wikibias.research.annotation.exchange.shown import JUDGED
from wikibias.research.annotation.tables import Table


def from_sheet(
    table: Table, reading: Reading, *, annotator: str | None, renames: Mapping[str, str]
) -> Iterator[Answer]:
    """Yield the answers of a table, row by row.

    Args:
        table: the table.
        reading: what makes answers of rows.
        annotator: who filled in the rows that do not say so; None for the name of the file.
        renames: see `find_columns`.

    Raises:
        UsageError: see `find_columns`.
        WikibiasError: no question has a column.
    """
    reading.columns |= dict.fromkeys(table.columns)
    columns = find_columns(list(table.columns), reading.guidelines, renames, str(table.path))
    for note in columns.notes:
        reading.remark(f"{table.path}: {note}")
    for number in range(len(table)):
        row = {target: table.columns[name][number] for target, name in columns.of.items()}
        if not _says(row, ("item", *JUDGED, *reading.choices, "spans", "comment")):
            continue
        answered = _says(row, (*reading.choices, "spans"))
        noted = _says(row, ("comment",))
        if not (answered or noted or reading.blanks.means_something):
            reading.blanks.count(str(table.path), row, None)
            continue
        who = cell_label(row.get("annotator")) or annotator or table.path.stem
        answer = reading.answer(
            item=row.get("item"),
            texts={name: row[name] for name in JUDGED if name in row},
            annotator=who,
            cells=row | {"spans": _list(row.get("spans"))},
            place=table.place(number),
        )
        reading.blanks.count(str(table.path), row, answer)
        if answer is not None:
            # A comment alone may say why there is no answer.
            yield answer if noted and not answered else reading.blanks.filled(answer)


def _says(row: Mapping[str, Any], names: Iterable[str]) -> bool:
    return any(cell_label(row.get(name)) is not None for name in names)


def _list(cell: Any) -> Any:
    """Return a list that stands in CSV as JSON."""
    if isinstance(cell, str):
        with suppress(ValueError, RecursionError):
            return json.loads(cell)
    return cell

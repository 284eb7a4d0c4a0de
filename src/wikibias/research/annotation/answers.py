"""Who said what of which sentence: answers from wide tables, a column an annotator, or long ones.

A long table has a row for each sentence and annotator. A sentence that an annotator did not judge,
or of whose judgement nothing could be read, has None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.research.annotation.tables import Table

UNPARSED = "?"
"""Stands where an answer was given that no label could be read from."""
ITEM_NAMES = ("item", "item_id", "sentence_id", "sentence", "unit", "id", "task_id")
ANNOTATOR_NAMES = ("annotator", "rater", "coder", "worker", "user", "performer")
LABEL_NAMES = ("vote", "label", "bias", "value", "answer", "choice")
_WHOLE = re.compile(r"-?\d+\.0+")


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to sentences.

    Attributes:
        items: the sentences' ids.
        annotators: who answered; at least one.
        values: an answer of each item (first) by each annotator (second), or None; "?" only where
            it was asked for. Labels that differ in letter case are one, as it was first written.
        unparsed: how many answers of each annotator said nothing that can be read ("?").
    """

    items: Sequence[str]
    annotators: Sequence[str]
    values: Sequence[Sequence[str | None]]
    unparsed: Mapping[str, int]

    def of(self, annotator: str) -> list[str | None]:
        """Return what an annotator said of each item."""
        place = list(self.annotators).index(annotator)
        return [row[place] for row in self.values]


def cell_label(cell: Any) -> str | None:
    """Return what a cell says: `1.0` and True are `1`; None where it is blank.

    A list of choices, which in a CSV file is JSON, is JSON with the choices in order, each once.
    """
    if isinstance(cell, list | tuple):
        return json.dumps(sorted(set(map(str, cell))), ensure_ascii=False)
    if cell is None or cell != cell:  # noqa: PLR0124 (what pandas writes for a gap)
        return None
    if isinstance(cell, bool):
        return str(int(cell))
    said = str(cell).strip()
    choices = label_choices(said)
    if choices is not None:
        return cell_label(choices)
    if _WHOLE.fullmatch(said):
        said = said.partition(".")[0]
    return said or None


def label_choices(label: str) -> list[str] | None:
    """Return the choices of an answer that is a list of them, as JSON; None where it is none."""
    if not label.startswith("["):
        return None
    try:
        found = json.loads(label)
    except (ValueError, RecursionError):
        return None
    return [str(choice) for choice in found] if isinstance(found, list) else None


def table_answers(
    tables: Sequence[Table],
    *,
    columns: str | None = None,
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    keep_unparsed: bool = False,
) -> Answers:
    """Return the answers of one wide table, or of one or several long ones.

    Args:
        tables: the tables.
        columns: names or patterns of the columns of a wide table, parted by commas; None for long.
        item: column of a long table that names the sentence; None for the first known name.
        annotator: likewise of who answered; a table without one is one annotator, its file's name.
        label: likewise of the answer.
        keep_unparsed: leave "?" as it is, not None, to tell it from what was not answered.

    Raises:
        UsageError: a pattern chooses no column.
        WikibiasError: a table lacks a column, a row of a long one its item or annotator, or one
            annotator answered twice.
    """
    if columns is not None:
        return _wide(tables, columns, item, keep_unparsed)
    return long_answers(tables, item, annotator, label, keep_unparsed=keep_unparsed)


def answerers(
    table: Table, item: str | None = None, annotator: str | None = None
) -> list[tuple[str, str]]:
    """Return the item and the annotator of each row of a long table.

    Raises:
        WikibiasError: a row does not say which, or who.
    """
    items = _named(table, item_column(table, item))
    who = annotator or annotator_column(table)
    names = [table.path.stem] * len(table) if who is None else _named(table, who)
    return list(zip(items, names, strict=True))


def _named(table: Table, column: str) -> list[str]:
    """Return the names in a column, each row of which must have one."""
    cells = table.column(column)
    for number, cell in enumerate(cells):
        if cell_label(cell) is None:
            raise WikibiasError(
                f"{table.place(number)}: no {column}; fill it in, or leave the row out"
            )
    return [str(cell) for cell in cells]


def wide_answers(
    table: Table, names: Sequence[str], item: str | None = None, *, keep_unparsed: bool = False
) -> Answers:
    """Return the answers of some columns of a table, each of which is an annotator."""
    named = item or next((name for name in ITEM_NAMES if name in table.columns), None)
    cells = None if named is None or named in names else table.column(named)
    items = [
        str(number + 1) if cells is None else str(cells[number]) for number in range(len(table))
    ]
    if len(set(items)) < len(items):
        items = [str(number + 1) for number in range(len(items))]
    said = [[cell_label(cell) for cell in table.column(name)] for name in names]
    values = [list(row) for row in zip(*said, strict=True)]
    return _answers(items, list(names), values, keep_unparsed)


def _wide(tables: Sequence[Table], columns: str, item: str | None, keep_unparsed: bool) -> Answers:
    if len(tables) > 1:
        raise WikibiasError("--columns is for one wide table; several files are read as long ones")
    chosen = tables[0].chosen(columns)
    return wide_answers(tables[0], chosen, item, keep_unparsed=keep_unparsed)


def long_answers(
    tables: Sequence[Table],
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    *,
    keep_unparsed: bool = False,
) -> Answers:
    """Return the answers of long tables; see `table_answers`."""
    rows: dict[str, dict[str, str | None]] = {}
    annotators: dict[str, None] = {}
    for table in tables:
        who = answerers(table, item, annotator)
        said = table.column(label or _first(table, LABEL_NAMES, "--label"))
        for number, ((one, name), cell) in enumerate(zip(who, said, strict=True)):
            by_name = rows.setdefault(one, {})
            if name in by_name:
                raise WikibiasError(
                    f"{table.place(number)}: {name[:40]!r} answered {one[:40]!r} twice"
                )
            by_name[name] = cell_label(cell)
            annotators[name] = None
    who_all = list(annotators)
    values = [[row.get(name) for name in who_all] for row in rows.values()]
    return _answers(list(rows), who_all, values, keep_unparsed)


def item_column(table: Table, named: str | None = None) -> str:
    """Return which column of a long table names the sentence.

    Raises:
        WikibiasError: there is none of a known name, and none was named.
    """
    return named or _first(table, ITEM_NAMES, "--item")


def annotator_column(table: Table) -> str | None:
    """Return which column of a long table says who answered; None where there is none."""
    return next((name for name in ANNOTATOR_NAMES if name in table.columns), None)


def _first(table: Table, names: Sequence[str], option: str) -> str:
    for name in names:
        if name in table.columns:
            return name
    raise WikibiasError(
        f"{table.path}: no column {', '.join(names[:-1])} or {names[-1]}; rename it, or name it "
        f"with {option} where the command takes that, or --columns of a wide table"
    )


def _answers(
    items: Sequence[str],
    annotators: Sequence[str],
    values: Sequence[Sequence[str | None]],
    keep_unparsed: bool,
) -> Answers:
    form: dict[str, str] = {}  # "Biased" of one and "biased" of another are one label
    values = [
        [None if cell is None else form.setdefault(cell.casefold(), cell) for cell in row]
        for row in values
    ]
    unparsed = {
        name: sum(row[place] == UNPARSED for row in values) for place, name in enumerate(annotators)
    }
    if keep_unparsed:
        return Answers(items, annotators, values, unparsed)
    read = [[None if cell == UNPARSED else cell for cell in row] for row in values]
    return Answers(items, annotators, read, unparsed)

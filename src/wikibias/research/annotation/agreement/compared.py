"""What is compared: answers, the tasks they are for, and what groups the items."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.research.annotation.answers import Answers, answerers, cell_label, table_answers
from wikibias.research.annotation.tables import Table, listed, read_table
from wikibias.research.annotation.tasks import Task, read_tasks

_PART = re.compile(r"(\w+)=(.*?)(?=\s+\w+=|$)")

Given = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
"""The spans that an annotator (second) marked in an item (first)."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared.

    Attributes:
        answers: who said what of which item.
        texts: the sentences of the items, where they are known.
        tasks: the tasks by item; empty without a task file.
        groups: by the name of what groups the items: the group of each item.
        spans: see `Given`; an item without marks has an empty list.
    """

    answers: Answers
    texts: Mapping[str, str]
    tasks: Mapping[str, Task]
    groups: Mapping[str, Mapping[str, str]]
    spans: Given


def read_compared(
    paths: Sequence[Path],
    *,
    columns: str | None = None,
    item: str | None = None,
    annotator: str | None = None,
    label: str | None = None,
    tasks: Path | None = None,
    by: str | None = None,
) -> Compared:
    """Read answers, and what else is known of their items.

    Args:
        paths: see `answers.table_answers`, as are the next four.
        columns: see there.
        item: see there.
        annotator: see there.
        label: see there.
        tasks: the task file.
        by: what groups the items: a column of the answers or the tasks, or a part of the stratum
            such as `bin`; None for all parts of the stratum.

    Raises:
        UsageError: there is no such column.
        WikibiasError: a file cannot be read, or the answers are to other tasks.
    """
    tables = [read_table(path) for path in paths]
    answers = table_answers(tables, columns=columns, item=item, annotator=annotator, label=label)
    if columns is not None:
        rows = [[(one, "") for one in answers.items]]
    else:
        rows = [answerers(table, item, annotator) for table in tables]
    asked = {} if tasks is None else {task.item: task for task in read_tasks(tasks)}
    if asked and not any(one in asked for one in answers.items):
        raise WikibiasError(f"{tasks}: none of its items is among the answers; give their tasks")
    texts = _column(tables, rows, "text")
    texts |= {task.item: task.text for task in asked.values()}
    return Compared(
        answers,
        texts,
        asked,
        _groups(by, tables, rows, asked),
        {} if columns is not None else _spans(tables, rows),
    )


_Rows = Sequence[Sequence[tuple[str, str]]]


def _column(tables: Sequence[Table], rows: _Rows, name: str) -> dict[str, str]:
    """Return what a column says of each item, where the tables have it; the first word counts."""
    found: dict[str, str] = {}
    for table, of in zip(tables, rows, strict=True):
        for (one, _), cell in zip(of, table.columns.get(name, ()), strict=False):
            said = cell_label(cell)
            if said is not None:
                found.setdefault(one, said)
    return found


def _groups(
    by: str | None, tables: Sequence[Table], rows: _Rows, tasks: Mapping[str, Task]
) -> dict[str, dict[str, str]]:
    parts: dict[str, dict[str, str]] = {}
    for one, task in tasks.items():
        for name, value in _PART.findall(task.stratum or ""):
            parts.setdefault(name, {})[one] = value
    if by is None:
        return parts
    if by in parts:
        return {by: parts[by]}
    if any(by in table.columns for table in tables):
        return {by: _column(tables, rows, by)}
    of_task = {one: cell_label(getattr(task, by, None)) for one, task in tasks.items()}
    told = {one: value for one, value in of_task.items() if value is not None}
    if not told:
        known = {name for table in tables for name in table.columns} | set(parts)
        known |= {field.name for field in fields(Task)} if tasks else set()
        raise UsageError(f"--by: no column {by!r}{nearest(by, known)}")
    return {by: told}


def _spans(tables: Sequence[Table], rows: _Rows) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for table, of in zip(tables, rows, strict=True):
        for number, (who, cell) in enumerate(zip(of, table.columns.get("spans", ()), strict=False)):
            if cell is not None and cell != "":
                found[who] = _marks(table.place(number), cell)
    return found


def _marks(where: str, cell: Any) -> list[dict[str, Any]]:
    marks = listed(cell, f"{where}: spans")
    for mark in marks:
        start, end = (
            (mark.get("start"), mark.get("end")) if isinstance(mark, dict) else (None, None)
        )
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
            raise WikibiasError(f"{where}: a span without start and end, in characters")
    return marks

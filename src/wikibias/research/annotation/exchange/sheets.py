"""Tables to fill in: a row for each task, with a blank column for each question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wikibias.config.guidelines import Guidelines
from wikibias.research.annotation.exchange.choices import NONE, offers_none
from wikibias.research.annotation.exchange.shown import shown_tasks
from wikibias.research.annotation.tables import write_rows
from wikibias.research.annotation.tasks import Task


def write_sheet(
    path: Path, tasks: Sequence[Task], guidelines: Guidelines, annotator: str | None = None
) -> None:
    """Write a CSV or TSV file with a byte order mark, by which Excel knows UTF-8, or JSON Lines.

    Each row names the annotator, where the sheet is for one.

    Raises:
        UsageError: the ending names another form.
        DiskError: it cannot be written.
    """
    is_sheet = path.suffix.lower() in (".csv", ".tsv")
    blank: dict[str, Any] = dict.fromkeys(question.name for question in guidelines.questions)
    if guidelines.spans and not is_sheet:
        blank["spans"] = None
    rows = [
        {"item": task.item, **task.texts, "annotator": annotator, **blank, "comment": None}
        for task in shown_tasks(tasks, guidelines)
    ]
    write_rows(path, rows, mark=is_sheet)


def how_to_fill_in(guidelines: Guidelines) -> list[str]:
    """Return in a line for each question what may stand in its column."""
    lines = []
    for question in guidelines.questions:
        values = ", ".join([*question.values, *[NONE] * offers_none(question)])
        several = "; several with a semicolon between them" if question.several else ""
        lines.append(f"{question.name}: {values}{several}")
    return lines

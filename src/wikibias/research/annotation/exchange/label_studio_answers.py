"""Reads the exports of Label Studio: JSON, JSON-MIN, CSV and TSV, tried with its version 1.23.

JSON lists tasks with all annotations, skipped ones and predictions too. The others have a row for
each annotation that was not skipped, the newest first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from wikibias.research.annotation.exchange.reading import Reading
from wikibias.research.annotation.exchange.rows import Answer

_ROW_MARKS = ("annotation_id", "annotator")


def is_task(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a task of the form JSON."""
    return isinstance(row.get("annotations"), list) and isinstance(row.get("data"), Mapping)


def is_flat(columns: Iterable[str]) -> bool:
    """Return whether a table is of the form JSON-MIN, CSV or TSV."""
    return set(_ROW_MARKS) <= set(columns)


def from_tasks(rows: Sequence[Any], path: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of the form JSON, of each task in the order in which they were given."""
    for number, task in enumerate(rows, 1):
        place = f"{path}: task {number}"
        if not isinstance(task, Mapping) or not is_task(task):
            reading.doubts.add("part", "without annotations; left out", place)
            continue
        annotations = [one for one in task["annotations"] if isinstance(one, Mapping)]
        for annotation in sorted(annotations, key=_when):
            if annotation.get("was_cancelled"):
                reading.doubts.add("annotation", "skipped by its annotator; left out", place)
                continue
            if not annotation.get("result"):
                reading.doubts.add("annotation", "without any answer; left out", place)
                continue
            answer = reading.answer(
                item=task["data"].get("item"),
                texts=task["data"],
                annotator=_who(annotation.get("completed_by")),
                cells=_cells(annotation["result"]),
                place=place,
            )
            if answer is not None:
                yield answer


def from_rows(
    rows: Sequence[Mapping[str, Any]], places: Sequence[str], reading: Reading
) -> Iterator[Answer]:
    """Yield the answers of the other forms, in the order in which they were given."""
    for _, place, row in sorted(
        ((_when(row), place, row) for place, row in zip(places, rows, strict=True)),
        key=lambda found: found[0],
    ):
        cells = {name: _plain(row.get(name)) for name in (*reading.choices, "spans", "comment")}
        answer = reading.answer(
            item=row.get("item"),
            texts=row,
            annotator=_who(row.get("annotator")),
            cells=cells,
            place=place,
        )
        if answer is not None:
            yield answer


def _when(annotation: Mapping[str, Any]) -> tuple[str, int]:
    """Return when an annotation was last changed, and its number."""
    number = str(annotation.get("annotation_id", annotation.get("id", 0)))
    changed = annotation.get("updated_at") or annotation.get("created_at") or ""
    return str(changed), int(number) if number.isdecimal() else 0


def _who(said: Any) -> str:
    """Return the number of an account; never the address, which some forms have as well."""
    if isinstance(said, Mapping):
        said = said.get("id")
    return "unknown" if said in (None, "") else str(said)


def _cells(result: Any) -> dict[str, Any]:
    """Return what an annotation says, by the name of the control that it was said with."""
    cells: dict[str, Any] = {}
    for part in result if isinstance(result, list) else ():
        if not isinstance(part, Mapping) or not isinstance(part.get("value"), Mapping):
            continue
        name, value = str(part.get("from_name")), part["value"]
        if part.get("type") == "labels":
            cells.setdefault(name, []).append(value)
        else:
            cells[name] = _plain(value)
    return cells


def _plain(value: Any) -> Any:
    """Return a cell as a text or a list; JSON in the cells of CSV, and objects, are opened."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    if isinstance(value, Mapping):
        value = value.get("choices", value.get("text"))
    return value

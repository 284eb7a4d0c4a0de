"""To and from each form: where tasks go, and which reader a file that comes back needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from wikibias.config.guidelines import Guidelines
from wikibias.corpus.export.folder import export_folder
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.exchange import (
    argilla_answers,
    label_studio_answers,
    sheet_answers,
)
from wikibias.research.annotation.exchange.argilla import write_argilla
from wikibias.research.annotation.exchange.label_studio import write_label_studio
from wikibias.research.annotation.exchange.reading import Reading
from wikibias.research.annotation.exchange.rows import Answer
from wikibias.research.annotation.exchange.sheets import write_sheet
from wikibias.research.annotation.tables import read_json, read_table
from wikibias.research.annotation.tasks import Task

Form = Literal["label-studio", "argilla", "csv", "jsonl"]
_FOLDERS: Mapping[str, Callable[[Path, Sequence[Task], Guidelines], None]] = {
    "label-studio": write_label_studio,
    "argilla": write_argilla,
}
_ENDINGS = {"csv": (".csv", ".tsv"), "jsonl": (".jsonl", ".ndjson")}


def export_tasks(
    tasks: Sequence[Task],
    guidelines: Guidelines,
    form: Form,
    out: Path,
    *,
    overwrite: bool,
    annotator: str | None = None,
) -> None:
    """Write tasks as another program reads them: a folder, or of csv and jsonl a file.

    Args:
        tasks: those to write.
        guidelines: what is asked.
        form: of what is written.
        out: where it is written.
        overwrite: replace what is there.
        annotator: for whom it is, where it is for one; sheets name him in each row.

    Raises:
        UsageError: the name does not fit the form, or something of this name is there that may
            hold answers.
        DiskError: it cannot be written.
    """
    if form in _FOLDERS:
        with export_folder(out, {"format": form}, overwrite=overwrite) as folder:
            _FOLDERS[form](folder, tasks, guidelines)
        return
    if out.suffix.lower() not in _ENDINGS[form]:
        raise UsageError(f"{out}: the name must end in {' or '.join(_ENDINGS[form])}")
    if out.exists() and not overwrite:
        raise UsageError(
            f"{out} is there already, and may hold answers; give --out another name, or "
            "--overwrite to replace it"
        )
    write_sheet(out, tasks, guidelines, annotator)


def read_answers_of(
    path: Path, reading: Reading, *, annotator: str | None, renames: Mapping[str, str]
) -> Iterator[Answer]:
    """Yield the answers of a file or folder that comes back, whatever program wrote it.

    Args:
        path: an export of Label Studio, records of Argilla or the folder of its dataset, or a
            table that was filled in.
        reading: what makes answers of it.
        annotator: see `from_sheet`.
        renames: see `find_columns`.

    Raises:
        WikibiasError: it cannot be read, or is none of these.
        UsageError: see `find_columns`.
    """
    if path.is_dir():
        path = path / "records.json"
    if path.suffix.lower() == ".json":
        rows = read_json(path)
        first = rows[0] if isinstance(rows, list) and rows else None
        if not isinstance(first, Mapping):
            raise WikibiasError(
                f"{path}: no list of tasks, records or rows; export it as JSON or CSV once more"
            )
        if label_studio_answers.is_task(first):
            yield from label_studio_answers.from_tasks(rows, path, reading)
            return
        if isinstance(first.get("data"), Mapping):
            raise WikibiasError(
                f"{path}: tasks as Label Studio takes them, without annotations; export the "
                "project there as JSON, and give that file"
            )
        if argilla_answers.is_record(first):
            yield from argilla_answers.from_records(rows, path, reading)
            return
    table = read_table(path, texts=reading.texts, warn=reading.remark)
    if argilla_answers.is_record({name: cells[0] for name, cells in table.columns.items()}):
        yield from argilla_answers.from_records(list(table.rows()), path, reading)
    elif label_studio_answers.is_flat(table.columns):
        places = [table.place(number) for number in range(len(table))]
        yield from label_studio_answers.from_rows(list(table.rows()), places, reading)
    else:
        yield from sheet_answers.from_sheet(table, reading, annotator=annotator, renames=renames)

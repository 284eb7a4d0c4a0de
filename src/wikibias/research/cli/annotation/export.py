"""`wikibias annotate export`: tasks for Label Studio, or as a table to fill in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.options import config_dir_option
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import check_out

if TYPE_CHECKING:
    from wikibias.research.annotation.exchange import Form

_FORMS = ("label-studio", "csv", "jsonl")


@click.command(name="export")
@click.argument("tasks", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--to",
    "form",
    type=click.Choice(_FORMS),
    required=True,
    help="label-studio: tasks, labelling configuration and instructions; csv: a table with a blank "
    "column for each question; jsonl: the same as JSON Lines.",
)
@click.option(
    "--guidelines",
    default="bias",
    show_default=True,
    help="What is asked: a name, or a TOML file.",
)
@click.option(
    "--annotator",
    metavar="NAME",
    help="Write only what is dealt to this annotator (`sample --annotators`); tables then hold "
    "the name.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder to write; of csv (.csv, .tsv) and jsonl the file.",
)
@click.option("--overwrite", is_flag=True, help="Replace what is there, whoever wrote it.")
@config_dir_option
def command(
    tasks: Path, *, form: Form, guidelines: str, annotator: str | None, out: Path, overwrite: bool
) -> None:
    """Write tasks for Label Studio, or as a table to fill in.

    TASKS is a file of tasks, or any table with a column `text`. What is written shows annotators
    the sentences and where they stand, and nothing of the edit; `item` names each task, and must
    come back unchanged. Tasks to practise with are left out.

    \b
    Examples:
      wikibias annotate export tasks.jsonl --to label-studio --out for-label-studio
      wikibias annotate export tasks.jsonl --to csv --out sheet.csv
      wikibias annotate export tasks.jsonl --to csv --annotator ann1 --out ann1.csv
    """
    from wikibias.config.guidelines import load_guidelines
    from wikibias.research.annotation.exchange import (
        annotator_tasks,
        dealt_to,
        export_tasks,
        question_values,
    )
    from wikibias.research.annotation.tasks import read_tasks

    check_out(out, [tasks], overwrite=True)
    asked = load_guidelines(guidelines)
    found = read_tasks(tasks)
    dealt = dealt_to(found)
    if annotator is not None:
        found = annotator_tasks(found, annotator)
    with interruptible():
        export_tasks(found, asked, form, out, overwrite=overwrite, annotator=annotator)
    practice = sum(task.kind == "practice" for task in found)
    echo(counted(len(found) - practice, "task"))
    if practice:
        echo(f"Note: {counted(practice, 'task')} to practise with left out.")
    if dealt and annotator is None:
        echo(
            f"Note: dealt to {', '.join(dealt)}, and written for all together; --annotator NAME "
            "writes what one of them is to judge."
        )
    if form in ("csv", "jsonl"):
        for line in question_values(asked):
            echo(f"Note: to fill in {line}.")
    if form == "csv" and asked.spans:
        echo("Note: words cannot be marked in a spreadsheet; use label-studio.")
    echo(f"Result: {out}")
    named = "" if guidelines == "bias" else f" --guidelines {shlex.quote(guidelines)}"
    back = shlex.quote(str(out)) if form in ("csv", "jsonl") else "EXPORTED"
    echo(
        f"Next: wikibias annotate import {back} --tasks {shlex.quote(str(tasks))}{named} "
        "--out answers.jsonl"
    )

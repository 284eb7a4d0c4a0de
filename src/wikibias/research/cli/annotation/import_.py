"""`wikibias annotate import`: answers of Label Studio or plain tables as one table of answers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.options import config_dir_option
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import check_out, overwrite_option


def _renames(ctx: click.Context, param: click.Parameter, pairs: Sequence[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        old, equals, new = pair.rpartition("=")
        if not (old and equals and new) or old in found:
            raise UsageError(f"--rename {pair}: give OLD=NEW, each column once")
        found[old] = new
    return found


@click.command(name="import", short_help="Read answers from Label Studio or tables.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--tasks",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    help="The file of tasks that were answered.",
)
@click.option(
    "--guidelines",
    default="bias",
    show_default=True,
    help="What was asked: a name, or a TOML file.",
)
@click.option(
    "--annotator",
    help="Who filled in the tables that do not say so.  [default: the name of each file]",
)
@click.option(
    "--rename",
    "renames",
    multiple=True,
    metavar="OLD=NEW",
    callback=_renames,
    help="Take column OLD, of the tables that have it, for NEW: item, text, annotator, comment or "
    "a question.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="Table of answers to write (.jsonl, .csv or .tsv).",
)
@overwrite_option
@config_dir_option
def command(
    files: Sequence[Path],
    *,
    tasks: Path,
    guidelines: str,
    annotator: str | None,
    renames: Mapping[str, str],
    out: Path,
    overwrite: bool,
) -> None:
    """Read answers of Label Studio, or of tables that were filled in, into one table of answers.

    Each of FILES is an export of Label Studio (JSON, JSON-MIN, CSV, TSV), or a table in UTF-8 (CSV,
    TSV, JSON Lines) with the columns item, annotator, comment and one for each question. Rows are
    joined by item, and their texts checked. What cannot be read is counted, shown with its place,
    and stands as "?"; a blank cell is no answer.

    \b
    Examples:
      wikibias annotate import project-1.json --tasks tasks.jsonl --out answers.jsonl
      wikibias annotate import ann.csv bob.csv --tasks tasks.jsonl --out answers.jsonl
      wikibias annotate import ann.csv --rename Biais=bias --tasks tasks.jsonl --out answers.jsonl
    """
    from wikibias.config.guidelines import load_guidelines
    from wikibias.research.annotation.exchange import (
        AnswerReader,
        answer_rows,
        check_renames,
        last_of_each,
    )
    from wikibias.research.annotation.tables import check_ending, write_rows
    from wikibias.research.annotation.tasks import read_tasks

    check_ending(out)
    check_out(out, (*files, tasks), overwrite=overwrite)
    asked = load_guidelines(guidelines)
    known = [task for task in read_tasks(tasks) if task.kind != "practice"]
    reader = AnswerReader(known, asked, renames)
    with interruptible():
        answers = last_of_each(
            (answer for path in files for answer in reader.answers(path, annotator)),
            [task.item for task in known],
            reader,
        )
        check_renames(renames, reader.columns)
        for line in reader.warnings:
            warn(line)
        said = [answer for answer in answers if answer.says_something]
        if not said:
            raise WikibiasError(
                "no answer to any of the tasks: "
                + (
                    "the warnings above say why"
                    if reader.warnings
                    else "the files are blank, or not of these --tasks and --guidelines"
                )
            )
        write_rows(out, answer_rows(answers, asked))
    if len(said) < len(answers):
        alone = counted(len(answers) - len(said), "comment")
        echo(f"Note: {alone} without an answer; kept, and not counted.")
    who = {answer.annotator for answer in said}
    items = {answer.item for answer in said}
    echo(
        f"{counted(len(said), 'answer')} of {counted(len(who), 'annotator')} to "
        f"{len(items):,} of {counted(len(known), 'task')}"
    )
    echo(f"Result: {out}")
    echo(
        f"Next: wikibias annotate agree {shlex.quote(str(out))} --label {asked.questions[0].name} "
        f"--tasks {shlex.quote(str(tasks))}"
    )

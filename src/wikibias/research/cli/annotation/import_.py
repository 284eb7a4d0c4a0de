"""`wikibias annotate import`: answers of other programs or a spreadsheet as a table of answers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from wikibias.cli.interrupts import interruptible
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.command import config_dir_option, warn
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


@click.command(name="import", short_help="Read answers from other programs or spreadsheets.")
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
    help="Who filled in the sheets that do not say so.  [default: the name of each file]",
)
@click.option(
    "--blank",
    metavar="LABEL",
    help="What a blank cell of a sheet means, such as neutral where only the biased are ticked.  "
    "[default: not answered]",
)
@click.option(
    "--rename",
    "renames",
    multiple=True,
    metavar="OLD=NEW",
    callback=_renames,
    help="Take column OLD, of the sheets that have it, for NEW: item, text, annotator, comment or "
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
    blank: str | None,
    renames: Mapping[str, str],
    out: Path,
    overwrite: bool,
) -> None:
    """Read answers from other programs or spreadsheets into one table of answers.

    Each of FILES is an export of Label Studio (JSON, JSON-MIN, CSV, TSV), the records of Argilla,
    or a sheet that was filled in (CSV, TSV, JSON Lines), whatever a spreadsheet made of it. Rows
    are joined by `item`, and their texts checked. What cannot be read is counted, shown with its
    place, and stands as "?"; yes and no are known in many languages.

    \b
    Examples:
      wikibias annotate import project-1.json --tasks tasks.jsonl --out answers.jsonl
      wikibias annotate import ann.csv bob.csv --tasks tasks.jsonl --out answers.jsonl
      wikibias annotate import ann.csv --rename Biais=bias --tasks tasks.jsonl --out answers.jsonl
    """
    from wikibias.config.guidelines import load_guidelines
    from wikibias.research.annotation.exchange.columns import check_renames
    from wikibias.research.annotation.exchange.forms import read_answers_of
    from wikibias.research.annotation.exchange.reading import Reading
    from wikibias.research.annotation.exchange.rows import as_rows, last_of_each
    from wikibias.research.annotation.tables import check_ending, write_rows
    from wikibias.research.annotation.tasks import read_tasks

    check_ending(out)
    check_out(out, (*files, tasks), overwrite=overwrite)
    asked = load_guidelines(guidelines)
    known = [task for task in read_tasks(tasks) if task.kind != "practice"]
    reading = Reading(known, asked, blank=blank)
    with interruptible():
        answers = last_of_each(
            (
                answer
                for path in files
                for answer in read_answers_of(path, reading, annotator=annotator, renames=renames)
            ),
            [task.item for task in known],
            reading.doubts,
        )
        check_renames(renames, reading.columns)
        for line in reading.warnings():
            warn(line)
        for note in reading.notes():
            echo(f"Note: {note}.")
        said = [answer for answer in answers if answer.says_something]
        if not said:
            raise WikibiasError(
                "no answer to any of the tasks: "
                + (
                    "the warnings above say why"
                    if reading.warnings()
                    else "the files are blank, or not of these --tasks and --guidelines"
                )
            )
        write_rows(out, as_rows(answers, asked))
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

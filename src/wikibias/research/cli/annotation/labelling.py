"""`wikibias annotate serve`: the page on which people label sentences."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wikibias.cli.ending import interruptible
from wikibias.cli.options import config_dir_option
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import check_out, overwrite_option

if TYPE_CHECKING:
    from wikibias.research.annotation.exchange import Form

_PORT = 8740
_MOST_NAMED = 12
_MOST_SEED = 2**32 - 1


@click.command(short_help="Serve a page on which people label sentences.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--guidelines",
    default="bias",
    show_default=True,
    help="What is asked: bias, bias-types, intents, or a file of your own.",
)
@click.option(
    "--db",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of the answers.  [default: FILE with the ending .db]",
)
@click.option(
    "--annotator",
    "names",
    multiple=True,
    help="Who annotates; may be given again. Without it the page asks for a name.",
)
@click.option(
    "--with-edit",
    is_flag=True,
    help="Show what the edit made of the sentence as well, which tells whether it was removed.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen. Others than this machine need a token, which is shown.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True, help="0 for any."
)
@click.option(
    "--seed",
    type=click.IntRange(0, _MOST_SEED),
    default=0,
    show_default=True,
    help="Of the order of each annotator.",
)
@config_dir_option
def serve(
    file: Path,
    *,
    guidelines: str,
    db: Path | None,
    names: tuple[str, ...],
    with_edit: bool,
    host: str,
    port: int,
    seed: int,
) -> None:
    """Serve a page on which people label the sentences of FILE, one by one.

    FILE is what `wikibias annotate sample` wrote, or any table with a column `text`. Open the
    address that is shown. Each annotator has an order of his own. Nothing is shown that would tip
    him off: no summary, author, date or label. An answer is saved at once, and the same command
    goes on where everybody stopped. Ctrl-C ends. `wikibias annotate agree` reads the file of the
    answers itself; `wikibias annotate import` writes it as a table.

    \b
    Examples:
      wikibias annotate serve tasks.jsonl
      wikibias annotate serve --annotator mila --annotator ivan --guidelines bias-types tasks.jsonl
    """
    db = db or file.with_suffix(".db")
    from wikibias.config.guidelines import load_guidelines
    from wikibias.research.annotation.answer_store import answer_store
    from wikibias.research.annotation.labelling.rounds import Round
    from wikibias.research.annotation.labelling.server import (
        Guard,
        address_of,
        labelling_app,
        listening,
        serve_until_told,
    )
    from wikibias.research.annotation.tasks import read_tasks

    asked, tasks = load_guidelines(guidelines), read_tasks(file)
    guard = Guard.of(host)
    with answer_store(db) as store:
        work = Round(tasks, asked, store, names=names, seed=seed, with_edit=with_edit)
        with listening(host, port) as found:
            echo(f"Open {address_of(found, guard)} to label {counted(len(tasks), 'sentence')}.")
            echo(f"Answers go to {db} at once. Ctrl-C ends.")
            _tell_of_answers(work.given, work.foreign)
            serve_until_told(labelling_app(work, guard, warn), found)
        given = store.rows()
    who = len({row["annotator"] for row in given})
    echo(f"{counted(len(given), 'answer')} by {counted(who, 'annotator')} in {db}.")
    if who > 1:
        files = shlex.join([str(db), "--tasks", str(file)])
        echo(f"Next: wikibias annotate agree {files} --label {asked.questions[0].name}")


def _tell_of_answers(given: Mapping[str, int], foreign: int) -> None:
    """Say whose answers are there already."""
    if given:
        first = [f"{name} {number:,}" for name, number in list(given.items())[:_MOST_NAMED]]
        more = f" and {len(given) - _MOST_NAMED:,} others" if len(given) > _MOST_NAMED else ""
        echo(
            f"There already: {counted(sum(given.values()), 'answer')}, of {', '.join(first)}{more}."
        )
    if foreign:
        warn(
            f"{counted(foreign, 'more answer')} in it {'is' if foreign == 1 else 'are'} to none of "
            "these tasks; they stay as they are"
        )


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
def export_command(
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
def import_command(
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
    from wikibias.kits.tables import check_ending, write_rows
    from wikibias.research.annotation.exchange import (
        AnswerReader,
        answer_rows,
        check_renames,
        last_of_each,
    )
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

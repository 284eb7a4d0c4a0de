"""`wikibias annotate serve`, `export` and `import`: where people label sentences."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, FILE, OUT_FILE, check_out, takes, warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import Overwrite

_LONGEST = 300  # characters of names
Guidelines = Annotated[
    str,
    Setting(
        "--guidelines", doc="What is asked: bias, bias-types, intents, or a TOML file of your own."
    ),
]


@dataclass(frozen=True, kw_only=True)
class _ServeOptions:
    """The options of the command.

    Attributes:
        db: File of the answers.
        names: Who annotates; may be given again. Without it the page asks for a name.
        with_edit: Show what the edit made of the sentence as well, which tells whether it was
            removed.
        host: Where to listen. Others than this machine need a token, which is shown.
        port: 0 for any.
    """

    file: Annotated[Path, OUT_FILE, Setting(ARGUMENT)]
    guidelines: Guidelines = "bias"
    db: Annotated[Path | None, OUT_FILE, Setting("--db", unset="FILE with the ending .db")] = None
    names: Annotated[tuple[str, ...], Setting("--annotator")] = ()
    with_edit: Annotated[bool, Setting("--with-edit")] = False
    host: Annotated[str, Setting("--host")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535), Setting("--port")] = 8740


@click.command(name="serve", short_help="Serve a page on which people label sentences.")
@takes(_ServeOptions)
def serve_command(options: _ServeOptions) -> None:
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
    file, db = options.file, options.db or options.file.with_suffix(".db")
    from wikibias.config.guidelines import load_guidelines
    from wikibias.research.annotation.answer_store import answer_store
    from wikibias.research.annotation.labelling.rounds import Round
    from wikibias.research.annotation.labelling.server import (
        Guard,
        address_of,
        labelling_app,
        listening,
        serve_until_interrupted,
    )
    from wikibias.research.annotation.tasks import read_tasks

    asked, tasks = load_guidelines(options.guidelines), read_tasks(file)
    guard = Guard.of(options.host)
    with answer_store(db) as store:
        work = Round(tasks, asked, store, names=options.names, with_edit=options.with_edit)
        with listening(options.host, options.port) as found:
            echo(f"Open {address_of(found, guard)} to label {counted(len(tasks), 'sentence')}.")
            echo(f"Answers go to {db} at once. Ctrl-C ends.")
            _show_given(work.given, work.foreign)
            serve_until_interrupted(labelling_app(work, guard, warn), found)
        given = store.rows()
    who = len({row["annotator"] for row in given})
    echo(f"{counted(len(given), 'answer')} by {counted(who, 'annotator')} in {db}.")
    if who > 1:
        files = shlex.join([str(db), "--tasks", str(file)])
        echo(f"Next: wikibias annotate agree {files} --label {asked.questions[0].name}")


def _show_given(given: Mapping[str, int], foreign: int) -> None:
    """Say whose answers are there already."""
    if given:
        who = ", ".join(f"{name} {number:,}" for name, number in given.items())
        echo(f"There already: {counted(sum(given.values()), 'answer')}, of {who[:_LONGEST]}.")
    if foreign:
        warn(
            f"{counted(foreign, 'more answer')} in it {'is' if foreign == 1 else 'are'} to none of "
            "these tasks; they stay as they are"
        )


@dataclass(frozen=True, kw_only=True)
class _ExportOptions:
    """The options of the command.

    Attributes:
        form: label-studio: tasks, labelling configuration and instructions; csv: a table with a
            blank column for each question; jsonl: the same as JSON Lines.
        out: Folder to write; of csv (.csv, .tsv) and jsonl the file.
        annotator: Write only what is dealt to this annotator (`sample --annotators`); tables then
            hold the name.
    """

    tasks: Annotated[Path, FILE, Setting(ARGUMENT)]
    form: Annotated[Literal["label-studio", "csv", "jsonl"], Setting("--to")]
    out: Annotated[Path, click.Path(path_type=Path), Setting("-o --out")]
    guidelines: Guidelines = "bias"
    annotator: Annotated[str | None, Setting("--annotator", metavar="NAME")] = None
    overwrite: Overwrite = False


@click.command(name="export")
@takes(_ExportOptions)
def export_command(options: _ExportOptions) -> None:
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
    from wikibias.research.annotation.exchange import export_tasks, offered
    from wikibias.research.annotation.tasks import dealt_to, own_tasks, read_tasks

    tasks, form, out, annotator = options.tasks, options.form, options.out, options.annotator
    check_out(out, [tasks], overwrite=True)
    asked = load_guidelines(options.guidelines)
    found = read_tasks(tasks)
    dealt = dealt_to(found)
    if annotator is not None:
        found = own_tasks(found, annotator)
    with interruptible():
        export_tasks(found, asked, form, out, overwrite=options.overwrite, annotator=annotator)
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
        for question in asked.questions:
            values = ", ".join(value for value, _, _ in offered(question))
            several = "; several with a semicolon between them" if question.several else ""
            echo(f"Note: to fill in {question.name}: {values}{several}.")
    if form == "csv" and asked.spans:
        echo("Note: words cannot be marked in a spreadsheet; use label-studio.")
    echo(f"Result: {out}")
    asked_for = options.guidelines
    named = "" if asked_for == "bias" else f" --guidelines {shlex.quote(asked_for)}"
    back = shlex.quote(str(out)) if form in ("csv", "jsonl") else "EXPORTED"
    echo(
        f"Next: wikibias annotate import {back} --tasks {shlex.quote(str(tasks))}{named} "
        "--out answers.jsonl"
    )


def _renames(pairs: Sequence[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        old, equals, new = pair.rpartition("=")
        if not (old and equals and new) or old in found:
            raise UsageError(f"--rename {pair}: give OLD=NEW, each column once")
        found[old] = new
    return found


@dataclass(frozen=True, kw_only=True)
class _ImportOptions:
    """The options of the command.

    Attributes:
        tasks: The file of tasks that were answered.
        out: Table of answers to write (.jsonl, .csv or .tsv).
        renames: Take column OLD, of the tables that have it, for NEW: item, text, annotator,
            comment or a question.
    """

    files: Annotated[tuple[Path, ...], click.Path(path_type=Path, exists=True), Setting(ARGUMENT)]
    tasks: Annotated[Path, FILE, Setting("--tasks")]
    out: Annotated[Path, OUT_FILE, Setting("-o --out")]
    guidelines: Guidelines = "bias"
    renames: Annotated[tuple[str, ...], Setting("--rename", metavar="OLD=NEW")] = ()
    overwrite: Overwrite = False


@click.command(name="import", short_help="Read answers from Label Studio or tables.")
@takes(_ImportOptions)
def import_command(options: _ImportOptions) -> None:
    """Read answers of Label Studio, or of tables that were filled in, into one table of answers.

    Each of FILES is an export of Label Studio (JSON), or a table in UTF-8 (CSV,
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
    from wikibias.research.annotation.exchange import AnswerReader
    from wikibias.research.annotation.tasks import read_tasks

    renames, out, tasks = _renames(options.renames), options.out, options.tasks
    check_ending(out)
    check_out(out, (*options.files, tasks), overwrite=options.overwrite)
    asked = load_guidelines(options.guidelines)
    known = [task for task in read_tasks(tasks) if task.kind != "practice"]
    reader = AnswerReader(known, asked, renames)
    with interruptible():
        for path in options.files:
            reader.read(path)
        reader.check_renames()
        for line in reader.warnings:
            warn(line)
        answers = reader.rows()
        said = [row for row in answers if reader.says_something(row)]
        if not said:
            raise WikibiasError(
                "no answer to any of the tasks: "
                + (
                    "the warnings above say why"
                    if reader.warnings
                    else "the files are blank, or not of these --tasks and --guidelines"
                )
            )
        write_rows(out, answers)
    if len(said) < len(answers):
        alone = counted(len(answers) - len(said), "comment")
        echo(f"Note: {alone} without an answer; kept, and not counted.")
    who = {row["annotator"] for row in said}
    items = {row["item"] for row in said}
    echo(
        f"{counted(len(said), 'answer')} of {counted(len(who), 'annotator')} to "
        f"{len(items):,} of {counted(len(known), 'task')}"
    )
    echo(f"Result: {out}")
    echo(
        f"Next: wikibias annotate agree {shlex.quote(str(out))} --label {asked.questions[0].name} "
        f"--tasks {shlex.quote(str(tasks))}"
    )

"""`wikibias annotate serve`: the page on which people label sentences."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from wikibias.cli.options import config_dir_option
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import check_out

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
@click.option(
    "--export",
    "export_to",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Only write the answers as a table: .jsonl, .csv or .tsv.",
)
@click.option("--overwrite", is_flag=True, help="Replace the file of --export.")
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
    export_to: Path | None,
    overwrite: bool,
) -> None:
    """Serve a page on which people label the sentences of FILE, one by one.

    FILE is what `wikibias annotate sample` wrote, or any table with a column `text`. Open the
    address that is shown. Each annotator has an order of his own. Nothing is shown that would tip
    him off: no summary, author, date or label. An answer is saved at once, and the same command
    goes on where everybody stopped. Ctrl-C ends. `wikibias annotate agree` reads the file of the
    answers itself; --export writes it as a table.

    \b
    Examples:
      wikibias annotate serve tasks.jsonl
      wikibias annotate serve --annotator mila --annotator ivan --guidelines bias-types tasks.jsonl
      wikibias annotate serve tasks.jsonl --export answers.jsonl
    """
    db = db or file.with_suffix(".db")
    if export_to is not None:
        _export(file, db, export_to, overwrite=overwrite)
        return
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


def _export(file: Path, db: Path, target: Path, *, overwrite: bool) -> None:
    from wikibias.research.annotation.answer_store import read_answer_rows
    from wikibias.research.annotation.tables import write_rows

    check_out(target, (file, db), overwrite=overwrite)
    rows = read_answer_rows(db)
    write_rows(target, rows)
    echo(f"Wrote {counted(len(rows), 'answer')} to {target}.")

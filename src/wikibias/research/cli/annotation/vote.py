"""`wikibias annotate vote`: one label for each sentence from what several annotators said."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.errors import UsageError
from wikibias.kits.command import warn
from wikibias.kits.files import write_json
from wikibias.kits.terminal import echo, echo_data
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import (
    FILE,
    MADE_BY,
    OUT,
    check_out,
    check_table,
    labels_option,
    long_options,
    overwrite_option,
)

if TYPE_CHECKING:
    from wikibias.research.annotation.answers import Answers
    from wikibias.research.annotation.tables import Table
    from wikibias.research.annotation.votes import Vote

_ADDED = ("vote", "share", "votes")


@click.command(name="vote")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option("--columns", metavar="A,B,C", help="Columns of a wide table, such as '*@2-shot'.")
@click.option(
    "--ties",
    default="?",
    show_default=True,
    metavar="RULE",
    help="What a tie becomes: '?', drop, biased, neutral, or a label.",
)
@long_options
@click.option("--tasks", type=FILE, help="Of long tables: the task file, whose columns are kept.")
@labels_option
@click.option(
    "--out", type=OUT, help="Table to write: .jsonl, .csv or .tsv.  [default: JSON Lines, printed]"
)
@click.option("--json", "json_file", type=OUT, help="JSON file for the counts.")
@overwrite_option
def command(files: tuple[Path, ...], **options: Any) -> None:
    """Let annotators vote: one label for each sentence.

    FILE is a wide table with a column an annotator (--columns), or one or several long ones with a
    row for each sentence and annotator. A "?" does not vote. Kept are the columns of a wide table,
    of long ones item and text, or those of --tasks. Added are vote, share (of the votes) and votes
    (their number). Where nobody voted is a tie too.

    \b
    Example:
      wikibias annotate vote answers.jsonl --tasks tasks.jsonl --out voted.jsonl
      wikibias annotate vote runs.csv --columns zephyr,openchat,llama --out voted.csv
    """
    from wikibias.kits.tables import write_rows
    from wikibias.research.annotation.answers import meanings
    from wikibias.research.annotation.votes import (
        check_rule,
        decided,
        majority,
        nothing_in_common,
    )

    if options["out"] is not None:
        read = [*files, *filter(None, [options["tasks"]])]
        check_table(options["out"], read, overwrite=options["overwrite"])
    check_out(options["json_file"], files, overwrite=options["overwrite"])
    labels = meanings(options["labels"])
    answers, rows, cells = _read(files, options)
    check_rule(options["ties"], answers.values, labels)
    if apart := nothing_in_common(answers):
        warn(f"{apart}; a vote counts labels as they are written")
    votes = majority(answers.values)
    found = [decided(vote, options["ties"], labels) for vote in votes]
    written = [
        {**row, "vote": cells.get(label, label), "share": vote.share, "votes": vote.votes}
        for row, vote, label in zip(rows, votes, found, strict=True)
        if label is not None
    ]
    if not written:
        raise UsageError("--ties drop: no sentence is left; choose another rule")
    if options["out"] is None:
        echo_data(*(json.dumps(row, ensure_ascii=False) for row in written))
    else:
        write_rows(options["out"], written)
    facts = _facts(answers, votes, options) | {"written": len(written)}
    _tell(facts, options["out"])
    if options["json_file"] is not None:
        write_json(options["json_file"], {MADE_BY: "wikibias annotate vote", **facts})


def _read(
    files: Sequence[Path], options: Mapping[str, Any]
) -> tuple[Answers, list[dict[str, Any]], dict[str | None, Any]]:
    """Return who said what, the row that each sentence gets, and the cells that labels stand in."""
    from wikibias.research.annotation.answers import cell_label, long_answers, wide_answers
    from wikibias.research.annotation.tables import read_table

    tables = [read_table(path) for path in files]
    if options["columns"] is None:
        answers = long_answers(tables, options["item"], options["annotator"], options["label"])
        if options["tasks"] is not None:
            return answers, _of_tasks(answers, options["tasks"]), {}
        return answers, _with_texts(answers, tables, options["item"]), {}
    if len(tables) > 1:
        raise UsageError("--columns is for one wide table; several files are read as long ones")
    (table,) = tables
    names = table.chosen(options["columns"])
    _check_free(table)
    cells: dict[str | None, Any] = {}
    for name in names:
        for cell in table.columns[name]:
            cells.setdefault(cell_label(cell), cell)
    return wide_answers(table, names), list(table.rows()), cells


def _check_free(table: Table) -> None:
    if taken := [name for name in _ADDED if name in table.columns]:
        raise UsageError(f"{table.path} has a column {taken[0]!r} already; rename it")


def _of_tasks(answers: Answers, path: Path) -> list[dict[str, Any]]:
    """Return the row that a task file has of each sentence."""
    from wikibias.research.annotation.tables import read_table
    from wikibias.research.annotation.tasks import read_tasks

    table = read_table(path)
    _check_free(table)
    names = [task.item for task in read_tasks(path)]
    rows = dict(zip(names, table.rows(), strict=True))
    if lacking := [name for name in answers.items if name not in rows]:
        raise UsageError(f"{path} has no item {lacking[0][:40]!r}; give the file that was judged")
    return [{"item": name, **rows[name]} for name in answers.items]


def _with_texts(
    answers: Answers, tables: Sequence[Table], item: str | None
) -> list[dict[str, Any]]:
    from wikibias.research.annotation.answers import item_column

    texts: dict[str, Any] = {}
    for table in tables:
        if "text" in table.columns:
            names = map(str, table.column(item_column(table, item)))
            for name, text in zip(names, table.columns["text"], strict=True):
                texts.setdefault(name, text)
    if not texts:
        return [{"item": name} for name in answers.items]
    return [{"item": name, "text": texts.get(name)} for name in answers.items]


def _facts(answers: Answers, votes: Sequence[Vote], options: Mapping[str, Any]) -> dict[str, Any]:
    from wikibias.research.annotation.votes import unanimous

    several, alike = unanimous(answers.values)
    return {
        "items": len(votes),
        "annotators": len(answers.annotators),
        "method": "majority",
        "ties": sum(len(vote.leading) != 1 or not vote.votes for vote in votes),
        "ties_rule": options["ties"],
        "without_a_vote": sum(not vote.votes for vote in votes),
        "unparsed": dict(answers.unparsed),
        "with_two_votes": several,
        "unanimous": alike,
    }


def _tell(facts: Mapping[str, Any], out: Path | None) -> None:
    say = partial(echo, err=out is None)  # standard output holds the rows
    said = {
        "?": "left as '?'",
        "drop": "left out",
    }.get(facts["ties_rule"], f"given to {facts['ties_rule']} where it is among them")
    where = "Printed" if out is None else f"Wrote {out}:"
    say(f"{where} {counted(facts['written'], 'sentence')} of {facts['items']:,}.")
    if several := facts["with_two_votes"]:
        share = facts["unanimous"] / several
        say(
            f"All votes agree on {facts['unanimous']:,} of {counted(several, 'sentence')} with two "
            f"votes or more ({share:.1%})."
        )
    else:
        warn("no sentence has two votes; there is nothing to vote on")
    none = facts["without_a_vote"]
    among = f" ({none:,} of them without a vote)" if none else ""
    say(f"{counted(facts['ties'], 'tie')}{among}, {said}." if facts["ties"] else "No ties.")
    if unparsed := sum(facts["unparsed"].values()):
        say(f"{counted(unparsed, 'answer')} '?' did not vote.")

"""`wikibias annotate agree`: how far annotators say the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from wikibias.kits import MOST_SEED
from wikibias.kits.command import resamples_option, warn
from wikibias.kits.terminal import echo
from wikibias.research.cli.annotation.judging import MADE_BY, check_out, overwrite_option

_FILE = click.Path(path_type=Path)
_MOST_SENTENCES = 5
_MOST_VALUES = 8
_LONGEST = 90  # characters of a sentence


@click.command(name="agree", short_help="Say how far annotators agree.")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@click.option(
    "--columns",
    metavar="A,B,...",
    help="Columns of a wide table, one an annotator; patterns such as '*@*' too.",
)
@click.option("--item", metavar="COLUMN", help="What names the sentence.  [default: item, ...]")
@click.option(
    "--annotator", metavar="COLUMN", help="Who answered.  [default: annotator, ..., or the file]"
)
@click.option("--label", metavar="COLUMN", help="The question.  [default: label, bias, ...]")
@click.option("--tasks", type=_FILE, help="The task file: kinds, strata and texts of sentences.")
@click.option(
    "--by",
    metavar="COLUMN",
    help="Also within each group: a column, or a part of the stratum such as bin.  [default: all "
    "parts]",
)
@click.option(
    "--order",
    metavar="LEAST,...,MOST",
    help="Order of the labels, for ordinal figures and weighted kappa.  [default: that of numbers, "
    "without weighted kappa]",
)
@resamples_option
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="Seed of the intervals.",
)
@click.option("-o", "--out", type=_FILE, help="Also write everything to this JSON.")
@click.option("--page", type=_FILE, help="Also write a page (HTML), with more of it.")
@overwrite_option
def agree(
    files: tuple[Path, ...],
    columns: str | None,
    item: str | None,
    annotator: str | None,
    label: str | None,
    tasks: Path | None,
    by: str | None,
    order: str | None,
    resamples: int,
    seed: int,
    out: Path | None,
    page: Path | None,
    overwrite: bool,
) -> None:
    """Say how far annotators agree, people or models: Krippendorff, Fleiss, Cohen, percentage.

    A FILE has a row for each sentence and annotator; or with --columns a column for each annotator.
    A sentence that somebody did not judge is a gap, and so is an answer "?". Each figure has a 95 %
    interval by a bootstrap over the sentences; what is undefined is null, and a note says why.

    With --tasks only the sample counts: sentences shown again tell how far each annotator says the
    same twice, and unchanged ones who ticks everything. Answers with spans are compared by words.

    \b
    Examples:
      wikibias annotate agree answers.jsonl --tasks tasks.jsonl --out agreement.json
      wikibias annotate agree ann.csv bob.csv --label bias
      wikibias annotate agree models.csv --columns gpt,llama,human
      wikibias annotate agree ratings.csv --label strength --order neutral,weak,strong
    """
    from wikibias.kits.files import write_json
    from wikibias.research.annotation.agreement import agreement, read_compared
    from wikibias.research.annotation.answer_store import ENDING

    check_out(out, files, overwrite=overwrite)
    if tasks is None and any(file.suffix == ENDING for file in files):
        warn("controls and sentences shown again count like all others; give the --tasks served")
    given = read_compared(
        files,
        columns=columns,
        item=item,
        annotator=annotator,
        label=label,
        tasks=tasks,
        by=by,
    )
    found = agreement(
        given,
        order=None if order is None else [value.strip() for value in order.split(",")],
        resamples=resamples,
        seed=seed,
        warn=warn,
    )
    title = ", ".join(file.name for file in files)
    if page is not None:
        from wikibias.research.reports.agreement_page import write_agreement_page

        write_agreement_page(title, found, page)
    if out is not None:
        write_json(out, {MADE_BY: "wikibias annotate agree", **found})
    _show(title, found)
    for written in filter(None, (out, page)):
        echo(f"Written to {written}")


def _show(title: str, found: Mapping[str, Any]) -> None:
    from wikibias.kits.terminal import show_table
    from wikibias.research.reports.agreement_page import confusion_tables, notes, overview, tables

    few = len(found["cohen"]) == 1 and len(found["values"]) <= _MOST_VALUES
    for shown in (
        overview(title, found),
        *tables(found),
        *(confusion_tables(found) if few else ()),
    ):
        show_table(shown.title, shown.header, shown.rows, shown.left)
    for sentence in found["disagreed"][:_MOST_SENTENCES]:
        said = ", ".join(f"{name} {value}" for name, value in sentence["answers"].items())
        text = sentence.get("text", "")
        cut = f": {text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}" if text else ""
        echo(f"{sentence['item']}: {said}{cut}")
    for line in notes(found):
        echo(line)

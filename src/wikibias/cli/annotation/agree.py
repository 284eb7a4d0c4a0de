"""`wikibias annotate agree`: how far annotators say the same."""

from __future__ import annotations

from pathlib import Path

import click

from wikibias.cli.options import resamples_option
from wikibias.cli.terminal import echo
from wikibias.cli.warnings import warn
from wikibias.models.constants import MOST_SEED

_FILE = click.Path(path_type=Path)


@click.command(name="agree")
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
    from wikibias.annotation.agreement.judged import read_judged
    from wikibias.annotation.agreement.run import agreement
    from wikibias.cli.annotation.agreement_tables import show_agreement
    from wikibias.storage.atomic import write_json

    judged = read_judged(
        files,
        columns=columns,
        item=item,
        annotator=annotator,
        label=label,
        tasks=tasks,
        by=by,
    )
    found = agreement(
        judged,
        order=None if order is None else [value.strip() for value in order.split(",")],
        resamples=resamples,
        seed=seed,
        warn=warn,
    )
    if out is not None:
        write_json(out, found)
    show_agreement(", ".join(file.name for file in files), found)
    if out is not None:
        echo(f"Written to {out}")

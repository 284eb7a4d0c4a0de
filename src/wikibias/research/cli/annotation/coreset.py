"""`wikibias annotate coreset`: few sentences that stand for many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wikibias.errors import UsageError
from wikibias.kits.terminal import echo
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import (
    FILE,
    OUT,
    check_table,
    overwrite_option,
    seed_option,
)

_COLUMN = "stands_for"


@click.command(name="coreset", short_help="Choose few labelled sentences that stand for many.")
@click.argument("file", type=FILE)
@click.option("--label", required=True, metavar="COLUMN", help="Column of the labels.")
@click.option("--text", default="text", show_default=True, metavar="COLUMN", help="The sentences.")
@click.option("-n", "size", type=click.IntRange(min=1), required=True, help="How many to choose.")
@seed_option
@click.option("--out", required=True, type=OUT, help="Table to write: .jsonl, .csv or .tsv.")
@overwrite_option
def command(file: Path, **options: Any) -> None:
    """Choose few labelled sentences that stand for many, to train on where time is short.

    The sentences of each label are put into clusters by their words, and the one nearest to the
    middle of each is taken; the column stands_for says how many it stands for. Each label keeps its
    share. This is a plain form of what Horych et al. (2025) did after Chai et al. (2023), not their
    algorithm; where we measured it, it was no better than a draw at random.

    \b
    Example:
      wikibias annotate coreset balanced.jsonl --label vote -n 3000 --out coreset.jsonl
    """
    from wikibias.research.annotation.answers import UNPARSED, cell_label
    from wikibias.research.annotation.coreset import coreset, vectors
    from wikibias.research.annotation.tables import read_table, write_rows

    check_table(options["out"], [file], overwrite=options["overwrite"])
    table = read_table(file)
    if _COLUMN in table.columns:
        raise UsageError(f"{file} has a column {_COLUMN!r} already; rename it")
    labels = [cell_label(cell) for cell in table.column(options["label"])]
    texts = [str(text or "") for text in table.column(options["text"])]
    known = [
        row
        for row, (label, text) in enumerate(zip(labels, texts, strict=True))
        if label not in (None, UNPARSED) and text.strip()
    ]
    if options["size"] >= len(known):
        raise UsageError(
            f"-n {options['size']}: there are only {counted(len(known), 'labelled sentence')}"
        )
    found = vectors([texts[row] for row in known], options["seed"])
    chosen, weights = coreset(
        found, [labels[row] for row in known], options["size"], seed=options["seed"]
    )
    rows = list(table.rows())
    write_rows(
        options["out"],
        [
            {**rows[known[place]], _COLUMN: weight}
            for place, weight in zip(chosen.tolist(), weights.tolist(), strict=True)
        ],
    )
    echo(f"Wrote {options['out']}: {counted(len(chosen), 'sentence')} of {len(known):,}.")

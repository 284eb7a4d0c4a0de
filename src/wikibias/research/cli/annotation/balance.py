"""`wikibias annotate balance`: in each stratum as many biased sentences as neutral ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.errors import UsageError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted
from wikibias.research.cli.annotation.judging import (
    FILE,
    OUT,
    check_table,
    labels_option,
    overwrite_option,
    seed_option,
)

if TYPE_CHECKING:
    from wikibias.research.annotation.balance import Balanced, Part
    from wikibias.research.annotation.tables import Table

_SHOWN = 40


@click.command(name="balance")
@click.argument("file", type=FILE)
@click.option(
    "--by", required=True, metavar="A,B", help="Columns that make a stratum, such as outlet."
)
@click.option("--label", metavar="COLUMN", help="After annotation: column of the labels.")
@click.option("--prior", metavar="COLUMN", help="Before it: column of estimates, labels or 0 to 1.")
@click.option(
    "--prior-model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Before it: a model of `wikibias classify`, which estimates the column text.",
)
@click.option(
    "--equal-strata", is_flag=True, help="Take equally many from each stratum, as the smallest has."
)
@click.option("-n", "most", type=click.IntRange(min=2), help="Take no more sentences than this.")
@labels_option
@seed_option
@click.option("--out", required=True, type=OUT, help="Table to write: .jsonl, .csv or .tsv.")
@overwrite_option
def command(file: Path, **options: Any) -> None:
    """Balance sentences: in each stratum half biased, half neutral.

    Before annotation by an estimate (--prior, --prior-model), with --equal-strata, so that not all
    that is paid for turns out neutral; after it by the label (--label). So did Horych et al. (2025,
    section 5). The larger class of a stratum is drawn down at random; rows keep their order. A "?"
    and a blank leave a sentence out. --prior-model adds the column prior.

    \b
    Examples:
      wikibias annotate balance pool.csv --by outlet --prior guess --equal-strata --out tasks.csv
      wikibias annotate balance voted.jsonl --by outlet --label vote --out balanced.jsonl
    """
    from wikibias.research.annotation.answers import meanings
    from wikibias.research.annotation.balance import balanced, judged, strata_of
    from wikibias.research.annotation.tables import read_table, write_rows

    check_table(options["out"], [file], overwrite=options["overwrite"])
    given = [name for name in ("label", "prior", "prior_model") if options[name] is not None]
    if len(given) != 1:
        raise UsageError("give one of --label, --prior and --prior-model")
    table = read_table(file)
    if options["prior_model"] is not None:
        table, name = _estimated(table, options["prior_model"]), "prior"
    else:
        name = options[given[0]]
    biased = judged(table.column(name), meanings(options["labels"]), f"{file}: {name}")
    by = table.chosen(options["by"], "--by")
    found = balanced(
        strata_of(table.columns, by),
        biased,
        equal=options["equal_strata"],
        most=options["most"],
        seed=options["seed"],
    )
    if not len(found.rows):
        raise UsageError(
            f"-n {options['most']}: too few for one sentence of each label and stratum"
        )
    rows = list(table.rows())
    write_rows(options["out"], [rows[row] for row in found.rows.tolist()])
    _show(found, ", ".join(by))
    echo(f"Wrote {options['out']}: {counted(len(found.rows), 'sentence')} of {len(table):,}.")


def _estimated(table: Table, model: Path) -> Table:
    from wikibias.models.prediction import probabilities
    from wikibias.research.annotation.tables import Table

    if "prior" in table.columns:
        raise UsageError(f"{table.path} has a column 'prior' already; rename it, or give --prior")
    texts = [str(text or "") for text in table.column("text")]
    estimated = [round(value, 6) for value in probabilities(model, texts)]
    return Table(table.path, {**table.columns, "prior": estimated})


def _show(found: Balanced, by: str) -> None:
    rows = [
        [
            _named(part),
            *(f"{n:,}" for n in (part.biased, part.neutral, part.taken)),
        ]
        for part in found.parts[:_SHOWN]
    ]
    show_table(f"By {by}", ["", "biased", "neutral", "taken of each"], rows)
    if len(found.parts) > _SHOWN:
        echo(f"The first {_SHOWN} of {len(found.parts):,} strata.")
    if found.unlabelled:
        warn(f"left out {counted(found.unlabelled, 'sentence')} without a label")
    lacking = [_named(part) for part in found.parts if not min(part.biased, part.neutral)]
    if lacking:
        warn(f"of one label only, so left out: {'; '.join(lacking)[:200]}")


def _named(part: Part) -> str:
    return ", ".join(cell or "–" for cell in part.stratum)

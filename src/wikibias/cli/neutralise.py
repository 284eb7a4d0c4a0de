"""`wikibias neutralise`: rewrite sentences so that less bias is left, and judge rewrites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wikibias.cli.subcommands import Subcommands
from wikibias.cli.terminal import echo
from wikibias.cli.warnings import warn
from wikibias.models.constants import MOST_SEED, RESAMPLES

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group(name="neutralise", cls=Subcommands)
def neutralise() -> None:
    """Rewrite biased sentences, and judge rewrites beside what editors did.

    \b
    Example:
      wikibias neutralise score rewrites.tsv --source before --target after --output mine
    """


@neutralise.command()
@click.argument("file", type=FILE)
@click.option("--source", metavar="C", required=True, help="Column of the sentences as they were.")
@click.option("--target", metavar="C", required=True, help="Column of what editors made of them.")
@click.option("--output", metavar="C", required=True, help="Column of the rewrites to judge.")
@click.option(
    "--verdict",
    metavar="C",
    help="Column of what a person said, 1 or 0: also tell how each measure agrees.",
)
@click.option("--classifier", type=FOLDER, help="A model of `classify`, to measure the bias left.")
@click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Of intervals."
)
@click.option(
    "--resamples",
    type=click.IntRange(1, 1_000_000),
    default=RESAMPLES,
    show_default=True,
    help="Bootstrap resamples for the confidence intervals.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the scores as JSON to this file.",
)
def score(file: Path, **options: Any) -> None:
    """Score rewrites: BLEU as the field counts it, exact match, SARI, meaning kept, bias left.

    FILE is TSV, CSV or JSON Lines; a column is named by its header or by its number from 1 on.
    BLEU is over the tokens given, which stand between spaces: word pieces, if the file has them.

    \b
    Examples:
      wikibias neutralise score test.tsv --source src --target tgt --output mine --out j.json
      wikibias neutralise score judged.tsv --source 3 --target 5 --output 4 --verdict 2
    """
    from wikibias.cli.rewrite_scores import show_agreement, show_scores
    from wikibias.models.neutralisation import agreement
    from wikibias.models.neutralisation.bias_left import bias_by
    from wikibias.models.neutralisation.columns import read_columns
    from wikibias.models.neutralisation.measures import Rewrites, measure, summary
    from wikibias.storage.atomic import write_json

    wanted = {name: options[name] for name in ("source", "target", "output", "verdict")}
    columns = {name: column for name, column in wanted.items() if column}
    found = read_columns(file, columns, warn, needed=("source", "target"))
    success = agreement.parse_verdicts(found["verdict"]) if "verdict" in found else None
    classifier = options["classifier"]
    measured = measure(
        Rewrites(found["source"], found["target"], found["output"]),
        bias_by(classifier) if classifier else None,
    )
    drawn = {"resamples": options["resamples"], "seed": options["seed"]}
    scores = summary(measured, **drawn)
    show_scores(file.name, scores)
    if success is not None:
        scores["verdict"] = agreement.agreement(measured, success, **drawn)
        show_agreement(scores["verdict"])
    if options["out"]:
        write_json(options["out"], scores)
        echo(f"Written to {options['out']}")

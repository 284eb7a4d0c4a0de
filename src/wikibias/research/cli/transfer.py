"""`wikibias audit transfer`: train on each of several sets, and test on each."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from wikibias.kits.command import OUT_FOLDER, seed_option, warn
from wikibias.kits.folders import ResultFolder
from wikibias.kits.terminal import echo
from wikibias.models.constants import GROUPINGS
from wikibias.models.estimators.registry import OWN

_FOLDER = ResultFolder("cross", 1, "wikibias audit transfer")


@click.command(name="transfer")
@click.argument("sets", nargs=-1, required=True, metavar="NAME[:KIND]=PATH...")
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help=f"{', '.join(OWN)}, or one that a package adds; may be given again.  [default: nb-lr]",
)
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A parameter of the model, of several models MODEL.NAME=VALUE; may be given again.",
)
@click.option("--labels", metavar="A=biased,B=neutral", help="Names of the labels in the files.")
@click.option("--balance", is_flag=True, help="Draw as many of the larger class as of the other.")
@click.option(
    "--cv",
    type=click.Choice(GROUPINGS),
    default="near-duplicate",
    show_default=True,
    help="What stays in one of the five folds of a set without a test split.",
)
@seed_option("Seed of training, folds and intervals.")
@click.option(
    "-o",
    "--out",
    type=OUT_FOLDER,
    default=Path("cross"),
    show_default=True,
    help="Folder of the result.",
)
def command(
    sets: tuple[str, ...],
    *,
    models: tuple[str, ...],
    settings: tuple[str, ...],
    labels: str | None,
    balance: bool,
    cv: str,
    seed: int,
    out: Path,
) -> None:
    """Train on each of several sets and test on each: what does one teach of the others?

    A set is NAME=PATH, a corpus folder or a file that `wikibias classify` reads;
    NAME=POSITIVE+NEGATIVE, two texts of a sentence a line; NAME:LABEL=PATH, the sentences judged by
    one label of what `classify --task labels` reads; or NAME:pairs=PATH, sentence pairs, whose
    sources are positive and stay in one fold with their targets. A set with a test split is tested
    on that; of one without, each sentence is tested by a model of the other folds. No model is
    tested on a sentence that it was trained on, where two sets share some.

    \b
    Examples:
      wikibias audit transfer en=corpora/en wnc=wnc.tsv --balance
      wikibias audit transfer hard=biased.txt+hard.txt easy=biased.txt+featured.txt
      wikibias audit transfer pov:point-of-view=corpora/en wnc:pairs=wnc.jsonl
      wikibias audit transfer a=a.tsv b=b.tsv --model encoder --set base=models/minilm
    """
    from wikibias.kits.console import show
    from wikibias.models.estimators.registry import create
    from wikibias.models.model_folder import OF_CLASSIFIERS, versions
    from wikibias.models.reading import parse_labels
    from wikibias.models.training import of_models, parse_settings
    from wikibias.research.reports.transfer import f1_table, page
    from wikibias.research.transfer import Cell, Judging, cross_table, read_sets

    _FOLDER.refuse(out, overwrite=True)
    names = tuple(dict.fromkeys(models)) or ("nb-lr",)
    parameters = of_models(parse_settings(settings), names)
    found = read_sets(sets, parse_labels(labels), warn, balance=balance, seed=seed)
    judging = Judging(grouped_by=cv, seed=seed, balance=balance)
    cells: dict[str, list[Cell]] = {}
    for name in names:
        make = partial(create, name, seed=seed, **parameters.get(name, {}))
        cells[name] = list(cross_table(found, make, judging))
        show(f1_table(name, cells[name]))
    content = {
        **asdict(judging),
        "versions": versions(OF_CLASSIFIERS),
        "sets": {each.name: each.described() for each in found},
        "parameters": {name: own for name, own in parameters.items() if own},
        "models": {name: {"cells": list(map(asdict, own))} for name, own in cells.items()},
    }
    _FOLDER.write_report(out, content, page(found, cells), {})
    echo(f"Written to {out} (open report.html there)")

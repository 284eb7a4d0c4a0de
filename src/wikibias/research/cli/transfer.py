"""`wikibias audit transfer`: train on each of several sets, and test on each."""

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import click

from wikibias.kits import MOST_SEED
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import ARGUMENT, OUT_FOLDER, takes, warn
from wikibias.kits.folders import ResultFolder
from wikibias.kits.terminal import echo
from wikibias.models.constants import GROUPINGS
from wikibias.models.estimators.registry import OWN

_FOLDER = ResultFolder("cross", 1, "wikibias audit transfer")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command.

    Attributes:
        settings: A parameter NAME=VALUE, of several models MODEL.NAME=VALUE; may be given again.
        labels: Names of the labels in the files.
        balance: Draw as many of the larger class as of the other.
        cv: What stays in one of the five folds of a set without a test split.
        seed: Seed of training, folds and intervals.
        out: Folder of the result.
    """

    sets: Annotated[tuple[str, ...], Setting(ARGUMENT, metavar="NAME[:KIND]=PATH...")]
    models: Annotated[
        tuple[str, ...],
        Setting(
            "--model",
            "nb-lr",
            "NAME",
            f"{', '.join(OWN)}, or one that a package adds; may be given again.",
        ),
    ] = ()
    settings: Annotated[tuple[str, ...], Setting("--set", metavar="NAME=VALUE")] = ()
    labels: Annotated[str | None, Setting("--labels", metavar="A=biased,B=neutral")] = None
    balance: Annotated[bool, Setting("--balance")] = False
    cv: Annotated[str, click.Choice(GROUPINGS), Setting("--cv")] = "near-duplicate"
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    out: Annotated[Path, OUT_FOLDER, Setting("-o --out")] = Path("cross")


@click.command(name="transfer")
@takes(Options)
def command(given: Options) -> None:
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

    _FOLDER.refuse(given.out, overwrite=True)
    names = tuple(dict.fromkeys(given.models)) or ("nb-lr",)
    parameters = of_models(parse_settings(given.settings), names)
    labels = parse_labels(given.labels)
    found = read_sets(given.sets, labels, warn, balance=given.balance, seed=given.seed)
    judging = Judging(grouped_by=given.cv, seed=given.seed, balance=given.balance)
    cells: dict[str, list[Cell]] = {}
    for name in names:
        make = partial(create, name, seed=given.seed, **parameters.get(name, {}))
        cells[name] = list(cross_table(found, make, judging))
        show(f1_table(name, cells[name]))
    content = {
        **asdict(judging),
        "versions": versions(OF_CLASSIFIERS),
        "sets": {each.name: each.described() for each in found},
        "parameters": {name: own for name, own in parameters.items() if own},
        "models": {name: {"cells": list(map(asdict, own))} for name, own in cells.items()},
    }
    _FOLDER.write_report(given.out, content, page(found, cells), {})
    echo(f"Written to {given.out} (open report.html there)")

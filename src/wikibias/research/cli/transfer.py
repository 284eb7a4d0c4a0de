"""`wikibias audit transfer`: train on each of several sets, and test on each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.kits.command import Numbers, resamples_option, seed_option, warn
from wikibias.kits.files import write_json, write_text
from wikibias.kits.folders import ResultFolder
from wikibias.kits.terminal import echo
from wikibias.models.constants import GROUPINGS
from wikibias.models.estimators.registry import DEVICES, HERE, OWN

if TYPE_CHECKING:
    from wikibias.research.transfer import Curves

_FOLDER = ResultFolder("cross", 1, "wikibias audit transfer")
_PAGE = "report.html"


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
    help="What stays in one fold of a set without a test split.",
)
@click.option(
    "--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Folds of --cv."
)
@click.option(
    "--sizes",
    type=Numbers(1, 10**9),
    default=(),
    metavar="N,N",
    help="Also learning curves: train on so many sentences of each set.",
)
@click.option("--lang", help="Language of the stop words.  [default: none]")
@seed_option("Seed of training, folds and intervals.")
@click.option(
    "--device",
    type=click.Choice(DEVICES),
    default=HERE.device,
    show_default=True,
    help="Where neural models train; auto: on the GPU if there is one.",
)
@resamples_option
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("cross"),
    show_default=True,
    help="Folder of the result.",
)
def command(sets: tuple[str, ...], sizes: tuple[int, ...], out: Path, **options: Any) -> None:
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
      wikibias audit transfer en=corpora/en fr=corpora/fr --sizes 100,1000,10000
      wikibias audit transfer pov:point-of-view=corpora/en wnc:pairs=wnc.jsonl
      wikibias audit transfer a=a.tsv b=b.tsv --model encoder --set base=models/minilm
    """
    from wikibias.config.languages import load_language
    from wikibias.kits.console import show
    from wikibias.kits.html import html
    from wikibias.models.estimators.registry import Model, Run, create
    from wikibias.models.model_folder import OF_CLASSIFIERS, versions
    from wikibias.models.reading import parse_labels
    from wikibias.models.training import of_models, parse_settings, placed
    from wikibias.research import transfer
    from wikibias.research.reports.transfer import page, summary

    _FOLDER.refuse(out, overwrite=True)
    names = tuple(dict.fromkeys(options["models"])) or ("nb-lr",)
    given = of_models(parse_settings(options["settings"]), names)
    parameters = {name: found for name, found in given.items() if found}
    seed, balance = options["seed"], options["balance"]
    labels = parse_labels(options["labels"])
    found = transfer.read_sets(sets, labels, warn, balance=balance, seed=seed)
    how = transfer.Judging(options["folds"], options["cv"], options["resamples"], seed, balance)
    stop_words = load_language(options["lang"]).stopwords if options["lang"] else ()
    cells: dict[str, list[transfer.Cell]] = {}
    learning: dict[str, Curves] = {}
    for name in names:

        def make(name: str = name) -> Model:
            made = create(name, stopwords=stop_words, seed=seed, **parameters.get(name, {}))
            return placed(made, Run(options["device"]))

        cells[name] = list(transfer.cross_table(found, make, how))
        learning[name] = {
            each.name: list(transfer.learning_curve(each, sizes, make, how))
            for each in (found if sizes else ())
        }
        show(*summary(name, found, cells[name], learning[name]))
    for line in transfer.missing_sizes(sizes, learning[names[0]]):
        warn(line)
    content = {
        "format": _FOLDER.format,
        "seed": seed,
        "grouped_by": how.grouped_by,
        "folds": how.folds,
        "balance": how.balance,
        "resamples": how.resamples,
        "lang": options["lang"],
        "versions": versions(OF_CLASSIFIERS),
        "sets": {each.name: each.described() for each in found},
        "parameters": parameters,
        "models": {name: transfer.as_json(cells[name], learning[name]) for name in names},
    }
    write_json(out / _FOLDER.description, content)
    write_text(out / _PAGE, html(page(found, cells, learning)))
    echo(f"Written to {out} (open report.html there)")

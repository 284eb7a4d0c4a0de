"""`wikibias cross-evaluate`: train on each of several sets, and test on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wikibias.errors import UsageError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import resamples_option, warn
from wikibias.kits.document import number, with_interval
from wikibias.kits.files import read_json, write_json
from wikibias.kits.folders import refuse_foreign
from wikibias.kits.terminal import echo, show_table
from wikibias.models.constants import GROUPINGS
from wikibias.models.estimators.registry import DEVICES, HERE, OWN

if TYPE_CHECKING:
    from wikibias.kits.evaluation import Table
    from wikibias.research.transfer import Cell, Judging, LabelledSet

_SCORES = "cross.json"
_FORMAT = "wikibias-cross/1"


@click.command(name="cross-evaluate")
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
@click.option(
    "--vectors",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Word vectors for --model gru: a text file of word2vec, GloVe or fastText.",
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
    "--sizes", metavar="N,N", help="Also learning curves: train on so many sentences of each set."
)
@click.option("--lang", help="Language of the stop words.  [default: none]")
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="Seed of training, folds and intervals.",
)
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
def command(sets: tuple[str, ...], **options: Any) -> None:
    """Train on each of several sets and test on each: what does one teach of the others?

    A set is NAME=PATH, a corpus folder or a file that `wikibias classify` reads;
    NAME=POSITIVE+NEGATIVE, two texts of a sentence a line; NAME:LABEL=PATH, the sentences judged by
    one label of what `classify --task labels` reads; or NAME:pairs=PATH, sentence pairs, whose
    sources are positive and stay in one fold with their targets. A set with a test split is tested
    on that; of one without, each sentence is tested by a model of the other folds. No model is
    tested on a sentence that it was trained on, where two sets share some.

    \b
    Examples:
      wikibias cross-evaluate en=corpora/en wnc=wnc.tsv --balance
      wikibias cross-evaluate hard=biased.txt+hard.txt easy=biased.txt+featured.txt
      wikibias cross-evaluate en=corpora/en fr=corpora/fr --sizes 100,1000,10000
      wikibias cross-evaluate pov:point-of-view=corpora/en wnc:pairs=wnc.jsonl
      wikibias cross-evaluate a=a.tsv b=b.tsv --model encoder --set base=models/minilm
    """
    from wikibias.models.model_folder import OF_CLASSIFIERS, versions
    from wikibias.models.reading import parse_labels
    from wikibias.research.reports.transfer import write_cross_page
    from wikibias.research.transfer import Judging, as_json, length_only, read_sets

    out, sizes = options["out"], _sizes(options["sizes"])
    refuse_foreign(out, _is_ours)
    names = tuple(dict.fromkeys(options["models"])) or ("nb-lr",)
    parameters = _parameters(options["settings"], options["vectors"], names)
    seed = options["seed"]
    found = read_sets(
        sets, parse_labels(options["labels"]), warn, balance=options["balance"], seed=seed
    )
    how = Judging(options["folds"], options["cv"], options["resamples"], seed, options["balance"])
    cells: dict[str, list[Cell]] = {}
    learning: dict[str, Mapping[str, list[tuple[int, Table]]]] = {}
    for name in names:
        made = _Made(name, parameters.get(name, {}), options["lang"], options["device"])
        cells[name], learning[name] = _judged(made, found, sizes, how)
        _show(name, found, cells[name], learning[name])
    if sizes:
        _warn_of_sizes(sizes, learning[names[0]])
    content = {
        "format": _FORMAT,
        "seed": seed,
        "grouped_by": how.grouped_by,
        "folds": how.folds,
        "balance": how.balance,
        "resamples": how.resamples,
        "lang": options["lang"],
        "versions": versions(OF_CLASSIFIERS),
        "sets": {
            each.name: {
                "source": each.train.name,
                "sentences": len(each.train),
                "positive": int(each.train.biased.sum()),
                "test": None if each.test is None else len(each.test),
                "length_only_roc_auc": length_only(each.train),
            }
            for each in found
        },
        "parameters": parameters,
        "models": {name: as_json(cells[name], learning[name]) for name in names},
    }
    write_json(out / _SCORES, content)
    write_cross_page(found, cells, learning, out)
    echo(f"Written to {out} (open report.html there)")


def _parameters(
    settings: Sequence[str], vectors: Path | None, names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    from wikibias.models.training import of_models, parse_settings, with_options

    given = with_options(parse_settings(settings), {"vectors": vectors}, names)
    if len(names) > 1:
        return of_models(given, names)
    return {names[0]: given} if given else {}


class _Made(NamedTuple):
    """How to make a model: name, parameters, language of the stop words, and its device."""

    name: str
    parameters: Mapping[str, Any]
    lang: str | None
    device: str


def _judged(
    model: _Made, sets: Sequence[LabelledSet], sizes: Sequence[int], how: Judging
) -> tuple[list[Cell], Mapping[str, list[tuple[int, Table]]]]:
    from wikibias.config.languages import load_language
    from wikibias.models.estimators.registry import Model, Run, create
    from wikibias.models.training import placed
    from wikibias.research.transfer import cross_table, learning_curve

    stopwords = load_language(model.lang).stopwords if model.lang else ()

    def make() -> Model:
        made = create(model.name, stopwords=stopwords, seed=how.seed, **model.parameters)
        return placed(made, Run(model.device))

    cells = list(cross_table(sets, make, how))
    learning = (
        {each.name: list(learning_curve(each, sizes, make, how)) for each in sets} if sizes else {}
    )
    return cells, learning


def _show(
    name: str,
    sets: Sequence[LabelledSet],
    cells: Sequence[Cell],
    learning: Mapping[str, Sequence[tuple[int, Table]]],
) -> None:
    found = {(cell.train, cell.test): cell for cell in cells}
    names = [each.name for each in sets]
    rows = [[row, *(with_interval(found[row, c].scores["f1"]) for c in names)] for row in names]
    show_table(f"{name}: F1 [95 %]; trained on (down), tested on (across)", ["", *names], rows)
    for which, points in learning.items():
        show_table(
            f"{name} on {which}: learning curve",
            ["trained on", "F1 [95 %]", "MCC"],
            [
                [f"{size:,}", with_interval(scores["f1"]), number(scores["mcc"]["value"])]
                for size, scores in points
            ],
        )


def _warn_of_sizes(
    sizes: Sequence[int], learning: Mapping[str, Sequence[tuple[int, Table]]]
) -> None:
    """Say of which sizes a set had no such number of sentences, or too few to learn from."""
    from wikibias.research.transfer import LEAST_TO_TRAIN

    for name, points in learning.items():
        known = {size for size, _ in points}
        if other := [f"{size:,}" for size in sizes if size not in known]:
            most = f"the largest is {max(known):,}" if known else "it has none"
            warn(
                f"{name}: no learning curve at {', '.join(other)}: {most}; a size needs "
                f"{LEAST_TO_TRAIN} sentences of both classes, and has no more than train"
            )


def _sizes(given: str | None) -> list[int]:
    if given is None:
        return []
    found = [part.strip() for part in given.split(",")]
    if not all(part.isascii() and part.isdigit() and 0 < int(part) < 10**9 for part in found):
        raise UsageError(f"--sizes: {given!r} is not a list of whole numbers, such as 100,1000")
    return sorted({int(part) for part in found})


def _is_ours(folder: Path) -> bool:
    try:
        content = read_json(folder / _SCORES)
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and content.get("format") == _FORMAT

"""`wikibias classify`: its options. What it does with them is in `classifying`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wikibias.cli.classifying import run
from wikibias.models.constants import CHOICES, GROUPINGS, MODELS, RESAMPLES

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(name="classify", short_help="Train and judge classifiers.")
@click.argument("corpus", required=False, type=FOLDER)
@click.option("--model", "name", metavar="NAME", help=f"One of: {', '.join(MODELS)}.")
@click.option("--compare", is_flag=True, help="All models: one table, one figure, one page.")
@click.option("--models", metavar="A,B", help="The models to compare.  [default: all]")
@click.option("--grid", is_flag=True, help="Choose the parameters on dev first (see --choose).")
@click.option("--grid-file", type=FILE, help="Your own space instead of configs/grids/NAME.toml.")
@click.option(
    "--choose", type=click.Choice(CHOICES), help="What is best on dev.  [default: the space's own]"
)
@click.option("--sample", type=click.IntRange(min=1), help="Try only so many permutations.")
@click.option("--train", type=FILE, help="File of label<TAB>sentence lines, without a corpus.")
@click.option("--dev", type=FILE, help="The same, to choose on.")
@click.option("--test", type=FILE, help="The same, for the last word.")
@click.option("--labels", metavar="A=biased,B=neutral", help="The files' own names of the labels.")
@click.option("--lang", help="Language of the stop words.  [default: the corpus's, else none]")
@click.option("--cv", type=click.Choice(GROUPINGS), help="Also k-fold; what stays on one side.")
@click.option(
    "--folds", type=click.IntRange(min=2), default=5, show_default=True, help="The k of --cv."
)
@click.option(
    "--task",
    type=click.Choice(["sentences", "pairs"]),
    default="sentences",
    show_default=True,
    help="pairs: also ask which of an edit's two sides is the biased one.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Of training, folds, intervals and --sample.",
)
@click.option("--seeds", type=click.IntRange(min=1), default=1, help="Also train so many times.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=RESAMPLES,
    show_default=True,
    help="How often the sentences are drawn anew for the intervals.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes of the grid.  [default: all]")
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the result.  [default: models/NAME in the corpus, else here]",
)
def command(corpus: Path | None, **options: Any) -> None:
    """Train a classifier of biased sentences, and judge it honestly.

    CORPUS is a directory made by `wikibias extract`; or give --train and --test. Scores come with
    95 % intervals and beside those of the constant classifier "everything is biased".

    \b
    Examples:
      wikibias classify --model sgd corpora/fr
      wikibias classify --model lr --train a.tsv --test c.tsv --labels rem=biased,add=neutral
      wikibias classify --model fasttext --grid corpora/fr
      wikibias classify --compare --cv near-duplicate corpora/fr
    """
    # Loads scikit-learn and matplotlib, which --help can do without.

    run(corpus, options)

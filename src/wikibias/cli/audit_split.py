"""`wikibias audit-split`: what a split gives away."""

from __future__ import annotations

from pathlib import Path

import click

from wikibias.cli.auditing import run
from wikibias.config.thresholds import NEAR_DUPLICATE_COSINE
from wikibias.models.constants import NGRAMS


@click.command(name="audit-split", short_help="What a split gives away.")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--labels", metavar="A=biased,B=neutral", help="The files' own names of the labels.")
@click.option(
    "--ngrams",
    type=click.Choice(NGRAMS),
    default="char",
    show_default=True,
    help="Compare runs of five characters, or words and pairs of words.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0.1, 1.0),
    default=NEAR_DUPLICATE_COSINE,
    show_default=True,
    help="Cosine from which two sentences are neighbours.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Of the coin and the intervals.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write everything to that was found.",
)
def command(
    files: tuple[Path, ...],
    *,
    labels: str | None,
    ngrams: str,
    threshold: float,
    seed: int,
    json_file: Path | None,
) -> None:
    """Find what a split gives away: duplicates, near-duplicates, and what a cheat makes of them.

    FILES is a corpus directory, or two or three files of label<TAB>sentence lines: train, then
    dev, then test. Classifiers that only look at the labels of similar training sentences should
    be at chance (MCC 0) on a clean split.

    \b
    Examples:
      wikibias audit-split corpora/fr
      wikibias audit-split train.txt dev.txt test.txt --labels rem=biased,add=neutral
    """
    # Loads scikit-learn, which --help can do without.

    run(files, labels, json_file, ngrams=ngrams, threshold=threshold, seed=seed)

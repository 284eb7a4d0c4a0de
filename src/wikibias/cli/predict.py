"""`wikibias predict`: a probability of bias for every sentence."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from wikibias.cli.warnings import warn
from wikibias.models.prediction import answers


@click.command(name="predict", short_help="How likely is each sentence biased?")
@click.argument("model", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("sentences", type=click.File("rb"), default="-")
@click.option("--explain", is_flag=True, help="Add the words that drove it, and how far.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def command(model: Path, sentences: BinaryIO, explain: bool, as_json: bool) -> None:
    """Give the probability that each sentence is biased, one sentence per line.

    MODEL is the folder that `wikibias classify` made. Output line n belongs to input line n; a
    blank line stays blank. With --explain, +0.080 means that without the word the probability
    would be 0.080 lower.

    \b
    Examples:
      wikibias predict corpora/fr/models/sgd < sentences.txt
      echo "he is truly one of the greatest" | wikibias predict corpora/en/models/char-lr --explain
    """
    # Loads scikit-learn, which --help can do without.

    for line in answers(model, sentences, explain=explain, as_json=as_json, warn=warn):
        click.echo(line)

"""`wikibias predict`: the probability of bias of every sentence."""

from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import click

from wikibias.cli.options import workers_option
from wikibias.errors import UsageError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo, echo_data


@click.command(name="predict")
@click.argument("model", type=click.Path(file_okay=False, path_type=Path))
@click.argument("sentences", type=click.File("rb"), default="-")
@click.option("--explain", is_flag=True, help="Add the words with the largest effect.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@workers_option
def command(
    model: Path, sentences: BinaryIO, *, explain: bool, as_json: bool, workers: int
) -> None:
    """Predict the probability that each sentence is biased, one sentence per line.

    MODEL is the folder that `wikibias classify` made. Output line n belongs to input line n; a
    blank line stays blank. Any number of lines takes the same memory. With --explain, +0.080 means
    that without the word the probability would be 0.080 lower.

    \b
    Examples:
      wikibias predict corpora/fr/models/sgd < sentences.txt
      echo "he is truly one of the greatest" | wikibias predict corpora/en/models/char-lr --explain
    """
    from wikibias.models.estimators.registry import MODEL
    from wikibias.models.prediction import answers

    if not model.exists():
        beside = sorted(path.parent for path in model.parent.glob("*/model.json"))
        there = ", ".join(str(path) for path in beside if MODEL.is_ours(path))
        raise UsageError(f"{model} does not exist{'; there are: ' * bool(there)}{there[:300]}")
    if sentences.isatty():
        echo("Type sentences, one a line; Ctrl-D ends, and answers.", err=True)
    found = answers(model, sentences, explain=explain, as_json=as_json, warn=warn, workers=workers)
    # However this ends, no worker is left.
    with closing(found):
        for lines in found:
            echo_data(*lines)

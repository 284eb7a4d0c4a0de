"""`wikibias predict`: a probability of bias for every sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import click

from wikibias.cli.score_tables import warn
from wikibias.models.examples import LONGEST, decoded_lines
from wikibias.models.explain import drivers
from wikibias.models.predict import reader
from wikibias.models.registry import Model, describe, load

_AT_ONCE = 1000


@click.command(name="predict")
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
    described, trained = describe(model), load(model)
    read = reader(described)
    cut = 0
    numbered = decoded_lines(sentences, getattr(sentences, "name", "standard input"))
    while block := [text for _, text in islice(numbered, _AT_ONCE)]:
        cut += sum(len(text) > LONGEST for text in block)
        for line in _answers(trained, read, [text[:LONGEST] for text in block], explain, as_json):
            click.echo(line)
    if cut:
        warn(f"read only the first {LONGEST:,} characters of {cut} longer lines")


def _answers(
    model: Model, read: Callable[[str], str], texts: list[str], explain: bool, as_json: bool
) -> Iterator[str]:
    asked = [read(text) for text in texts if text.strip()]
    chances = iter(model.predict_proba(asked))
    for text in texts:
        if not text.strip():
            yield ""
            continue
        chance = float(next(chances))
        words = drivers(model, read(text)) if explain else []
        if as_json:
            answer = {"probability": round(chance, 6), "sentence": text}
            reasons = {"words": [[word, round(effect, 6)] for word, effect in words]}
            yield json.dumps({**answer, **(reasons if explain else {})}, ensure_ascii=False)
        else:
            reasons_text = " ".join(f"{word}:{effect:+.3f}" for word, effect in words)
            yield "\t".join([f"{chance:.6f}", text, *([reasons_text] if explain else [])])

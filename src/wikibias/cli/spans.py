"""`wikibias spans`: score spans of biased words, train a tagger, and mark them in new text."""

from __future__ import annotations

import click

from wikibias.cli.span_scores import score
from wikibias.cli.span_taggers import predict, train
from wikibias.kits.command import Subcommands


@click.group(cls=Subcommands)
def spans() -> None:
    """Mark biased words: train a tagger, mark new text, and score what was marked.

    \b
    Examples:
      wikibias spans train pairs/en --out taggers/crf
      wikibias spans predict taggers/crf sentences.txt
      wikibias spans score predictions.conll --out scores.json
    """


spans.add_command(score)
spans.add_command(train)
spans.add_command(predict)

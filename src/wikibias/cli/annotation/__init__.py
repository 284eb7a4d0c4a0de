"""`wikibias annotate`: samples, where people and language models label them, and agreement."""

from __future__ import annotations

import click

from wikibias.cli.annotation import balance, choose, coreset, score, vote
from wikibias.cli.subcommands import Subcommands


@click.group(cls=Subcommands)
def annotate() -> None:
    """Have sentences judged, by people or by language models, and say how far to trust it.

    \b
    Examples:
      wikibias annotate sample corpora/en -n 100 --out tasks.jsonl
      wikibias annotate serve tasks.jsonl
      wikibias annotate agree answers.jsonl --out agreement.json
    """


for _one in (balance, choose, coreset, score, vote):
    annotate.add_command(_one.command)

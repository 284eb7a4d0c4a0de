"""`wikibias annotate`: samples, where people and language models label them, and agreement."""

from __future__ import annotations

import click

from wikibias.cli.annotation import balance, choose, plan, sample, score, vote
from wikibias.cli.annotation.agree import agree
from wikibias.cli.annotation.export import command as export
from wikibias.cli.annotation.import_ import command as import_
from wikibias.cli.annotation.serve import serve
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


annotate.add_command(export)
annotate.add_command(import_)
annotate.add_command(agree)
annotate.add_command(serve)
for _one in (balance, choose, plan, sample, score, vote):
    annotate.add_command(_one.command)

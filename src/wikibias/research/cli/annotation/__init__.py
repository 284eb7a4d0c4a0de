"""`wikibias annotate`: samples, where people and language models label them, and agreement."""

from __future__ import annotations

import click

from wikibias.kits.command import Subcommands
from wikibias.research.cli.annotation import (
    balance,
    choose,
    export,
    import_,
    plan,
    sample,
    score,
    vote,
)
from wikibias.research.cli.annotation.agree import agree
from wikibias.research.cli.annotation.llm import llm
from wikibias.research.cli.annotation.serve import serve


@click.group(cls=Subcommands)
def annotate() -> None:
    """Have sentences judged, by people or by language models, and say how far to trust it.

    \b
    Examples:
      wikibias annotate sample corpora/en -n 100 --out tasks.jsonl
      wikibias annotate serve tasks.jsonl
      wikibias annotate agree answers.jsonl --out agreement.json
    """


for _command in (
    sample.command,
    plan.command,
    serve,
    export.command,
    import_.command,
    agree,
    llm,
    vote.command,
    score.command,
    choose.command,
    balance.command,
):
    annotate.add_command(_command)

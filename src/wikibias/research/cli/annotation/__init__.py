"""`wikibias annotate`: samples, where people and language models label them, and agreement."""

import click

from wikibias.cli import Subcommands
from wikibias.research.cli.annotation import judging, labelling, llm


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
    labelling.sample_command,
    labelling.serve_command,
    labelling.export_command,
    labelling.import_command,
    judging.agree_command,
    llm.llm_command,
    judging.vote_command,
    judging.score_command,
    judging.choose_command,
    labelling.balance_command,
):
    annotate.add_command(_command)

"""`wikibias audit`: what scores of a corpus or a classifier owe to something else than bias."""

import click

from wikibias.cli import Subcommands
from wikibias.research.cli import leakage, selection_bias, stress, transfer


@click.group(cls=Subcommands)
def audit() -> None:
    """Find out what a corpus or a classifier owes to something else than bias.

    \b
    Examples:
      wikibias audit leakage corpora/en
      wikibias audit stress corpora/en/models/sgd
      wikibias audit topics corpora/en --keywords words.txt
      wikibias audit transfer en=corpora/en wnc=wnc.tsv --balance
    """


for _name, _command in {
    "leakage": leakage.command,
    "stress": stress.command,
    "topics": selection_bias.command,
    "transfer": transfer.command,
}.items():
    audit.add_command(_command, _name)

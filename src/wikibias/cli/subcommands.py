"""A command that has commands of its own."""

from __future__ import annotations

import click

from wikibias.cli.repeats import refuse_repeats
from wikibias.errors import UsageError
from wikibias.messages import nearest


class Subcommands(click.Group):
    """Says which name was meant, and refuses an option that is given twice."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that a line names, and the rest of the line."""
        known = args[0] in self.commands or args[0].startswith("-") or ctx.resilient_parsing
        if not known:
            said = f"{self.name} {args[0]}"
            raise UsageError(f"unknown command {said!r}{nearest(args[0], self.commands)}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            refuse_repeats(ctx, command, rest)
        return name, command, rest

"""A command with commands of its own, which says which there are where one is mistyped."""

from __future__ import annotations

import click

from wikibias.cli.repeats import refuse_repeats
from wikibias.errors import UsageError
from wikibias.messages import nearest


class Subcommands(click.Group):
    """Like a group of click, with our message for an unknown command and no option given twice."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is typed, and what stands behind it."""
        known = args[0] in self.commands or args[0].startswith("-") or ctx.resilient_parsing
        if not known:
            typed = f"{self.name} {args[0]}"
            raise UsageError(f"unknown command {typed!r}{nearest(args[0], self.commands)}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            refuse_repeats(ctx, command, rest)
        return name, command, rest

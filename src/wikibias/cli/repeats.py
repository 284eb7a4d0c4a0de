"""Refuses an option that takes one value and was given two: click takes the last, unsaid."""

from __future__ import annotations

from collections.abc import Sequence

import click

from wikibias.errors import UsageError


def refuse_repeats(ctx: click.Context, command: click.Command, words: Sequence[str]) -> None:
    """Make sure that no option of a command that takes one value gets two that differ.

    Args:
        ctx: of the group that the command belongs to.
        command: which is to run.
        words: what is typed after its name.

    Raises:
        UsageError: one does; the message says how to have both.
    """
    if ctx.resilient_parsing:  # for the completion of a line that is not typed to its end
        return
    with command.context_class(command, parent=ctx, info_name=command.name) as own:
        single = {
            option.opts[-1]: option
            for option in command.get_params(own)
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag)
        }
        parser = command.make_parser(own)
        for name, option in single.items():
            parser.add_option(option, option.opts, name, action="append", nargs=option.nargs)
        given, _, _ = parser.parse_args([*words])
    for name in single:
        values = [*dict.fromkeys(given.get(name) or [])]
        if len(values) > 1:
            from wikibias.kits.checked import shown  # only for the message

            again = (
                "; for both, run the command once for each, with an --out of its own"
                if "--out" in single and name not in ("--out", "--workers")
                else ""
            )
            raise UsageError(
                f"{name} takes one value, and is given {len(values)}: "
                f"{', '.join(map(shown, values))}{again or '; give it once'}"
            )

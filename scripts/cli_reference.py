"""Writes docs/reference/cli.md from the commands themselves.

python scripts/cli_reference.py
"""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from wikibias.cli import cli

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "cli.md"
_HEAD = """# Command line

<!-- Made by scripts/cli_reference.py from the commands; do not edit. -->

Every command answers `--help`. [Exit codes](../output.md#exit-codes) are the same for all commands.
"""
_MARKUP = re.compile(r"([\\`*_\[\]])")
# What click puts before a paragraph whose lines are to stay as they are.
_AS_IT_IS = "\b\n"


def reference() -> str:
    """Return the page."""
    return _HEAD + "".join(_command(cli, click.Context(cli, info_name="wikibias")))


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"\n## {context.command_path}\n\n```text\n{context.command_path} {usage}\n```\n"
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith(_AS_IT_IS):
            first, _, rest = paragraph.removeprefix(_AS_IT_IS).partition("\n")
            yield f"\n{first}\n\n```text\n{inspect.cleandoc(rest)}\n```\n"
        elif paragraph:
            yield f"\n{_plain(paragraph)}\n"
    yield "\n"
    for option in command.params:
        if isinstance(option, click.Option) and (record := option.get_help_record(context)):
            yield f"- `{record[0]}`: {_plain(record[1])}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if (inner := command.get_command(context, name)) and not inner.hidden:
                yield from _command(inner, click.Context(inner, context, info_name=name))


def _plain(text: str) -> str:
    return html.escape(_MARKUP.sub(r"\\\1", " ".join(text.split())), quote=False)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")

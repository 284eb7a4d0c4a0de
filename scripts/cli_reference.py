"""Writes build/cli.md, a part of docs/reference/cli.md, from the commands themselves.

python scripts/cli_reference.py
"""

import html
import inspect
import re
from collections import Counter
from collections.abc import Container, Iterator
from pathlib import Path

import click

from wikibias.cli import cli

PART = Path("build/cli.md")
_MARKUP = re.compile(r"([\\`*_\[\]])")
# What click puts before a paragraph whose lines are to stay as they are.
_AS_IT_IS = "\b\n"


_SHARED_BY = 2  # commands; what so many have is described once


def reference() -> str:
    """The page: options that several commands share, then each command."""
    root = click.Context(cli, info_name="wikibias")
    counts = Counter(record for _, records in _all_records(cli, root) for record in records)
    commonest: dict[str, tuple[str, str]] = {}
    for record, count in counts.most_common():
        if count >= _SHARED_BY:
            commonest.setdefault(_name(record[0]), record)
    shared = {*commonest.values()}
    lines = [f"- `{name}`: {_plain(text)}\n" for name, text in counts if (name, text) in shared]
    intro = "Options of several commands, of which each names those that it has:\n\n"
    head = f"## Shared options\n\n{intro}{''.join(lines)}"
    return head + "".join(_command(cli, root, shared))


def _all_records(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each command below one, with the names and the help of its options."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    found = [record for each in options if (record := each.get_help_record(context))]
    yield context.command_path, found
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if (inner := command.get_command(context, name)) and not inner.hidden:
                yield from _all_records(inner, click.Context(inner, context, info_name=name))


def _command(
    command: click.Command, context: click.Context, shared: Container[tuple[str, str]]
) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"\n## {context.command_path}\n\n```text\n{context.command_path} {usage}\n```\n"
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith(_AS_IT_IS):
            first, _, rest = paragraph.removeprefix(_AS_IT_IS).partition("\n")
            yield f"\n{first}\n\n```text\n{inspect.cleandoc(rest)}\n```\n"
        elif paragraph:
            yield f"\n{_plain(paragraph)}\n"
    yield "\n"
    (_, records), *_ = _all_records(command, context)
    yield from (
        f"- `{name}`: {_plain(text)}\n" for name, text in records if (name, text) not in shared
    )
    if common := [f"`{_name(name)}`" for name, text in records if (name, text) in shared]:
        yield f"- [Shared](#shared-options): {', '.join(common)}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if (inner := command.get_command(context, name)) and not inner.hidden:
                yield from _command(inner, click.Context(inner, context, info_name=name), shared)


def _name(record: str) -> str:
    """The long name of an option, of what `--help` shows of it."""
    return next(word.rstrip(",") for word in record.split() if word.startswith("--"))


def _plain(text: str) -> str:
    return html.escape(_MARKUP.sub(r"\\\1", " ".join(text.split())), quote=False)


if __name__ == "__main__":
    PART.parent.mkdir(exist_ok=True)
    PART.write_text(reference(), encoding="utf-8")

"""Lines on the terminal, where text of others draws nothing."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import click

from wikibias.errors import printable

if TYPE_CHECKING:
    from wikibias.kits import document

_plain = warnings.formatwarning
heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)
"""Where Python calls a command: the lines that it says. Then they go to the log, none is shown."""


def echo(line: str, *, err: bool = False) -> None:
    """Show a line; line breaks and other control characters in it are shown escaped."""
    if (lines := heard.get()) is None:
        click.echo(printable(line), err=err)
    else:
        lines.append(printable(line))
    if err or lines is not None:
        _note(line)


def _note(line: str) -> None:
    """Note in the log of the command, if it writes one, what it shows on standard error."""
    import logging

    log = logging.getLogger("wikibias.cli")
    if not log.handlers:  # or else a line that nobody notes would be shown again
        log.addHandler(logging.NullHandler())
    levels = {"Error": logging.ERROR, "Warning": logging.WARNING}
    log.log(levels.get(line.partition(":")[0], logging.INFO), "%s", line)


def echo_data(*lines: str) -> None:
    """Write lines for programs: escaped only where a terminal shows them."""
    shown = (printable(line, keep="\t") for line in lines) if sys.stdout.isatty() else lines
    # Without color=True click would take escape sequences out of the data.
    click.echo("\n".join(shown), color=True)


def show_table(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int = 1,
    *,
    boxed: bool = False,
) -> None:
    """Show a table; a line break in a cell is shown escaped.

    Args:
        title: above it.
        header: the names of the columns.
        rows: its cells.
        left: how many of the first columns are flush left.
        boxed: with lines.
    """
    from wikibias.kits.document import Table

    show(Table(header, rows, left, title=title), boxed=boxed)


def show(*blocks: document.Block | document.Document, boxed: bool = False) -> None:
    """Show blocks of a document; see `console.show`, which loads rich."""
    from wikibias.kits import console

    if heard.get() is None:
        console.show(*blocks, boxed=boxed)


def escape_libraries() -> None:
    """Escape the warnings and log messages of libraries, which may quote what they read."""
    import logging

    class Escaped(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return printable(super().format(record), keep="\n")

    warnings.formatwarning = _formatted
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(Escaped())


def _formatted(*arguments: Any, **options: Any) -> str:
    return printable(_plain(*arguments, **options), keep="\n")

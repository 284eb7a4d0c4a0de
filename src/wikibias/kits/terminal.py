"""Lines on the terminal, where text of others draws nothing."""

import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import click

from wikibias.messages import printable

_plain = warnings.formatwarning


def echo(line: str, *, err: bool = False) -> None:
    """Show a line; line breaks and other control characters in it are shown escaped."""
    click.echo(printable(line), err=err)
    if err:
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
    rows: Iterable[Sequence[object]],
    left: int = 1,
    *,
    boxed: bool = False,
) -> None:
    """Show a table; a line break in a cell is shown escaped.

    Args:
        title: above it.
        header: the names of the columns.
        rows: texts or numbers; None is an empty cell.
        left: the first columns are flush left; where cells are numbers, all before the first such.
        boxed: with lines.
    """
    from wikibias.kits.console import show
    from wikibias.kits.document import Table

    lines = [list(row) for row in rows]
    numbers = [place for line in lines for place, cell in enumerate(line) if _is_number(cell)]
    cells = [[_cell(cell) for cell in line] for line in lines]
    show(Table(header, cells, min(numbers, default=left), title=title), boxed=boxed)


def _is_number(cell: object) -> bool:
    return isinstance(cell, (int, float))


def _cell(cell: object) -> str:
    return "" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else str(cell)


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

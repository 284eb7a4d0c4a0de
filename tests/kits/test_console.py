"""The console for tables: it shows what is in a cell, and draws nothing."""

from __future__ import annotations

import io

import pytest
from rich.table import Table

from wikibias.kits.console import Console

EVIL = "a\x1b[31m\x9b\u202e[bold]:smile:"
SHOWN = "a\\x1b[31m\\x9b\\u202e[bold]:smile:"


@pytest.mark.parametrize("terminal", [False, True])
def test_lines_and_tables(terminal: bool) -> None:
    file = io.StringIO()
    console = Console(file=file, width=60, force_terminal=terminal, no_color=True)
    console.print(f"{EVIL}\nb")
    assert file.getvalue() == f"{SHOWN}\\nb\n"
    table = Table(EVIL, title=EVIL, caption=EVIL)
    table.add_row(EVIL)
    console.print(table)
    assert file.getvalue().count(SHOWN) == 5
    assert "\x9b" not in file.getvalue()

"""The console for tables: it shows what is in a cell, and draws nothing."""

import io

import pytest
from rich.table import Table

from wikibias.kits.console import Console, show
from wikibias.kits.document import (
    Document,
    Facts,
    Notes,
    Quote,
    Section,
    Text,
    change,
    pieces,
)
from wikibias.kits.document import Table as Rows

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


def test_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    quote = Quote([change(pieces("the finest", "4:10"), pieces("the largest", ""), "rewritten")])
    table = Rows(["split", "n"], [["train", "10"], ["all", "10"]], title="Splits", sums=1)
    facts = Facts([("diff", f"https://demo.example/{'x' * 150}")])
    show(Document("T", "L", [facts, Section("S", [Notes(["one"]), Text("two", "note"), quote])]))
    show(table, boxed=True)
    shown = capsys.readouterr().out.splitlines()
    assert [line.rstrip() for line in shown] == [
        "T", "L", f"  diff  https://demo.example/{'x' * 150}", "", "S", "- one", "two",
        "  rewritten", "    - the [-finest-]", "    + the largest", "Splits",
        "┏━━━━━━━┳━━━━┓", "┃ split ┃  n ┃", "┡━━━━━━━╇━━━━┩", "│ train │ 10 │", "├───────┼────┤",
        "│ all   │ 10 │", "└───────┴────┘",
    ]  # fmt: skip

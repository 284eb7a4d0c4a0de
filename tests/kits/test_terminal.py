"""What commands show of what others wrote: nothing is drawn on the terminal."""

import io
import json
import logging
import os
import pty
import subprocess
import sys
import warnings
from collections import deque
from pathlib import Path

import pytest
from rich.table import Table

from exports import Page, Revision, dumped, export, history, run_process, wikibias
from server import saying, serving
from wikibias.cli.extract import _show_traceback
from wikibias.dumps.parts import Part
from wikibias.kits.console import Console, show
from wikibias.kits.document import Document, Facts, Notes, Quote, Section, Text, change, pieces
from wikibias.kits.document import Table as Rows

# Sets the title of the window, clears the screen, turns the text around, breaks the line.
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\nError: all is well"
DRAWN = ("\x1b", "\x07", "\x9b", "\u202e", "\u2066")


def assert_harmless(shown: str, *, lines: bool = False) -> None:
    """Check that a text shows what is in it, and draws nothing; `lines` allows line breaks."""
    assert not [mark for mark in DRAWN if mark in shown]
    assert "\\x1b]0;owned\\x07" in shown
    assert lines or "\nError: all is well" not in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["detect", "--lang", "en", "-o", "o", EVIL],
        ["detect", "--lang", "en", "-o", "o", "--workers", "1", "good.xml", EVIL],
        ["detect", "--lang", EVIL, "-o", "o", "good.xml"],
        ["status", EVIL],
        ["tags", "count", "-o", "o", EVIL],
        ["tags", "show", "--lang", "en", "--family", EVIL],
        ["tags", "check", EVIL],
        ["classify", "--model", "sgd", "--train", EVIL],
        ["audit-split", EVIL],
        ["fetch", "--lang", "fr", "--base-url", f"file:///{EVIL}"],
        ["detect", "--lang", "en", EVIL, "--no-such-option"],
        ["--debug", "detect", "--lang", "en", "-o", "o", EVIL],
        [EVIL],
    ],
    ids=lambda arguments: " ".join(arguments[:2]).encode("unicode_escape").decode(),
)
def test_names_that_a_shell_finds_for_a_star(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dumped(tmp_path, [history("Mill", 2)], "good.xml")
    ended = wikibias(*arguments)
    assert ended.code != 0
    if "--no-such-option" not in arguments:
        assert_harmless(ended.out + ended.err, lines="--debug" in arguments)


def test_a_title_in_a_dump_that_is_cut_off(tmp_path: Path) -> None:
    """XML forbids the escape character, but neither those of C1 nor those that turn text around."""
    title = "Mill\x9b31m\u202e\x7f"
    dump = tmp_path / "a.xml"
    dump.write_bytes(export([history(title, 40)])[:-3000])
    ended = wikibias(
        "--debug", "extract", "--lang", "en", "--workers", 1, "-o", tmp_path / "o", dump
    )
    assert ended.code == 1
    assert "Mill\\x9b31m" in ended.err
    assert not [mark for mark in "\x9b\u202e\x7f" if mark in ended.out + ended.err]


def test_the_traceback_of_a_part(capsys: pytest.CaptureFixture[str]) -> None:
    _show_traceback(Part(EVIL, ()), f"Traceback:\n{EVIL}")
    assert_harmless(capsys.readouterr().err, lines=True)


def test_a_template_name(tmp_path: Path) -> None:
    dump = dumped(tmp_path, [Page("Mill", [Revision("{{PO\x9bV :x: [b]}} {{\u2066POV}}")])])
    ended = wikibias("tags", "count", "--workers", 1, "-o", tmp_path / "o", dump)
    assert ended.code == 0
    assert "\x9b" not in ended.out
    assert "\u2066" not in ended.out
    assert "PO\\x9bV :x: [b]" not in (tmp_path / "o/counts.tsv").read_text("utf-8")


def test_a_manifest_of_somebody_else(tmp_path: Path) -> None:
    dump = tmp_path / "a.xml"
    dump.write_bytes(export([history("Mill", 4)])[:-100])
    out = tmp_path / "o"
    assert wikibias("extract", "--lang", "en", "--workers", 1, "-o", out, dump).code == 1
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["inputs"][0]["error"] = EVIL
    manifest["commands"] = {name: ["rm", "-rf", EVIL] for name in ("detect", "build", "diff")}
    (out / "manifest.json").write_text(json.dumps(manifest))
    ended = wikibias("status", out)
    assert not [mark for mark in DRAWN if mark in ended.out + ended.err]
    assert "Next: rm" not in ended.out


def test_the_reason_that_a_server_gives(tmp_path: Path) -> None:
    with serving() as server:
        answer = b"HTTP/1.1 404 \x1b]0;owned\x07\x9b31m\r\n\r\n"
        server.answers["HEAD /a.xml"] = deque([saying(answer)])
        command = ("detect", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
        ended = wikibias(*command, f"{server.url}/a.xml")
    assert ended.code == 1
    assert_harmless(ended.err)


def test_what_libraries_warn_of() -> None:
    wikibias("tags", "check", "--lang", "en")
    assert_harmless(warnings.formatwarning(EVIL, UserWarning, "x.py", 1, ""), lines=True)
    assert logging.lastResort is not None
    assert_harmless(logging.lastResort.format(logging.makeLogRecord({"msg": EVIL})), lines=True)


def test_data_is_escaped_where_a_terminal_shows_it(tmp_path: Path) -> None:
    """And left as it is for the next program."""
    script = f"from wikibias.kits.terminal import echo_data; echo_data({'a' + chr(9) + EVIL!r})"
    command = [sys.executable, "-c", script]
    piped = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert piped == f"a\t{EVIL}\n"
    ours, theirs = pty.openpty()
    subprocess.run(command, stdout=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert shown.startswith("a\t")
    assert_harmless(shown)


def test_a_file_name_of_other_bytes_than_utf8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.xml")
    ended = run_process("detect", "--lang", "en", "-o", tmp_path / "o", tmp_path / name)
    assert ended.code == 2
    assert "caf\\udce9.xml" in ended.err


CELL = "a\x1b[31m\x9b\u202e[bold]:smile:"
SHOWN = "a\\x1b[31m\\x9b\\u202e[bold]:smile:"


@pytest.mark.parametrize("terminal", [False, True])
def test_lines_and_tables(terminal: bool) -> None:
    file = io.StringIO()
    console = Console(file=file, width=60, force_terminal=terminal, no_color=True)
    console.print(f"{CELL}\nb")
    assert file.getvalue() == f"{SHOWN}\\nb\n"
    table = Table(CELL, title=CELL, caption=CELL)
    table.add_row(CELL)
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

"""How commands end: a reader that goes away ends any of them quietly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from exports import export, history, wikibias
from wikibias.cli.ending import exit_code


def into_a_closed_pipe(*arguments: object, stream: str) -> tuple[int, bytes]:
    """Return the exit code of a command whose output nobody reads, and what else it says."""
    reading, writing = os.pipe()
    os.close(reading)
    other = {"stdout": "stderr", "stderr": "stdout"}[stream]
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "wikibias", *map(str, arguments)],
            check=False,
            **{stream: writing, other: subprocess.PIPE},  # type: ignore[call-overload]
        )
    finally:
        os.close(writing)
    return ended.returncode, getattr(ended, other)


@pytest.mark.parametrize("line", ["--help", "extract --help", "tags show --lang en"])
def test_a_reader_that_ends_first(line: str) -> None:
    assert into_a_closed_pipe(*line.split(), stream="stdout") == (141, b"")


def test_a_run_that_ends_with_tables(tmp_path: Path) -> None:
    (tmp_path / "d.xml").write_bytes(export([history("Mill", 3)]))
    arguments = ("extract", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
    assert into_a_closed_pipe(*arguments, tmp_path / "d.xml", stream="stdout") == (141, b"")
    assert wikibias("status", tmp_path / "o").code == 0


def test_an_error_that_nobody_reads() -> None:
    assert into_a_closed_pipe("status", "/no/such/folder", stream="stderr") == (141, b"")


def test_an_error_of_ours_asks_for_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> int:
        raise KeyError("a\nb")

    assert exit_code(run, debug=False) == 1
    said = capsys.readouterr().err
    assert said.startswith("Error: unexpected KeyError: ")
    assert "a bug in wikibias" in said
    assert exit_code(run, debug=True) == 1
    assert "Traceback" in capsys.readouterr().err

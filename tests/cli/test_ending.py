"""How commands end: a reader that goes away ends any of them quietly."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exports import export, history, wikibias
from wikibias.cli.ending import check_arguments, exit_code, interruptible, line_about
from wikibias.errors import UsageError


def into_a_closed_pipe(*arguments: object, stream: str) -> tuple[int, bytes]:
    """Return the exit code of a command whose output nobody reads, and what else it says."""
    reading, writing = os.pipe()
    os.close(reading)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writing}
    command = [sys.executable, "-m", "wikibias", *map(str, arguments)]
    ended = subprocess.run(command, check=False, **streams)  # type: ignore[call-overload]
    os.close(writing)
    return ended.returncode, ended.stdout or ended.stderr or b""


@pytest.mark.parametrize("line", ["--help", "tags show --lang en"])
def test_a_reader_that_ends_first(line: str) -> None:
    assert into_a_closed_pipe(*line.split(), stream="stdout") == (141, b"")


def test_a_run_that_ends_with_tables(tmp_path: Path) -> None:
    (tmp_path / "d.xml").write_bytes(export([history("Mill", 3)]))
    arguments = ("extract", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
    assert into_a_closed_pipe(*arguments, tmp_path / "d.xml", stream="stdout") == (141, b"")
    wikibias("status", tmp_path / "o").well()


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


@pytest.mark.parametrize("word", ["", "a\0b", os.fsdecode(b"\xff.xml"), "--out="])
def test_words_that_name_nothing(word: str) -> None:
    check_arguments(["extract", "--like=x", "é.xml", "-"])
    with pytest.raises(UsageError):
        check_arguments(["extract", word])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "not enough memory; give fewer --workers"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), "x: permission denied"),
        (OSError(errno.ENAMETOOLONG, "File name too long", "y"), "y: File name too long"),
        (OSError(errno.EMFILE, "Too many open files"), "a file: Too many open files"),
    ],
)
def test_a_machine_at_its_end(error: Exception, said: str) -> None:
    assert said in str(line_about(error))


@pytest.mark.parametrize("error", [KeyError("x"), ValueError("x"), OSError("x")])
def test_the_rest_is_our_fault(error: Exception) -> None:
    assert line_about(error) is None


def _kill_and_wait(number: int) -> None:
    os.kill(os.getpid(), number)
    time.sleep(5)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_ends_it_with_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    number = getattr(signal, name)
    # The tests may run in the background or under nohup, where such signals are ignored.
    usual = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
    before = signal.signal(number, usual)
    try:
        with pytest.raises(SystemExit) as ended, interruptible():
            _kill_and_wait(number)
    finally:
        signal.signal(number, before)
    assert ended.value.code == 130
    assert capsys.readouterr().err.startswith("Interrupted. The same command does what is left")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_what_nohup_has_set_stays() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)

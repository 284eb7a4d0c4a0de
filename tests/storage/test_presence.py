"""Runs in one folder on a file system without working locks, as real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from platform import node

import pytest

from exports import export, files, history, wikibias
from wikibias.storage import presence
from wikibias.storage.presence import is_anybody_present, present

# What some network file systems do: refuse each lock, or grant it to everybody.
LOCKERS = {
    "refuses": "def locker(*arguments): raise OSError(37, 'No locks available')\n",
    "pretends": "def locker(*arguments): return None\n",
}


SCRIPT = """
import sys, time, pathlib, portalocker.portalocker
portalocker.portalocker.LOCKER = locker
from wikibias.cli import main
from wikibias.storage.locks import locked
if sys.argv[1] == "hold":
    with locked(pathlib.Path(sys.argv[2])):
        print("held", flush=True)
        time.sleep(60)
main(sys.argv[1:])
"""


def start(kind: str, *arguments: object) -> subprocess.Popen[str]:
    """Start the command line in a process for which the file system has no locks."""
    command = [sys.executable, "-c", LOCKERS[kind] + SCRIPT, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A dump of one page."""
    (tmp_path / "a.xml").write_bytes(export([history("Mill", 5)]))
    return tmp_path / "a.xml"


@pytest.mark.parametrize("kind", LOCKERS)
def test_a_second_run_is_told_of_the_first(kind: str, dump: Path, tmp_path: Path) -> None:
    holder = start(kind, "hold", tmp_path / "o")
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    command = ("detect", "--lang", "en", "--workers", 1, "-o", tmp_path / "o", dump)
    _, err = (second := start(kind, *command)).communicate(timeout=60)
    assert second.returncode == 2
    assert "another run of wikibias is at work" in err
    holder.kill()
    holder.communicate()
    _, err = (third := start(kind, *command)).communicate(timeout=60)
    assert (third.returncode, err) == (0, "")
    assert not list((tmp_path / "o").glob(".at-work-*"))


def test_three_runs_at_once_do_not_fail_each_other(dump: Path, tmp_path: Path) -> None:
    """They do the work, or say why not, and the result is that of one run."""
    command = ("extract", "--lang", "en", "--workers", 1, "-o")
    assert wikibias(*command, tmp_path / "sound", dump).code == 0
    runs = [start("pretends", *command, tmp_path / "o", dump) for _ in range(3)]
    ended = [(run.communicate(timeout=60)[1], run.returncode) for run in runs]
    assert 0 in [code for _, code in ended], ended
    assert all(code == 0 or "another run of wikibias is at work" in err for err, code in ended)
    assert files(tmp_path / "o") == files(tmp_path / "sound")


def test_a_run_that_was_killed_stops_no_other(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = tmp_path / f".at-work-whole-{presence._host()}-{dead.pid}-123"
    left.touch()
    with present(tmp_path, shared=False) as may:
        assert may
    assert not left.exists()
    # Its number may be that of another process by now.
    (tmp_path / f".at-work-whole-{presence._host()}-1-2").touch()
    assert not is_anybody_present(tmp_path)


@pytest.mark.parametrize(("age", "alive"), [(5, True), (1000, False)])
def test_a_run_on_another_machine_is_alive_while_it_says_so(
    age: float, alive: bool, tmp_path: Path
) -> None:
    other = tmp_path / f".at-work-whole-{node()}.elsewhere-7-8"
    other.touch()
    os.utime(other, (time.time() - age,) * 2)
    with present(tmp_path, shared=False) as may:
        assert may is not alive
    assert is_anybody_present(tmp_path) is alive


def test_shards_bear_with_one_another(tmp_path: Path) -> None:
    (tmp_path / ".at-work-shard-elsewhere-7-8").touch()
    with present(tmp_path, shared=True) as may:
        assert may
    with present(tmp_path, shared=False) as may:
        assert not may


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    names = [".at-work-", ".at-work-whole-x", ".at-work-whole-a-1-2.txt"]
    planted = [tmp_path / name for name in names]
    for path in planted:
        path.touch()
    with present(tmp_path, shared=False) as may:
        assert may
    assert all(path.exists() for path in planted)

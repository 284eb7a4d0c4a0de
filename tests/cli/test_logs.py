"""What commands log: into a file, on the terminal as much as was asked for, and never drawn."""

import logging
import re
from pathlib import Path

import pytest

from clusters import wait_for
from command_to_kill import forked
from exports import export, history, wikibias
from wikibias import __version__

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (DEBUG|INFO|WARNING|ERROR) wikibias[\w.]*: .+")


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A folder with two parts; a title in one, which cannot be read, draws and breaks lines."""
    (tmp_path / "in").mkdir()
    sound = export([history("Mill", 3)])
    bad = export([history("Hill\x9b31m\u202e\u2028Error", 1, topic=1), history("Till", 3, topic=2)])
    (tmp_path / "in/a.xml").write_bytes(sound)
    (tmp_path / "in/b.xml").write_bytes(bad.replace(b"<id>1</id>", b"<id>one</id>", 1))
    return tmp_path / "in"


def log_of(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    return lines


@pytest.mark.parametrize("workers", [1, 2])
def test_a_log_file(workers: int, parts: Path, tmp_path: Path) -> None:
    """Workers' messages reach it, what others wrote is escaped, and a second run goes on in it."""
    log, out = tmp_path / "run.log", tmp_path / "o"
    command = ("extract", "--lang", "en", "--workers", workers, "-o", out, "--log-file", log)
    assert wikibias(*command, parts).code == 1
    lines = log_of(log)
    assert f"INFO wikibias.cli: wikibias {__version__}: wikibias extract --lang en" in lines[0]
    text = "\n".join(lines)
    assert "INFO wikibias.pipeline.runner: 2 of 2 parts to do, in " in text
    assert "INFO wikibias.pipeline.dispatch: begins a.xml" in text
    assert "b.xml is done (" in text
    assert "3 tag removals, 3 additions" in text
    assert "WARNING wikibias.dumps.iteration: left out: Hill\\x9b31m\\u202e\\u2028" in text
    assert "INFO wikibias.pipeline.runner: the corpus has " in text
    assert "ERROR wikibias.cli: Error: 1 page or revision could not be worked out" in text
    assert lines[-1].endswith("wikibias.cli: ends with exit code 1")
    assert wikibias(*command, "-q", parts).code == 1
    again = log_of(log)
    assert again[: len(lines)] == lines
    assert "0 of 2 parts to do" in "\n".join(again[len(lines) :])
    assert wikibias("extract", "--lang", "en", "--log-file", log, "no\nsuch\x1b[2J.xml").code == 2
    *_, error, last = log_of(log)
    assert "ERROR wikibias.cli: Error: no\\nsuch\\x1b[2J.xml: no such file" in error
    assert last.endswith("ends with exit code 2")


@pytest.mark.parametrize("content", [b"BZh9 a dump", b"what else\n"])
def test_a_file_that_is_no_log_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "dump.xml.bz2"
    path.write_bytes(content)
    ended = wikibias("fetch", "--lang", "en", "--log-file", path)
    ended.refused("holds something else than a log; name another")
    assert path.read_bytes() == content


def test_a_log_file_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "no/such/folder/run.log"
    ended = wikibias("tags", "count", "--log-file", path, "x")
    ended.refused(f"--log-file {path}: cannot be written (No such file or directory)")


def test_how_much_the_terminal_shows(parts: Path, tmp_path: Path) -> None:
    def shown(*options: str) -> str:
        out = tmp_path / "".join(options or ("plain",))
        return wikibias("detect", "--lang", "en", *options, "-o", out, parts / "a.xml").err

    assert shown() == ""
    assert shown("-q") == ""
    assert shown("-q", "-v") == ""
    assert "1 of 1 part to do" in shown("-v")


def test_a_killed_run_leaves_a_log_that_can_be_read(tmp_path: Path) -> None:
    dump, log = tmp_path / "d.xml", tmp_path / "run.log"
    dump.write_bytes(export([history(f"Mill {n}", 30, topic=n) for n in range(40)]))
    command = ("extract", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
    with forked(*command, "--log-file", log, dump):
        wait_for(lambda: log.exists() and "begins d.xml" in log.read_text("utf-8"))
    assert "begins d.xml" in log_of(log)[-1]


def test_nothing_is_left_behind_in_this_process(parts: Path, tmp_path: Path) -> None:
    logger = logging.getLogger("wikibias")
    before = [*logger.handlers], logger.level
    verbose = ("detect", "--lang", "en", "-v", "--log-file", tmp_path / "l")
    wikibias(*verbose, "-o", tmp_path / "o", parts / "a.xml").well()
    assert ([*logger.handlers], logger.level) == before

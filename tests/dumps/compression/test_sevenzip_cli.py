"""7z by the program where there is a core for it: the same bytes, the same word about damage."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import py7zr
import pytest

from exports import export, files, history, packed, wikibias
from wikibias.dumps.compression import sevenzip_cli
from wikibias.dumps.compression.streams import DAMAGE, open_part
from wikibias.errors import DumpError

_CHANCE = random.Random(1)
CONTENT = b" ".join(b"word%d" % _CHANCE.randrange(2000) for _ in range(100_000))
needs_the_program = pytest.mark.skipif(
    sevenzip_cli.find() is None, reason="no program 7zz, 7z or 7za here"
)


def unpacked(path: str, threads: int) -> tuple[bytes, str]:
    """Return what is read of a file up to its end or its damage, and what is said of that."""
    got, said = list[bytes](), ""
    try:
        with open_part(path, threads) as (stream, source):
            while piece := stream.read1():
                got.append(piece)
            source.sha256()
    except (DumpError, *DAMAGE) as error:
        said = f"{type(error).__name__}: {error}"
    return b"".join(got), said


def archive(path: Path, method: int = py7zr.FILTER_LZMA2, content: bytes = CONTENT) -> Path:
    """Write a 7z archive of one file."""
    with py7zr.SevenZipFile(path, "w", filters=[{"id": method}]) as target:
        target.writestr(content, "dump.xml")
    return path


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program of the name 7zz first, whose lines a test writes."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "content").write_bytes(CONTENT)
    script = tmp_path / "bin/7zz"
    script.write_text("#!/bin/sh\nexit 3\n")
    script.chmod(0o755)
    assert sevenzip_cli.find() == str(script)
    return script


@needs_the_program
class TestTheRealOne:
    @pytest.mark.parametrize("method", [py7zr.FILTER_LZMA, py7zr.FILTER_LZMA2, py7zr.FILTER_COPY])
    def test_damage_anywhere(self, method: int, tmp_path: Path) -> None:
        """Flipped or cut off, in the content and in the table of contents."""
        content, chance = archive(tmp_path / "a.7z", method).read_bytes(), random.Random(method)
        assert unpacked(str(tmp_path / "a.7z"), 2) == (CONTENT, "")
        for number in range(20):
            body = bytearray(content)
            body[chance.randrange(32, len(body))] ^= 1 << number % 8
            del body[len(body) - 400 * (number % 5 == 0) :]
            path = tmp_path / f"{number}.7z"
            path.write_bytes(body)
            got = unpacked(str(path), 2)
            assert got == unpacked(str(path), 1)
            assert got[1]

    @pytest.mark.parametrize("name", ["-o.7z", "@list.7z", "--", "wörter und so.7z"])
    def test_any_name(self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        archive(tmp_path / name)
        monkeypatch.chdir(tmp_path)
        assert unpacked(name, 2) == (CONTENT, "")
        assert [path.name for path in tmp_path.iterdir()] == [name]

    def test_of_two_files_the_first(self, tmp_path: Path) -> None:
        with py7zr.SevenZipFile(tmp_path / "a.7z", "w") as target:
            target.writestr(CONTENT, "a.xml")
            target.writestr(b"another", "b.xml")
        assert unpacked(str(tmp_path / "a.7z"), 2) == (CONTENT, "")

    def test_any_number_of_workers_gives_the_same_result(self, tmp_path: Path) -> None:
        path = tmp_path / "a.xml.7z"
        path.write_bytes(packed(export([history("Village", 20)]), "7z"))
        results = []
        for workers in (1, 2):
            out = tmp_path / f"{workers}"
            command = ("detect", "--lang", "en", "--workers", workers, "-o", out, path)
            ended = wikibias(*command)
            assert (ended.code, ended.err) == (0, "")
            results.append(files(out, "transitions"))
        assert results[0] == results[1]


@pytest.mark.parametrize(
    "lines",
    [
        "exit 0",
        "exit 2",
        "cat content; exit 2",
        "head -c 300000 content",
        "head -c 300000 content; kill -9 $$",
        "cat content; echo more",
        "while true; do cat content; done",
        "echo No such command >&2; exit 7",
    ],
)
def test_a_program_that_fails_is_no_matter(lines: str, stand_in: Path, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.7z")
    stand_in.write_text(f"#!/bin/sh\ncd {tmp_path}\n{lines}\n")
    assert unpacked(str(path), 2) == (CONTENT, "")


def test_a_program_that_cannot_be_started(stand_in: Path, tmp_path: Path) -> None:
    stand_in.write_bytes(b"\x7fELF, but not really")
    assert unpacked(str(archive(tmp_path / "a.7z")), 2) == (CONTENT, "")


def test_its_word_is_taken_for_what_is_whole(stand_in: Path, tmp_path: Path) -> None:
    """And its alone: nothing is unpacked twice. So what it gives need not be what is there."""
    path = archive(tmp_path / "a.7z")
    (tmp_path / "content").write_bytes(CONTENT.upper())
    stand_in.write_text(f"#!/bin/sh\ncat {tmp_path}/content\n")
    assert unpacked(str(path), 2) == (CONTENT.upper(), "")
    assert unpacked(str(path), 1) == (CONTENT, "")


@pytest.mark.parametrize("many", [True, False], ids=["early", "at-the-end"])
def test_it_is_ended_with_the_reading(many: bool, stand_in: Path, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.7z")
    loop = "while true; do cat content; done" if many else "cat content; exec sleep 600"
    stand_in.write_text(f"#!/bin/sh\ncd {tmp_path}\necho $$ > pid\n{loop}\n")
    with open_part(str(path), 2) as (stream, _):
        assert stream.read(1000) == CONTENT[:1000]
        process = int((tmp_path / "pid").read_text())
        os.kill(process, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_it_says_nothing_on_the_terminal(stand_in: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.xml.7z"
    path.write_bytes(packed(export([history("Village", 2)]), "7z"))
    stand_in.write_text("#!/bin/sh\necho loud >&2\nexit 2\n")
    command = ("detect", "--lang", "en", "--workers", 2, "-o", tmp_path / "o", path)
    ended = wikibias(*command)
    assert (ended.code, ended.err) == (0, "")


def test_it_ends_when_we_are_killed(stand_in: Path, tmp_path: Path) -> None:
    """Its pipe breaks; most programs end of that, and this one tells."""
    path, xml = tmp_path / "a.xml.7z", export([history("Village", 2)])
    path.write_bytes(packed(xml + bytes(50_000_000), "7z"))
    (tmp_path / "content").write_bytes(xml.removesuffix(b"</mediawiki>\n"))
    endless = "while echo '<!-- on and on -->' 2> said; do touch begun; done; touch ended"
    stand_in.write_text(f"#!/bin/sh\ncd {tmp_path}\ntrap '' PIPE\ncat content\n{endless}\n")
    command = ("detect", "--lang", "en", "--workers", "2", "-o", str(tmp_path / "o"), str(path))
    ours = subprocess.Popen([sys.executable, "-m", "wikibias", *command])
    try:
        wait_for(tmp_path / "begun")
    finally:
        ours.kill()
        ours.wait()
    wait_for(tmp_path / "ended")


def wait_for(path: Path) -> None:
    """Wait until there is a file, for half a minute."""
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    pytest.fail(f"{path.name} never came")

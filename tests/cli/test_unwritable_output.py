"""Output that cannot be written: one line, no incomplete files, and a result after a fix."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command_to_kill import forked
from exports import Files, Outcome, export, files, history, temporary_files
from results import extract, write_parts

GOOD = export([history("Sound Hill", 2, topic=90)], first_id=9000)


class TestUnwritableOut:
    @pytest.mark.parametrize(
        ("out", "code"),
        [("file", 2), ("file/o", 2), ("o" * 300, 2), ("/proc/self/o", 1)],
        ids=["a file", "below a file", "a name too long", "where nobody can write"],
    )
    def test_no_folder_can_be_made(self, out: str, code: int, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_bytes(GOOD)
        (tmp_path / "file").write_text("mine")
        extract(tmp_path / out, tmp_path / "a.xml").refused(str(tmp_path / out), code=code)
        assert (tmp_path / "file").read_text() == "mine"

    @pytest.mark.parametrize("kind", ["transitions", "edits", "corpus"])
    def test_a_file_in_place_of_a_folder_of_the_result(self, kind: str, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_bytes(GOOD)
        out = tmp_path / "o"
        out.mkdir()
        (out / kind).write_text("mine")
        extract(out, tmp_path / "a.xml").refused(str(out), f"({kind})")
        assert (out / kind).read_text() == "mine"
        (out / kind).unlink()
        extract(out, tmp_path / "a.xml").well()

    @pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
    )
    def test_a_folder_without_write_permission(self, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_bytes(GOOD)
        (tmp_path / "o").mkdir(mode=0o500)
        ended = extract(tmp_path / "o", tmp_path / "a.xml")
        ended.refused(str(tmp_path / "o"), code=1)


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """Let no file of this process grow beyond `most` bytes: writing fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Mount a file system of so many kilobytes, or give it another size."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root can mount a small file system here")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = False

    def mount(kilobytes: int) -> Path:
        nonlocal mounted
        options = f"{'remount,' if mounted else ''}size={kilobytes}k"
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("this machine does not let root mount a file system")
        mounted = True
        return disk

    yield mount
    if mounted:
        subprocess.run(["umount", "-l", str(disk)], check=True)


Whole = tuple[list[Path], Files]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Return two dumps, and the files of their result."""
    folder = tmp_path_factory.mktemp("whole")
    dumps = write_parts(folder, 16, pages=1)[:2]
    extract(folder / "o", *dumps).well()
    return dumps, files(folder / "o")


class TestFullDisk:
    """One line, exit code 1, nothing half-written; with room, the same command ends as ever."""

    def check(self, ended: Outcome, out: Path, whole: Files) -> None:
        assert ended.code == 1
        assert "Traceback" not in ended.err
        (line,) = ended.err.splitlines()
        assert line.startswith(f"Error: cannot write {out}")
        assert temporary_files(out) == []
        for name, content in files(out).items():
            assert content == whole[name], name

    @pytest.mark.parametrize("kind", ["", "transitions", "diffs", "corpus"])
    def test_a_file_that_cannot_grow(self, kind: str, whole: Whole, tmp_path: Path) -> None:
        """The manifest, or the first that is longer than those before it."""
        dumps, expected = whole
        name = kind and f"{kind}/{'train' if kind == 'corpus' else 'part1.xml'}.parquet"
        out = tmp_path / "o"
        with small_files(len(expected[name]) - 1 if name else 1024):
            ended = extract(out, *dumps)
        self.check(ended, out, expected)
        assert name not in files(out)
        extract(out, *dumps).well()
        assert files(out) == expected

    @pytest.mark.parametrize(("share", "workers"), [(0.1, 1), (0.9, 1), (0.2, 2)])
    def test_a_small_disk(
        self, share: float, workers: int, whole: Whole, small_disk: Callable[[int], Path]
    ) -> None:
        dumps, expected = whole
        needed = sum(4 * (1 + len(content) // 4096) for content in expected.values())
        out = small_disk(int(share * needed)) / "o"
        self.check(extract(out, "--workers", workers, *dumps), out, expected)
        small_disk(64 * 1024)
        extract(out, *dumps).well()
        assert files(out) == expected

    def test_no_other_part_is_started(self, whole: Whole, tmp_path: Path) -> None:
        """A part may take hours, and none can be written."""
        dumps, _ = whole
        pipe = tmp_path / "pipe.xml"
        os.mkfifo(pipe)
        # Whoever opens the pipe waits for a writer that never comes.
        command = ("extract", "--lang", "en", "--workers", 1, "-o", tmp_path / "o")
        with small_files(8 * 1024), forked(*command, dumps[0], pipe) as run:
            assert run.ended() == 1
            assert len(run.err.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_standard_output_that_cannot_be_written() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "wikibias", "tags", "show", "--lang", "fr"]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "Error: cannot write the output: No space left on device\n"

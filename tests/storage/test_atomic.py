"""Files appear only when they are complete; what is left of others is removed, and nothing else."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from wikibias.errors import DiskError
from wikibias.storage.atomic import (
    disk_errors,
    read_json,
    remove_unfinished,
    whole_file,
    write_bytes,
    write_json,
    write_text,
)


def test_what_is_written_is_there_and_nothing_beside_it(tmp_path: Path) -> None:
    write_text(tmp_path / "a/b/text.txt", "né\r\n")
    write_bytes(tmp_path / "a/b/bytes", b"\0\xff")
    write_json(tmp_path / "a/b/json", {"π": [1, None]})
    assert (tmp_path / "a/b/text.txt").read_bytes() == "né\r\n".encode()
    assert (tmp_path / "a/b/bytes").read_bytes() == b"\0\xff"
    assert read_json(tmp_path / "a/b/json") == {"π": [1, None]}
    assert len(list((tmp_path / "a/b").iterdir())) == 3


def test_a_file_stays_as_it_was_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with whole_file(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    with pytest.raises(KeyboardInterrupt):
        _write_half(path)
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def _write_half(path: Path) -> None:
    with whole_file(path) as temporary:
        temporary.write_text("half")
        raise KeyboardInterrupt


def test_what_json_cannot_hold_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nan"):
        write_json(tmp_path / "x.json", float("nan"))
    assert list(tmp_path.iterdir()) == []


def left(folder: Path, name: str) -> Path:
    """Return what an interrupted run has left of a file."""
    with pytest.raises(KeyboardInterrupt), whole_file(folder / name) as temporary:
        raise KeyboardInterrupt
    temporary.touch()
    return temporary


def test_only_what_we_left_is_removed(tmp_path: Path) -> None:
    ours = left(tmp_path, "a.parquet")
    theirs = [tmp_path / ".notes.tmp", tmp_path / "below" / ".a.parquet.host.7.tmp"]
    for path in theirs:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    remove_unfinished(tmp_path)
    assert not ours.exists()
    assert all(path.exists() for path in theirs)


def test_a_name_that_begins_like_another(tmp_path: Path) -> None:
    one, other = left(tmp_path, "wiki.xml.parquet"), left(tmp_path, "wiki.xml.bz2.parquet")
    remove_unfinished(tmp_path, ["wiki.xml.parquet"])
    assert (one.exists(), other.exists()) == (False, True)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device; make room"),
        (OSError("write failed"), "write failed; make room"),
        (PermissionError(errno.EACCES, "Permission denied"), "Permission denied; choose another"),
    ],
)
def test_what_the_disk_refuses_is_said_with_what_to_do(error: OSError, said: str) -> None:
    with pytest.raises(DiskError) as caught, disk_errors(Path("out/x")):
        raise error
    assert f"cannot write out/x: {said}" in str(caught.value)
    assert "run the same command again" in str(caught.value)

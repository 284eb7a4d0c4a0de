"""Files appear only when they are complete; what is left of others is removed, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.storage.atomic import remove_unfinished, whole_file


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

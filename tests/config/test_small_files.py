"""What is read whole is a regular file of a size that such files have."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wikibias.config.small_files import read_small


def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert read_small(tmp_path / "x", 3) == b"abc"
    with pytest.raises(OSError, match="larger than"):
        read_small(tmp_path / "x", 2)


def test_nothing_else_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="no regular file"):
            read_small(path)
    with pytest.raises(IsADirectoryError):
        read_small(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_small(tmp_path / "missing")

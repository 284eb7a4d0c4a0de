"""Tests of what SQLite says of a disk and of a file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from wikibias.storage.sqlite_faults import is_of_the_disk


@pytest.mark.parametrize("setting", ["query_only = ON", "max_page_count = 1"])
def test_a_disk_that_refuses(tmp_path: Path, setting: str) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute(f"PRAGMA {setting}")
        with pytest.raises(sqlite3.Error) as found:
            connection.executescript("CREATE TABLE a (b); CREATE TABLE c (d);")
    assert is_of_the_disk(found.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("nothing of SQLite" * 100)
    with (
        closing(sqlite3.connect(tmp_path / "a.db")) as connection,
        pytest.raises(sqlite3.Error) as found,
    ):
        connection.execute("PRAGMA user_version = 1")
    assert not is_of_the_disk(found.value)
    assert not is_of_the_disk(ValueError("no JSON"))

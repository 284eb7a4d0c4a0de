"""SQLite files of strangers, and disks that refuse."""

import sqlite3
from pathlib import Path

import pytest

from wikibias.errors import DiskError, UsageError
from wikibias.kits.sqlite import SqliteFile

TABLES = "CREATE TABLE IF NOT EXISTS words (word TEXT);"


def file(path: Path, application: int = 7, *, reads: bool = False) -> SqliteFile:
    return SqliteFile(path, "words", "give another file", application, reads)


@pytest.mark.parametrize("setting", ["query_only = ON", "max_page_count = 1"])
def test_a_disk_that_refuses(tmp_path: Path, setting: str) -> None:
    refused = TABLES + f"PRAGMA {setting}; CREATE TABLE a (b); CREATE TABLE c (d);"
    opened = file(tmp_path / "a.db").opened(refused)
    with pytest.raises(DiskError, match=r"cannot write .*; make room"), opened:
        pass


def test_a_file_in_use(tmp_path: Path) -> None:
    exclusive = "PRAGMA locking_mode = EXCLUSIVE;" + TABLES
    with (
        file(tmp_path / "a.db").opened(exclusive),
        pytest.raises(UsageError, match="another run uses"),
        file(tmp_path / "a.db").opened(TABLES, timeout=0.1),
    ):
        pass


def test_what_others_wrote_stays_as_it_is(tmp_path: Path) -> None:
    text, other = tmp_path / "text", tmp_path / "other"
    text.write_text("nothing of SQLite" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    (tmp_path / "link").symlink_to(other)
    before = text.read_bytes(), other.read_bytes()
    for name, said in (
        ("text", "is damaged, or holds no words"),
        ("other", "holds no words; give another file"),
        ("link", "is a link to another place"),
    ):
        for reads in (True, False):
            opened = file(tmp_path / name, reads=reads).opened(TABLES)
            with pytest.raises(UsageError, match=said), opened:
                pass
    assert (text.read_bytes(), other.read_bytes()) == before


def test_nothing_is_made_to_be_read(tmp_path: Path) -> None:
    with file(tmp_path / "a.db", reads=True).opened(TABLES) as connection:
        assert connection.execute("SELECT count(*) FROM words").fetchone() == (0,)
    assert not (tmp_path / "a.db").exists()

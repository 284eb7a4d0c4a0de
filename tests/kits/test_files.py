"""What may be written where, and when it appears; what others wrote, also SQLite, is left alone."""

import errno
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from wikibias.errors import DiskError, UsageError, WikibiasError
from wikibias.kits import files, folders
from wikibias.kits.folders import (
    LONGEST_NAME,
    ResultFolder,
    busy,
    hold_as_worker,
    is_file_name,
    locked,
    refuse_foreign,
    refuse_links,
    shard_locked,
)
from wikibias.kits.sqlite import SqliteFile


def test_what_is_written_is_there_and_nothing_beside_it(tmp_path: Path) -> None:
    files.write_text(tmp_path / "a/b/text.txt", "né\r\n")
    files.write_bytes(tmp_path / "a/b/bytes", b"\0\xff")
    files.write_json(tmp_path / "a/b/json", {"π": [1, None]})
    assert (tmp_path / "a/b/text.txt").read_bytes() == "né\r\n".encode()
    assert (tmp_path / "a/b/bytes").read_bytes() == b"\0\xff"
    assert files.read_json(tmp_path / "a/b/json") == {"π": [1, None]}
    assert len(list((tmp_path / "a/b").iterdir())) == 3


def test_a_file_stays_as_it_was_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    with files.atomic_file(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    with pytest.raises(KeyboardInterrupt):
        _write_half(path)
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def _write_half(path: Path) -> None:
    with files.atomic_file(path) as temporary:
        temporary.write_text("half")
        raise KeyboardInterrupt


@pytest.mark.parametrize("by_link", [False, True])
def test_a_pipe_or_a_device_is_not_replaced(by_link: bool, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    if by_link:  # as /dev/stdout is one
        path = tmp_path / "link"
        path.symlink_to("pipe")
    with pytest.raises(DiskError, match="it is a pipe or a device; choose another"):
        files.write_text(path, "new")
    assert (tmp_path / "pipe").is_fifo()
    assert path.is_symlink() == by_link


def test_what_json_cannot_hold_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nan"):
        files.write_json(tmp_path / "x.json", float("nan"))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_stays_where_the_new_one_cannot_take_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    files.write_text(folder / "train.csv", "1")
    with pytest.raises(DiskError), files.atomic_folder(folder) as temporary:
        temporary.rmdir()
    assert [*tmp_path.iterdir()] == [folder]
    assert (folder / "train.csv").read_text() == "1"
    with files.atomic_folder(folder) as temporary:
        (temporary / "test.csv").touch()
    assert [*tmp_path.rglob("*")] == [folder, folder / "test.csv"]


def left(folder: Path, name: str) -> Path:
    """Return what an interrupted run has left of a file."""
    with pytest.raises(KeyboardInterrupt), files.atomic_file(folder / name) as temporary:
        raise KeyboardInterrupt
    temporary.touch()
    return temporary


def test_only_what_we_left_is_removed(tmp_path: Path) -> None:
    ours = left(tmp_path, "a.parquet")
    theirs = [tmp_path / ".notes.tmp", tmp_path / "below" / ".a.parquet.host.7.tmp"]
    for path in theirs:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    files.remove_unfinished(tmp_path)
    assert not ours.exists()
    assert all(path.exists() for path in theirs)


def test_a_name_that_begins_like_another(tmp_path: Path) -> None:
    one, other = left(tmp_path, "wiki.xml.parquet"), left(tmp_path, "wiki.xml.bz2.parquet")
    files.remove_unfinished(tmp_path, ["wiki.xml.parquet"])
    assert (one.exists(), other.exists()) == (False, True)


def test_names_of_any_length_and_alphabet(tmp_path: Path) -> None:
    for name in ("x" * 255, "語" * 85, "a\nb"):
        files.write_text(tmp_path / name, "text")
        assert (tmp_path / name).read_text() == "text"
        ours = left(tmp_path, name)
        files.remove_unfinished(tmp_path, [name])
        assert not ours.exists()


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "link"
    victim.write_text("mine")
    link.symlink_to(victim)
    with pytest.raises(OSError, match="it is a link"):
        files.open_nofollow(link, "a")
    files.write_text(link, "text")
    assert (victim.read_text(), link.read_text()) == ("mine", "text")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe"):
        files.open_nofollow(tmp_path / "pipe", "a+")


def test_a_name_that_is_taken_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where somebody guesses it."""
    (tmp_path / "victim").write_text("mine")
    monkeypatch.setattr("wikibias.kits.files.token_hex", lambda _: "0" * 16)
    with files.atomic_file(tmp_path / "x") as temporary:
        temporary.write_text("text")
    temporary.symlink_to(tmp_path / "victim")
    with pytest.raises(DiskError), files.atomic_file(tmp_path / "x") as again:
        again.write_text("text")
    assert (tmp_path / "victim").read_text() == "mine"


def _leave_folder(folder: Path) -> None:
    with files.atomic_files(folder) as temporary:
        (temporary / "model").touch()
        raise KeyboardInterrupt


def test_files_of_a_folder_take_their_place_together(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _leave_folder(tmp_path / "m")
    assert list((tmp_path / "m").iterdir()) == []
    with files.atomic_files(tmp_path / "m") as temporary:
        (temporary / "model").write_text("one")
        (temporary / "about").write_text("two")
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["about", "model"]


def test_a_passing_file_passes(tmp_path: Path) -> None:
    with files.scratch_file(tmp_path / "f") as temporary:
        temporary.write_text("x")
    assert list((tmp_path / "f").iterdir()) == []


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "", "\0"])
def test_what_is_no_json(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ValueError, match=r"\w"):
        files.read_json(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device; make room"),
        (OSError("write failed"), "write failed; make room"),
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "Permission denied; see to it that it can",
        ),
    ],
)
def test_what_the_disk_refuses_is_said_with_what_to_do(error: OSError, said: str) -> None:
    with pytest.raises(DiskError) as caught, files.disk_errors(Path("out/x")):
        raise error
    assert f"cannot write out/x: {said}" in str(caught.value)
    assert str(caught.value).endswith("choose another place, then run the same command again")


def test_a_file_in_a_temporary_folder_is_named_as_it_will_be(tmp_path: Path) -> None:
    for context in (files.atomic_folder, files.atomic_files):
        with context(tmp_path / "ls") as temporary:
            (temporary / "x.json").symlink_to("pipe")
            os.mkfifo(temporary / "pipe")
            with pytest.raises(DiskError, match=r"cannot write .*/\w+\d/ls/x\.json: "):
                files.write_json(temporary / "x.json", {})
            for path in temporary.iterdir():
                path.unlink()


def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert files.read_small(tmp_path / "x", 3) == b"abc"
    with pytest.raises(OSError, match="larger than"):
        files.read_small(tmp_path / "x", 2)


def test_nothing_else_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="no regular file"):
            files.read_small(path)
    with pytest.raises(IsADirectoryError):
        files.read_small(tmp_path)
    with pytest.raises(FileNotFoundError):
        files.read_small(tmp_path / "missing")


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


ENDLESS = "WITH RECURSIVE n(word) AS (SELECT 1 UNION ALL SELECT word FROM n) SELECT word FROM n"


@pytest.mark.parametrize(
    "program",
    [
        f"CREATE VIEW words AS {ENDLESS}",
        f"{TABLES} CREATE TRIGGER t AFTER INSERT ON words BEGIN INSERT INTO words {ENDLESS}; END",
        "CREATE TABLE words (a, word AS (hex(zeroblob(400000000))))",
        "CREATE TABLE words (a, word TEXT/**/GENERATED ALWAYS\nAS(hex(zeroblob(40000000))) STORED)",
        "CREATE TABLE words (word CHECK (randomblob(900000000) <> word))",
        "CREATE TABLE words (word, a DEFAULT /* */ (hex(zeroblob(400000000))))",
        f"{TABLES} CREATE INDEX i ON words (hex(word))",
        "CREATE VIRTUAL TABLE words USING fts5(word)",
    ],
)
def test_a_file_of_others_runs_nothing(tmp_path: Path, program: str) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.executescript(f"PRAGMA application_id = 7; {program};")
    for reads in (True, False):
        opened = file(tmp_path / "a.db", reads=reads).opened(TABLES)
        with pytest.raises(UsageError, match=r"a program in it.*; give another file"), opened:
            pass


def test_a_value_that_would_take_all_memory_is_not_read(tmp_path: Path) -> None:
    with file(tmp_path / "a.db").opened(TABLES) as db, pytest.raises(sqlite3.DataError):
        db.execute("SELECT hex(zeroblob(400000000))")


def test_nothing_is_made_to_be_read(tmp_path: Path) -> None:
    with file(tmp_path / "a.db", reads=True).opened(TABLES) as connection:
        assert connection.execute("SELECT count(*) FROM words").fetchone() == (0,)
    assert not (tmp_path / "a.db").exists()


FINE = ["a.xml", ".a", "a b.7z", "é.xml", "a\nb", "x" * LONGEST_NAME]
WRONG = ["", ".", "..", "../x", "/etc/x", "a/b", "a\0", "x" * 241, "é" * 121, "\udcff", None, 7]
WRONG_ON_WINDOWS = ["..\\x", "c:x", "a:stream"]


def test_names_that_lead_elsewhere_or_nowhere() -> None:
    wrong = [*WRONG, *(WRONG_ON_WINDOWS if os.name == "nt" else [])]
    assert [name for name in [*FINE, *wrong] if is_file_name(name)] == FINE


def test_only_an_empty_folder_or_one_of_ours_is_written_to(tmp_path: Path) -> None:
    refuse_foreign(tmp_path / "new", lambda _: False)
    refuse_foreign(tmp_path, lambda _: False)
    (tmp_path / ".DS_Store").touch()
    refuse_foreign(tmp_path, lambda _: False)
    (tmp_path / "thesis.tex").touch()
    refuse_foreign(tmp_path, lambda _: True)
    with pytest.raises(UsageError, match=r"thesis\.tex.*an empty folder"):
        refuse_foreign(tmp_path, lambda _: False)


def test_a_folder_inside_may_not_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/edits").mkdir()
    (tmp_path / "out/diffs").symlink_to(tmp_path)
    refuse_links(tmp_path / "out", ["edits", "corpus"])
    with pytest.raises(UsageError, match="diffs is a link"):
        refuse_links(tmp_path / "out", ["edits", "diffs"])


def test_one_run_at_a_time_and_none_after_a_kill(tmp_path: Path) -> None:
    script = (
        "import sys, time, pathlib\n"
        "from wikibias.kits.folders import locked\n"
        "with locked(pathlib.Path(sys.argv[1])):\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert busy(tmp_path)
        with pytest.raises(UsageError, match="another run"), locked(tmp_path):
            pass
        process.kill()
        process.wait()
        assert not busy(tmp_path)
        with locked(tmp_path):
            pass


# One process may stand for several: a lock is of an open file.
@contextmanager
def shard(number: int, folder: Path) -> Iterator[None]:
    with locked(folder, shared=True), shard_locked(folder, number, 2):
        yield


def test_shards_share_a_folder_that_a_whole_run_wants_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shard(1, tmp_path), shard(2, tmp_path):
        assert busy(tmp_path)
        with pytest.raises(UsageError, match="another run"), locked(tmp_path):
            pass
    monkeypatch.setattr(folders, "_PATIENCE", 0.2)
    with locked(tmp_path), pytest.raises(UsageError, match="another run"), shard(1, tmp_path):
        pass


def test_a_later_run_waits_for_the_last_worker_of_a_killed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hold_as_worker(tmp_path) as first, hold_as_worker(tmp_path) as second:
        first.close()
        threading.Timer(0.5, second.close).start()
        began = time.monotonic()
        with locked(tmp_path):
            assert time.monotonic() - began > 0.3
    monkeypatch.setattr(folders, "_PATIENCE", 0.2)
    with hold_as_worker(tmp_path):
        with pytest.raises(UsageError, match="workers of a run that was killed"), locked(tmp_path):
            pass
        # Those of other shards stop no shard.
        with locked(tmp_path, shared=True):
            pass


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EBADF])
def test_a_file_system_without_locks_stops_no_run(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="not on this system")

    def refuse(*arguments: object) -> None:
        raise OSError(number, "no locks")

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setattr("portalocker.portalocker.LOCKER", refuse)
    with locked(tmp_path), locked(tmp_path, shared=True), hold_as_worker(tmp_path):
        assert not busy(tmp_path)


KIND = ResultFolder("rewriter", 1, "wikibias neutralise train", 1_000)


def written(folder: Path, content: str = "abc", name: str = "model.json") -> None:
    def write(temporary: Path) -> dict[str, int]:
        (temporary / name).write_text(content)
        return {"seed": 3}

    KIND.save(folder, write, {"data": "pairs"})


def test_what_was_saved_is_described_and_verified(tmp_path: Path) -> None:
    written(tmp_path)
    described = KIND.describe(tmp_path)
    assert (described["seed"], described["data"]) == (3, "pairs")
    assert KIND.is_ours(tmp_path)
    KIND.verify(tmp_path, described["files"])
    (tmp_path / "model.json").write_text("abd")
    with pytest.raises(WikibiasError, match="has the checksum of"):
        KIND.verify(tmp_path, described["files"])


def test_a_large_file_and_a_link_are_not_read(tmp_path: Path) -> None:
    written(tmp_path / "a", "x" * 2_000)
    files = KIND.describe(tmp_path / "a")["files"]
    with pytest.raises(WikibiasError, match="it is not read"):
        KIND.verify(tmp_path / "a", files)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "model.json").symlink_to(tmp_path / "a" / "model.json")
    with pytest.raises(WikibiasError, match=r"no file 'model\.json'"):
        KIND.verify(tmp_path / "b", files)


@pytest.mark.parametrize("name", ["../mine.txt", "/{folder}/mine.txt", ".", "sub/../../mine.txt"])
def test_no_file_of_anybody_else_is_removed(name: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    folder = tmp_path / "model"
    written(folder)
    described = KIND.describe(folder)
    described["files"][name.format(folder=tmp_path)] = {"bytes": 4, "sha256": ""}
    (folder / KIND.description).write_text(json.dumps(described))
    written(folder, name="other.json")
    assert mine.read_text() == "mine"
    assert sorted(path.name for path in folder.iterdir()) == ["other.json", KIND.description]


@pytest.mark.parametrize(
    "text", ["{", '{"format": "wikibias-rewriter/9"}', '{"format": "wikibias-rewriter/1"}']
)
def test_what_cannot_be_read_can_be_replaced(text: str, tmp_path: Path) -> None:
    (tmp_path / KIND.description).write_text(text)
    (tmp_path / "notes.txt").write_text("mine")
    assert KIND.is_ours(tmp_path)
    written(tmp_path)
    assert KIND.describe(tmp_path)["seed"] == 3
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_folder_above_one_names_those_below(tmp_path: Path) -> None:
    written(tmp_path / "models" / "a")
    with pytest.raises(WikibiasError, match=r"give a rewriter's folder: .*models/a"):
        KIND.describe(tmp_path)

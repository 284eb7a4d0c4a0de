"""What may be written where."""

import errno
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import folders
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

"""The engine of Dask, with real processes on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from clusters import extract, wait_for
from exports import export, files, history, split_page, start, temporary_files, wikibias
from wikibias.execution import clusters

pytest.importorskip("distributed", reason="the extra [dask] is not installed")


@contextmanager
def process(*arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """Run one of Dask's commands while the block lasts."""
    command = [sys.executable, "-m", "dask", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            yield running
        finally:
            running.kill()


def test_a_worker_killed_in_the_middle(made: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    """Its part is done again by the other, and nothing is there twice."""
    folder, sound = made
    told = tmp_path / "scheduler.json"
    at = ("--host", "127.0.0.1", "--scheduler-file", told)
    with ExitStack() as stack:
        stack.enter_context(process("scheduler", "--no-dashboard", "--port", 0, *at))
        wait_for(lambda: told.exists() and "address" in told.read_text())
        worker = ("worker", "--no-dashboard", "--no-nanny", "--nthreads", 1, *at[2:])
        workers = [stack.enter_context(process(*worker)) for _ in range(2)]
        address = told.read_text().split('"address": "')[1].split('"')[0]
        out = tmp_path / "o"
        command = ("extract", "--lang", "en", "--engine", "dask", "--scheduler", address)
        run = stack.enter_context(start(*command, "-o", out, folder))
        victim = workers[0]
        wait_for(lambda: any(f".{victim.pid}." in f.name for f in temporary_files(out)))
        victim.kill()
        stdout, stderr = run.communicate(timeout=60)
        assert (run.returncode, stderr) == (0, "")
        assert "Table 3" in stdout
    assert files(out) == sound
    assert temporary_files(out) == []


def test_without_a_scheduler_one_is_started(
    made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    folder, sound = made
    process = start(
        *("extract", "--lang", "en", "--engine", "dask", "--workers", 2),
        *("-o", tmp_path / "o", folder),
    )
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert files(tmp_path / "o") == sound


def test_the_files_of_a_split_page_named_from_here(tmp_path: Path) -> None:
    """Workers in another folder find them, as one part."""
    xml = export([history("Mill", 4)], first_id=50)
    for name, content in split_page(xml, [0, 0, 0, 1, 1, 1, 2, 2]).items():
        (tmp_path / name).write_bytes(content)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert wikibias("extract", "--lang", "en", "-o", tmp_path / "sound", tmp_path).code == 0
    told = tmp_path / "scheduler.json"
    at = ("--host", "127.0.0.1", "--scheduler-file", told)
    with ExitStack() as stack:
        stack.enter_context(process("scheduler", "--no-dashboard", "--port", 0, *at))
        wait_for(lambda: told.exists() and "address" in told.read_text())
        worker = ("worker", "--no-dashboard", "--no-nanny", "--nthreads", 1, *at[2:])
        stack.enter_context(process(*worker))
        address = told.read_text().split('"address": "')[1].split('"')[0]
        command = ("extract", "--lang", "en", "--engine", "dask", "--scheduler", address)
        run = stack.enter_context(start(*command, "-o", "o", *names, cwd=tmp_path))
        _, err = run.communicate(timeout=60)
        assert (run.returncode, err) == (0, "")
    assert files(tmp_path / "o") == files(tmp_path / "sound")


def test_nobody_at_the_address(
    made: tuple[Path, dict[str, bytes]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clusters, "_CONNECT", "1s")
    at = ("--engine", "dask", "--scheduler", "tcp://127.0.0.1:9")
    ended = extract(tmp_path / "o", made[0], *at)
    assert ended.code == 2
    (line,) = ended.errors
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in line


def test_a_scheduler_with_keys_that_we_do_not_have(
    made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    ended = extract(tmp_path / "o", made[0], "--engine", "dask", "--scheduler", "tls://127.0.0.1:9")
    assert ended.code == 2
    (line,) = ended.errors
    assert "no Dask scheduler answers at tls://127.0.0.1:9 (TLS expects" in line


def listening(pid: int) -> set[str]:
    """Return the addresses on which a process listens, as Linux writes them."""
    sockets = set()
    for path in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            sockets.add(str(path.readlink()))
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, address, _, state, *_, inode = line.split()[:10]
            if state == "0A" and f"socket:[{inode}]" in sockets:
                found.add(address.split(":")[0])
    return found


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs Linux")
def test_a_cluster_on_this_machine_listens_to_this_machine_only(tmp_path: Path) -> None:
    """Dask runs what it is sent by whoever can connect."""
    with clusters.dask(1, tmp_path, None) as executor:
        pids = {os.getpid(), executor.submit(os.getpid).result()}
        assert len(pids) == 2
        assert set().union(*map(listening, pids)) == {"0100007F"}


def test_what_workers_log_reaches_the_log_file(tmp_path: Path) -> None:
    dump, log = tmp_path / "a.xml", tmp_path / "run.log"
    dump.write_bytes(export([history("Mill", 3)]))
    options = ("--engine", "dask", "--workers", 1, "-q", "--log-file", log)
    assert extract(tmp_path / "o", dump, *options).code == 0
    assert "INFO wikibias.pipeline.dispatch: begins a.xml" in log.read_text("utf-8")

"""Keeps a result folder to one run at a time, or to the shards of one run.

The operating system releases a lock when the process that holds it ends, however it ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from wikibias.errors import DiskError, UsageError
from wikibias.storage.atomic import disk_errors

_WORKERS = ".workers"
# Seconds to wait for the workers of a killed run, which end within half a second of it.
_PATIENCE = 10.0


@contextmanager
def locked(folder: Path, *, shared: bool = False) -> Iterator[None]:
    """Lock a result folder while the block lasts, and wait for workers of a killed run to end.

    Args:
        folder: the result folder; made where there is none.
        shared: admit others that share the lock, as the shards of one run do. Such a run does not
            wait for workers, which may belong to the other shards.

    Raises:
        UsageError: another run works there.
        DiskError: the folder cannot be made or written to.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = _open(folder / ".lock")
    with lock:
        # `busy` holds the lock for a moment, which must not stop one shard of many.
        if not _lock(lock, shared=shared, patience=_PATIENCE if shared else 0.0):
            raise UsageError(
                f"another run of wikibias is at work in {folder}; wait until it ends, or choose "
                "another --out"
            )
        if not shared and (folder / _WORKERS).exists():
            _wait_for_workers(folder)
        yield


def hold_as_worker(folder: Path) -> IO[str]:
    """Tell later runs, as long as the returned file is open, that a worker is at work here."""
    file = _open(folder / _WORKERS)
    _lock(file, shared=True)
    return file


def busy(folder: Path) -> bool:
    """Return whether a run is at work in a result folder, as far as its file system knows."""
    try:
        with locked(folder):
            return False
    except UsageError:
        return True
    except DiskError:
        return False


def _wait_for_workers(folder: Path) -> None:
    with disk_errors(folder):
        workers = _open(folder / _WORKERS)
    with workers:
        if not _lock(workers, shared=False, patience=_PATIENCE):
            raise UsageError(
                f"workers of a run that was killed are still busy in {folder}; end them, then run "
                "the same command again"
            )


def _open(path: Path) -> IO[str]:
    # Network file systems share only what is open for reading, and lock only what for writing.
    return path.open("a+")


def _lock(file: IO[str], *, shared: bool, patience: float = 0.0) -> bool:
    """Try for some seconds to lock a file; True also where the file system knows no locks."""
    import portalocker  # noqa: PLC0415 (40 ms, which a command that locks nothing need not wait for)

    kind = portalocker.LockFlags.SHARED if shared else portalocker.LockFlags.EXCLUSIVE
    until = time.monotonic() + patience
    while True:
        try:
            portalocker.lock(file, kind | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.AlreadyLocked:
            if time.monotonic() >= until:
                return False
            time.sleep(0.05)
        except (portalocker.LockException, OSError):
            return True
        else:
            return True

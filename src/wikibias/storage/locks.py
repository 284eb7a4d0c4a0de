"""Keeps a result folder to one run at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from wikibias.errors import DiskError, UsageError
from wikibias.storage.atomic import disk_errors

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_WORKERS = ".workers"
# Seconds to wait for the workers of a killed run, which end within half a second of it.
_PATIENCE = 10.0


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a result folder to one run at a time, and wait for workers of a killed one to end.

    Raises:
        UsageError: another run is at work there.
        DiskError: the folder cannot be made or written to.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("a")
    with lock:
        if not _lock(lock, exclusive=True):
            raise UsageError(f"another run of wikibias is at work in {folder}")
        _wait_for_workers(folder)
        yield


def _wait_for_workers(folder: Path) -> None:
    """Wait until the workers of a run that was killed have ended, as they soon do."""
    if not (folder / _WORKERS).exists():
        return
    until = time.monotonic() + _PATIENCE
    with disk_errors(folder), (folder / _WORKERS).open("a") as workers:
        while not _lock(workers, exclusive=True):
            if time.monotonic() > until:
                raise UsageError(f"workers of a run that was killed are still busy in {folder}")
            time.sleep(0.05)


def hold_as_worker(folder: Path) -> IO[str]:
    """Tell later runs, as long as the returned file is open, that a worker is at work here."""
    file = (folder / _WORKERS).open("a")
    _lock(file, exclusive=False)
    return file


def _lock(file: IO[str], *, exclusive: bool) -> bool:
    """Try to lock a file; True also where the system or the file system knows no locks."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def busy(folder: Path) -> bool:
    """Tell whether a run is at work in a result folder, as far as its file system knows."""
    try:
        with locked(folder):
            return False
    except UsageError:
        return True
    except DiskError:
        return False

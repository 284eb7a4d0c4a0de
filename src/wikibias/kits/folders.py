"""What may be written where: not among the files of others, not by a link, not outside.

Names that a file of a result holds are those of whoever wrote the file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PureWindowsPath
from typing import IO

from wikibias.errors import UsageError
from wikibias.kits.files import disk_errors, open_nofollow

LONGEST_NAME = 240
"""Bytes of a name to which we add an ending; file systems allow 255."""


def is_file_name(name: object) -> bool:
    """Return whether a name is that of a file in a folder, and leads nowhere else."""
    if not isinstance(name, str) or name in ("", ".", "..") or "/" in name or "\0" in name:
        return False
    if os.name == "nt" and (PureWindowsPath(name).name != name or ":" in name):
        return False
    try:
        return len(name.encode()) <= LONGEST_NAME
    except UnicodeEncodeError:
        return False


def refuse_foreign(folder: Path, is_ours: Callable[[Path], bool]) -> None:
    """Refuse to write among the files of somebody else; hidden ones, such as `.git`, may be there.

    Raises:
        UsageError: the folder holds something, and is not ours.
        DiskError: it cannot be looked into.
    """
    with disk_errors(folder):
        if not folder.is_dir():
            return
        names = (path.name for path in folder.iterdir())
        first = min((name for name in names if not name.startswith(".")), default=None)
    if first is not None and not is_ours(folder):
        raise UsageError(
            f"{folder} holds what this command did not write ({first}); give --out an empty "
            "folder, or a new one"
        )


def refuse_links(folder: Path, names: Iterable[str]) -> None:
    """Refuse to write into folders inside of `folder` that are links, and may lead anywhere.

    Raises:
        UsageError: one is a link.
    """
    for name in names:
        if (folder / name).is_symlink():
            raise UsageError(f"{folder / name} is a link to another place; remove it")


_WORKERS = ".workers"
# Seconds to wait for the workers of a killed run, which end within half a second of it.
_PATIENCE = 10.0
_MOMENT = 1.0


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
        # `busy` holds the lock for a moment, which must not stop a run, nor one shard of many.
        if not _lock(lock, shared=shared, patience=_PATIENCE if shared else _MOMENT):
            raise UsageError(
                f"another run of wikibias is at work in {folder}; wait until it ends, or choose "
                "another --out"
            )
        if not shared:
            _wait_for_workers(folder)
            for path in _shard_locks(folder):
                path.unlink(missing_ok=True)
        yield


@contextmanager
def shard_locked(folder: Path, number: int, of: int) -> Iterator[None]:
    """Lock one shard of a result folder while the block lasts, inside of a shared `locked`.

    Raises:
        UsageError: another run does this shard, or shards of another number, which would do the
            same parts.
    """
    with disk_errors(folder):
        own = _open(folder / f".shard-{number}-of-{of}.lock")
    with own:
        if not _lock(own, shared=False):
            raise UsageError(f"another run does shard {number}/{of} in {folder}; wait for its end")
        for path in _shard_locks(folder):
            if not path.name.endswith(f"-of-{of}.lock") and _is_held(path):
                raise UsageError(
                    f"shards of another number are at work in {folder} ({path.name}); wait until "
                    "they end, or give the same number"
                )
        yield


def hold_as_worker(folder: Path) -> IO[str]:
    """Tell later runs, as long as the returned file is open, that a worker is at work here."""
    file = _open(folder / _WORKERS)
    _lock(file, shared=True)
    return file


def busy(folder: Path) -> bool:
    """Return whether a run is at work in a result folder, as far as its file system knows."""
    lock = folder / ".lock"
    return (lock.exists() and _is_held(lock)) or any(map(_is_held, _shard_locks(folder)))


def _shard_locks(folder: Path) -> list[Path]:
    return sorted(folder.glob(".shard-*.lock"))


def _is_held(path: Path) -> bool:
    """Return whether somebody holds a lock that admits nobody else."""
    with suppress(OSError), _open(path) as file:
        return not _lock(file, shared=True)
    return False


def _wait_for_workers(folder: Path) -> None:
    if not os.path.lexists(folder / _WORKERS):
        return
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
    return open_nofollow(path, "a+")


def _lock(file: IO[str], *, shared: bool, patience: float = 0.0) -> bool:
    """Try for some seconds to lock a file; True also where the file system knows no locks."""
    import portalocker

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

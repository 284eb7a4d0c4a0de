"""Tells a disk that refuses from a damaged file, of what SQLite says."""

from __future__ import annotations

from pathlib import Path

from wikibias.errors import DiskError

_OF_THE_DISK = (
    "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_BUSY",
    "SQLITE_LOCKED", "SQLITE_PERM",
)  # fmt: skip


def is_of_the_disk(error: Exception) -> bool:
    """Return whether the file is whole, but cannot be read or written now."""
    return getattr(error, "sqlite_errorname", "").startswith(_OF_THE_DISK)


def disk_error(path: Path, error: Exception) -> DiskError:
    """Return what to tell of a cache that the disk refuses to write."""
    return DiskError(
        f"cannot write {path}: {error}; make room, or see to it that it can be written, then run "
        "the same command again: it goes on where it stopped"
    )

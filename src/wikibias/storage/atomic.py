"""Writes files so that a name stands only for what is whole, and names what the disk refuses."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from platform import node
from typing import Any

from wikibias.errors import DiskError

_TEMPORARY = ".tmp"
_TEMPORARY_NAME = re.compile(r"\..+\.\d+\.tmp")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary name to write to, renamed to `path` when all went well, else removed.

    Raises:
        DiskError: the disk is full, or the folder cannot be written to.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{node()}.{os.getpid()}{_TEMPORARY}")
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a whole text file in UTF-8.

    Raises:
        DiskError: see `whole_file`.
    """
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole binary file.

    Raises:
        DiskError: see `whole_file`.
    """
    with whole_file(path) as temporary:
        temporary.write_bytes(content)


def write_json(path: Path, content: Any) -> None:
    """Write a whole JSON file, indented for people.

    Raises:
        DiskError: see `whole_file`.
    """
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON file in UTF-8.

    Raises:
        OSError: the file is missing or unreadable.
        ValueError: it is not JSON.
    """
    return json.loads(path.read_text(encoding="utf-8"))


def remove_unfinished(folder: Path, names: Iterable[str] | None = None) -> None:
    """Remove what an interrupted run has left half-written in a folder, and nothing else.

    Args:
        folder: itself, without the folders in it.
        names: of the files that were being written; all by default.
    """
    begin = (".",) if names is None else tuple(f".{name}." for name in names)
    for path in folder.glob(f".*{_TEMPORARY}"):
        # A name that `whole_file` has given ends with the number of its process.
        if path.name.startswith(begin) and _TEMPORARY_NAME.fullmatch(path.name):
            path.unlink(missing_ok=True)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says of writing `path` into a DiskError."""
    try:
        yield
    except OSError as error:
        # pyarrow raises OSError without an errno where a write fails.
        reason = error.strerror or str(error)
        full = error.errno in (None, errno.ENOSPC, errno.EDQUOT)
        remedy = "make room or choose another --out" if full else "choose another --out"
        raise DiskError(
            f"cannot write {path}: {reason}; {remedy}, then run the same command again: it goes "
            "on where it stopped"
        ) from error

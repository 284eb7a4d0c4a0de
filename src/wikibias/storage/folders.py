"""What may be written where: not among the files of others, not by a link, not outside.

Names that a file of a result holds are those of whoever wrote the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path, PureWindowsPath

from wikibias.errors import UsageError
from wikibias.storage.atomic import disk_errors

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

"""Atomic files: a name stands only for what is whole, and errors name what the disk refuses.

What is being written has a hidden name that begins with our mark and that nobody can guess. No link
is written through: a name that is one is replaced, and what it leads to stays as it is.
"""

import errno
import json
import os
import re
import shutil
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

from wikibias.errors import DiskError, UsageError

LARGEST_SMALL_FILE = 200_000_000
"""Bytes; far above any real one: the manifest of 10,000 parts has ten million."""


def read_small(path: Path, most: int = LARGEST_SMALL_FILE) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: it is missing, unreadable, no regular file, or larger than `most`.
    """
    # A pipe that nobody writes to must not be waited for.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "no regular file, but a pipe or a device", str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most / 1e6:,.0f} MB", str(path))
    return content


_MARK = ".wikibias-"
# The beginning of the file's name, for people; its hash; what nobody can guess; the process.
_TEMPORARY_NAME = re.compile(r"\.wikibias-(.*)-([0-9a-f]{16})-[0-9a-f]{16}\.\d+\.tmp", re.DOTALL)
# Stands for what is written to a folder that is there already.
_WITHIN = "its-files"
# Seconds. To make the disk keep a file takes some milliseconds, which thousands of small files are
# not worth: one that a power failure takes is noticed, and made again.
_WORTH_KEEPING = 0.1
_ROOM, _RIGHTS = "make room or ", "see to it that it can be written, or "
_REMEDIES = {
    None: _ROOM, errno.ENOSPC: _ROOM, errno.EDQUOT: _ROOM,
    errno.EROFS: _RIGHTS, errno.EACCES: _RIGHTS, errno.EPERM: _RIGHTS,
}  # fmt: skip
# Windows knows neither.
_ONLY_ITSELF = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def atomic_file(path: Path, *, keep: bool = False) -> Iterator[Path]:
    """Give a temporary name to write to, renamed to `path` when all went well, else removed.

    Args:
        path: the file; its folder is made.
        keep: see to it that a power failure does not take the file; done also where writing it
            took long.

    Raises:
        DiskError: the disk is full, the folder cannot be written to, or a pipe or a device has the
            name, which is not replaced.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _refuse_device(path)
        began = time.monotonic()
        temporary = _temporary(path)
        # Not made here: to open an empty file again costs on some file systems as much as a sync.
        if os.path.lexists(temporary):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(temporary))
        try:
            yield temporary
            keep = keep or time.monotonic() - began >= _WORTH_KEEPING
            if keep:
                _fsync(temporary)
            temporary.replace(path)
            if keep:
                _fsync(path.parent)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_files(folder: Path) -> Iterator[Path]:
    """Give a temporary folder; its files take their place in `folder` when all went well.

    Raises:
        DiskError: see `whole_file`.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(folder / _WITHIN)
        temporary.mkdir()
        try:
            yield temporary
            for path in sorted(temporary.iterdir()):
                _fsync(path)
                path.replace(folder / path.name)
            _fsync(folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """Give a temporary folder, which gets the name `folder` when all went well, else goes.

    A folder of this name goes with all that is in it, once the new one is complete; what a killed
    run left half-written goes first.

    Raises:
        DiskError: see `whole_file`.
    """
    with disk_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        for path in folder.parent.glob(f"{_MARK}*.tmp"):
            found = _TEMPORARY_NAME.fullmatch(path.name)
            if found and found[2] == _digest(folder.name) and path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
        temporary, old = _temporary(folder), _temporary(folder)
        try:
            temporary.mkdir()  # an interrupt right after it must not leave it
            yield temporary
            for path in temporary.rglob("*"):
                _fsync(path)
            if folder.exists():
                folder.rename(old)
            temporary.rename(folder)
            _fsync(folder.parent)
        finally:
            if old.exists() and not folder.exists():
                old.rename(folder)
            shutil.rmtree(temporary, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


@contextmanager
def scratch_file(folder: Path) -> Iterator[Path]:
    """Give the name of an empty file that is removed at the end.

    Raises:
        DiskError: see `whole_file`.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(folder / "passing")
        temporary.touch(exist_ok=False)
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def open_nofollow(path: Path, mode: str) -> IO[Any]:
    """Open a file for writing, made where it is missing, but nothing that it links to.

    Raises:
        OSError: it is a link, or no regular file; or as `open` does.
    """

    def opener(name: str, flags: int) -> int:
        try:
            number = os.open(name, flags | _ONLY_ITSELF, 0o666)
        except OSError as error:
            if path.is_symlink():
                raise OSError(error.errno, "it is a link; remove it", name) from error
            raise
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise OSError(errno.EINVAL, "it is a pipe or a device; remove it", name)
        return number

    encoding = None if "b" in mode else "utf-8"
    return open(path, mode, encoding=encoding, opener=opener)


def write_text(path: Path, text: str) -> None:
    """Write a whole text file in UTF-8.

    Raises:
        DiskError: see `whole_file`.
    """
    with atomic_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole binary file.

    Raises:
        DiskError: see `whole_file`.
    """
    with atomic_file(path) as temporary:
        temporary.write_bytes(content)


def to_json(content: Any, **layout: Any) -> str:
    """Return a value as JSON, its letters as they are.

    Args:
        content: of what JSON can hold.
        layout: arguments of `json.dumps`, such as `indent` and `sort_keys`.
    """
    return json.dumps(content, **{"ensure_ascii": False, **layout})


def ascii_json(content: Any, **layout: Any) -> str:
    """Return a value as JSON in ASCII, for checksums and whatever programs alone read."""
    return to_json(content, **{"ensure_ascii": True, **layout})


# A value takes up to two hundred bytes, though two stand for it in a file.
_MOST_VALUES = 1_000_000
_JSON_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)


def from_json(text: str | bytes, most: int = _MOST_VALUES, **reading: Any) -> Any:
    """Return what JSON, in UTF-8, says.

    Args:
        text: of one value.
        most: of the values in it.
        reading: arguments of `json.loads`, such as `parse_float`.

    Raises:
        ValueError: it is not JSON, nested too deeply, or of too many values.
    """
    whole = text if isinstance(text, str) else text.decode(errors="replace")
    # Before any is made; commas in texts part no values.
    if whole.count(",") >= most and _JSON_STRING.sub("", whole).count(",") >= most:
        raise ValueError(f"more than {most:,} values; give fewer, or JSON Lines")
    try:
        return json.loads(text, **reading)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def write_json(path: Path, content: Any) -> None:
    """Write a whole JSON file, indented for people.

    Raises:
        DiskError: see `whole_file`.
    """
    write_text(path, to_json(content, indent=2, allow_nan=False) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON file in UTF-8.

    Raises:
        OSError: the file is missing or unreadable, no regular file, or far too large.
        ValueError: it is not JSON, or nested too deeply.
    """
    return from_json(read_small(path).decode("utf-8"), 10 * _MOST_VALUES)


def checksum(path: Path, algorithm: str = "sha256") -> str:
    """Return the checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, algorithm).hexdigest()


def remove_unfinished(folder: Path, names: Iterable[str] | None = None) -> None:
    """Remove what an interrupted run has left half-written in a folder, and nothing else.

    Args:
        folder: itself, without the folders in it.
        names: of the files that were being written; all by default.
    """
    wanted = None if names is None else set(map(_digest, names))
    for path in folder.glob(f"{_MARK}*.tmp"):
        found = _TEMPORARY_NAME.fullmatch(path.name)
        if found and (wanted is None or found[2] in wanted):
            with suppress(OSError):
                path.unlink()


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says of writing `path` into a DiskError."""
    try:
        yield
    except OSError as error:
        # pyarrow raises OSError without an errno where a write fails.
        reason = error.strerror or str(error)
        remedy = _REMEDIES.get(error.errno, "")
        raise DiskError(
            f"cannot write {_meant(path)}: {reason}; {remedy}choose another place, then run the "
            "same command again"
        ) from error


def _meant(path: Path) -> Path:
    """Return the name that a file gets at the end, where it lies in a temporary folder."""
    parts = []
    for part in path.parts:
        found = _TEMPORARY_NAME.fullmatch(part)
        if found is None:
            parts.append(part)
        elif found[1] != _WITHIN:
            parts.append(found[1])
    return Path(*parts)


def _refuse_device(path: Path) -> None:
    """Refuse a name such as /dev/stdout: to rename a file to it would take the device away."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "it is a pipe or a device", str(path))


def _temporary(path: Path) -> Path:
    """Return a name beside `path` that tells whose it is, and is never too long."""
    begin = path.name.encode(errors="ignore")[:80].decode(errors="ignore")
    name = f"{_MARK}{begin}-{_digest(path.name)}-{token_hex(8)}.{os.getpid()}.tmp"
    return path.with_name(name)


def _digest(name: str) -> str:
    return sha256(name.encode(errors="surrogateescape")).hexdigest()[:16]


def _fsync(path: Path) -> None:
    """See to it that a file, or the names in a folder, outlast a power failure."""
    with suppress(OSError):  # some file systems, and Windows for folders, cannot
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def distinct_names(paths: Sequence[Path], names: Sequence[str]) -> list[str]:
    """Return a name of each path: the one given, or the path where another has the same.

    Raises:
        UsageError: two paths are the same.
    """
    resolved = [path.resolve() for path in paths]
    for path, whole in zip(paths, resolved, strict=True):
        if resolved.count(whole) > 1:
            raise UsageError(f"{path} is given twice; leave one out")
    return [
        name if names.count(name) == 1 else str(path)
        for name, path in zip(names, paths, strict=True)
    ]

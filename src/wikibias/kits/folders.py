"""Result folders: is one ours, describe, verify, refuse, replace, lock; what may be written where.

Names that a file of a result holds are those of whoever wrote the file: none leads out of the
folder. The operating system releases a lock when the process that holds it ends, however it ends; a
file system without locks keeps nobody out.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import IO, TYPE_CHECKING, Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import files

if TYPE_CHECKING:
    from wikibias.kits.document import Document

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
    with files.disk_errors(folder):
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
    with files.disk_errors(folder):
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
    with files.disk_errors(folder):
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
    with files.disk_errors(folder):
        workers = _open(folder / _WORKERS)
    with workers:
        if not _lock(workers, shared=False, patience=_PATIENCE):
            raise UsageError(
                f"workers of a run that was killed are still busy in {folder}; end them, then run "
                "the same command again"
            )


def _open(path: Path) -> IO[str]:
    # Network file systems share only what is open for reading, and lock only what for writing.
    return files.open_nofollow(path, "a+")


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


CARD = "README.md"


def is_own_card(path: Path) -> bool:
    """Return whether a card may be written or removed: it is ours, by its head, or says nothing."""
    with suppress(OSError):
        start = files.read_small(path).strip(b"\0 \n")[:3]
        return path.is_symlink() or start in (b"---", b"")
    return True


REPORT = "report.html"
_WRONG = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
DAMAGED = (*_WRONG, OSError)
"""What reading a folder raises whose contents are not as they were written."""


@dataclass(frozen=True, slots=True)
class ResultFolder:
    """A kind of folder that a command makes, with a description of what is in it.

    Attributes:
        kind: such as "tagger"; also the key of its name in the description.
        version: of the folder's form; a folder of another one is ours, but is not read.
        made_by: the command that makes such a folder.
        largest: bytes of a file; a larger one is not read.
    """

    kind: str
    version: int
    made_by: str
    largest: int = 4_000_000_000

    @property
    def description(self) -> str:
        """The name of the description."""
        return f"{self.kind}.json"

    @property
    def format(self) -> str:
        """How the description names its own version."""
        return f"wikibias-{self.kind.replace('_', '-')}/{self.version}"

    def refuse(self, folder: Path, *, overwrite: bool) -> None:
        """Refuse to write to a folder that holds something else, or is not to be replaced.

        Raises:
            UsageError: it is so.
            DiskError: it cannot be looked into.
        """
        refuse_foreign(folder, self.is_ours)
        if self.is_ours(folder) and not overwrite:
            raise UsageError(
                f"{folder} holds a {self.kind}; --overwrite replaces it, --out names another folder"
            )

    def save(
        self, folder: Path, write: Callable[[Path], Mapping[str, Any]], facts: Mapping[str, Any]
    ) -> None:
        """Write what `write` writes, and a description of it with the checksums.

        Files of what stood there before go, unless they are replaced.

        Args:
            folder: where to.
            write: writes files into a folder, and returns what else to describe.
            facts: further ones, which `write` may not need.

        Raises:
            DiskError: the folder cannot be written.
        """
        before = set(self._files(folder))
        with files.atomic_files(folder) as temporary:
            more = write(temporary)
            listed = {
                path.name: {"bytes": path.stat().st_size, "sha256": files.checksum(path)}
                for path in sorted(temporary.iterdir())
            }
            described = {"format": self.format, **more, **facts, "files": listed}
            files.write_json(temporary / self.description, described)
        with files.disk_errors(folder):
            for name in before - {*listed, self.description}:
                (folder / name).unlink(missing_ok=True)

    def write_report(
        self,
        folder: Path,
        result: Mapping[str, Any],
        page: Document,
        rows: Mapping[str, Sequence[Mapping[str, Any]]],
    ) -> list[Path]:
        """Write a result with its format as the description, tables of rows, and a page of it.

        Args:
            folder: where to.
            result: as JSON.
            page: written to `report.html`.
            rows: of the tables, by the name of the file.

        Returns:
            The files, in order.

        Raises:
            DiskError: the folder cannot be written.
        """
        from wikibias.kits import html, tables

        shown = html.html(page)
        # First, since by it the others are known for ours.
        files.write_json(folder / self.description, {"format": self.format, **result})
        for name, table in rows.items():
            tables.write_rows(folder / name, table)
        files.write_text(folder / REPORT, shown)
        return [folder / name for name in (self.description, *rows, REPORT)]

    def describe(self, folder: Path) -> dict[str, Any]:
        """Read the description.

        Raises:
            WikibiasError: the folder holds none, one of another version, or a damaged one.
        """
        path = folder / self.description
        try:
            described = files.read_json(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            patterns = (f"{above}/{self.description}" for above in ("*", "models/*", "models/*/*"))
            below = [str(each.parent) for one in patterns for each in sorted(folder.glob(one))]
            hint = f"a {self.kind}'s folder: {', '.join(below[:5])}"
            names = ", ".join(sorted(each.name for each in folder.glob("[!.]*"))[:5])
            what = f"no {self.description} in it{names and f', but {names}'}"
            raise WikibiasError(
                f"{folder}: {what if folder.is_dir() else 'no such folder'}; give "
                f"{hint if below else f'the folder that `{self.made_by}` made'}"
            ) from error
        except OSError as error:
            raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
        except ValueError as error:
            raise WikibiasError(f"{path}: damaged ({error})") from error
        if not isinstance(described, dict) or described.get("format") != self.format:
            raise WikibiasError(
                f"{path}: not the description of a {self.kind} of this version ({self.format})"
            )
        return described

    def is_ours(self, folder: Path) -> bool:
        """Return whether a folder holds such a thing, of any version, or what is left of one."""
        try:
            described = files.read_json(folder / self.description)
        except OSError:
            return False
        except ValueError:
            return True
        found = described.get("format") if isinstance(described, dict) else None
        ours = f"{self.format.partition('/')[0]}/"
        return isinstance(found, str) and found.startswith(ours)

    def verify(self, folder: Path, listed: Mapping[str, Mapping[str, Any]]) -> None:
        """Make sure that each file has the size and the checksum of the description.

        Raises:
            WikibiasError: one has not, or is none of the folder.
        """
        for name, facts in listed.items():
            path = folder / name
            if not is_file_name(name) or path.is_symlink() or not path.is_file():
                raise WikibiasError(
                    f"{folder}: no file {name[:80]!r} of the {self.kind}; train it again"
                )
            if facts["bytes"] > self.largest:
                raise WikibiasError(
                    f"{path}: larger than {self.largest / 1e9:.0f} GB; it is not read"
                )
            if path.stat().st_size != facts["bytes"] or files.checksum(path) != facts["sha256"]:
                raise WikibiasError(
                    f"{path}: not the file that {self.description} has the checksum of; "
                    "train it again"
                )

    @contextmanager
    def naming_damage(self, folder: Path) -> Iterator[None]:
        """Turn what reading a damaged folder raises into a WikibiasError that names it."""
        try:
            yield
        except DAMAGED as error:
            raise WikibiasError(
                f"{folder / self.description}: damaged ({type(error).__name__}: {error})"
            ) from error

    def _files(self, folder: Path) -> Iterator[str]:
        """Yield the files of what is in a folder, as far as its description can be read."""
        listed: Any = None
        with suppress(WikibiasError):
            listed = self.describe(folder).get("files")
        if isinstance(listed, dict | list):
            yield from filter(is_file_name, listed)

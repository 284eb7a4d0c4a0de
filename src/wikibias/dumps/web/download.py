"""Downloads of a server's files to disk or as a stream, resumed by byte range."""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from collections.abc import Callable, Generator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from wikibias.dumps.web.http import BROKE_OFF, Backoff, BrokenOffError, Web
from wikibias.dumps.web.remote import Remote
from wikibias.errors import DiskError, FetchError
from wikibias.kits.files import disk_errors

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PARTIAL = ".part"
_RANGE = re.compile(r"bytes ([0-9]{1,15})-.*")
_BINARY = getattr(os, "O_BINARY", 0)
# A name that somebody else put here may lead elsewhere, or block. Windows has neither.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def download(web: Web, remote: Remote, target: Path, report: Callable[[int], None]) -> None:
    """Download a file, or what is missing of it, and rename it when its checksum is right.

    No more is written than the list says that the file has.

    Raises:
        FetchError: the file cannot be had, or has a wrong checksum.
        DiskError: it cannot be written.
    """
    partial = target.with_name(target.name + PARTIAL)
    # What an earlier run left may belong to another file; then download all of it again.
    for _ in range(2):
        _complete(web, remote, partial, report)
        if checksum(partial, remote.algorithm) == remote.checksum:
            with disk_errors(target):
                partial.replace(target)
            return
        partial.unlink()
    raise FetchError(
        f"{remote.url}: the {remote.algorithm} checksum is wrong, twice in a row; "
        "try again later or another mirror (--base-url)"
    )


def blocks(web: Web, url: str, backoff: Backoff, start: int = 0) -> Generator[tuple[int, bytes]]:
    """Yield blocks of a file with their offsets: from `start`, or from 0 if the server must.

    Raises:
        BrokenOffError: they end before the file does, or come too slowly.
        FetchError: the server refuses, or gives other bytes than asked for.
    """
    with web.request("GET", url, backoff, start) as answer:
        at = start if answer.accepted().status == 206 else 0
        told = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if at and told and int(told[1]) != at:
            raise FetchError(f"{url}: the server gives other bytes than it was asked for")
        for block in answer.blocks():
            yield at, block
            at += len(block)
            backoff.reached(at)


def _complete(web: Web, remote: Remote, partial: Path, report: Callable[[int], None]) -> None:
    backoff = Backoff(web.pause, remote.url)
    with _opened(partial) as file:
        while (have := os.fstat(file.fileno()).st_size) < remote.size:
            report(have)
            reason = BROKE_OFF
            try:
                for place, block in blocks(web, remote.url, backoff, have):
                    _write(file, partial, place, block[: remote.size - place])
                    report(place + len(block))
                    if place + len(block) >= remote.size:
                        break
            except BrokenOffError as error:
                reason = str(error)
            if os.fstat(file.fileno()).st_size < remote.size:
                backoff.wait(reason)
        # A later run looks only at name and size, which may outlast a power failure alone.
        with disk_errors(partial):
            os.fsync(file.fileno())
    report(remote.size)


def _opened(partial: Path) -> IO[bytes]:
    """Open what an earlier run has left, or a new file.

    Raises:
        DiskError: the name is that of something else than a file.
    """
    with disk_errors(partial):
        try:
            number = os.open(partial, os.O_RDWR | os.O_CREAT | _NO_LINK | _BINARY, 0o666)
        except OSError as error:
            if partial.is_symlink():
                raise _no_file(partial) from error
            raise
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise _no_file(partial)
        return os.fdopen(number, "r+b")


def _no_file(path: Path) -> DiskError:
    return DiskError(f"cannot write {path}: it is a link, a pipe or a device; remove it")


def _write(file: IO[bytes], partial: Path, place: int, block: bytes) -> None:
    with disk_errors(partial):
        file.seek(place)
        file.write(block)
        file.truncate()
        file.flush()


def checksum(path: Path, algorithm: str) -> str:
    """Return the checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


class RemoteStream(io.RawIOBase):
    """A file on a server as a raw stream, resumed by byte range where a connection broke."""

    def __init__(self, url: str) -> None:
        self._blocks: Generator[tuple[int, bytes]] | None = None
        self._web = Web()
        self._url = url
        self._size = self._web.size(url)
        self._backoff = Backoff(self._web.pause, url)
        self._at = 0
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """Return True, for io.BufferedReader."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill `buffer` and return how many bytes were read; 0 at the end of the file.

        Raises:
            FetchError: the connection broke for good, or the server cannot resume.
        """
        view = memoryview(buffer).cast("B")
        while not self._left and self._at < self._size:
            self._fill()
        count = min(len(view), len(self._left))
        view[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def close(self) -> None:
        """Close the connection, read to the end or not."""
        if self._blocks is not None:
            self._blocks.close()
        super().close()

    def _fill(self) -> None:
        if self._blocks is None:
            self._blocks = blocks(self._web, self._url, self._backoff, self._at)
        reason = BROKE_OFF
        try:
            place, block = next(self._blocks, (self._at, b""))
        except BrokenOffError as error:
            place, block, reason = self._at, b"", str(error)
        if place != self._at:
            raise FetchError(f"{self._url}: the server cannot go on where the connection broke")
        if not block:
            self._blocks = None
            self._backoff.wait(reason)
        # The size that the server gave first is that of the file.
        self._left = memoryview(block)[: self._size - self._at]
        self._at += len(self._left)

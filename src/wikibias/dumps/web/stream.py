"""Reads a file on a server as a stream, without a copy on the disk."""

from __future__ import annotations

import io
from collections.abc import Generator
from typing import TYPE_CHECKING

from wikibias.dumps.web.backoff import Backoff
from wikibias.dumps.web.download import blocks
from wikibias.dumps.web.http import BROKE_OFF, BrokenOffError, Web
from wikibias.errors import FetchError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


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

"""Reads a part in chunks of bytes that contain whole revisions."""

from __future__ import annotations

import io
from io import BufferedIOBase
from typing import TYPE_CHECKING

from wikibias.dumps.compression.streams import DAMAGE
from wikibias.dumps.xml.patterns import ODD

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Larger chunks do not fit in the processor's cache and were slower.
_CHUNK_SIZE = 1 << 19
_MAX_HEAD = 1 << 22
# Bytes of the longest revision that is read here. MediaWiki saves texts of up to 2 MB, of which
# escapes may make 12.
_LONGEST_REVISION = 1 << 24
_REVISION_END = b"</revision>"
_NEVER = 1 << 62
_FEW = 1000


class RevisionBuffer:
    """Holds one chunk of a part at a time.

    `at` is the reading position in the chunk, `end` the end of its last whole revision. Damage of
    the archive, or too little memory, ends the part; the stream of `rest` raises it again.
    """

    def __init__(self, stream: BufferedIOBase) -> None:
        self.chunk = b""
        self.at = self.end = 0
        self._stream = stream
        self._error: Exception | None = None
        self._next_odd = _NEVER

    @property
    def is_damaged(self) -> bool:
        """Whether damage of the archive ended the part."""
        return self._error is not None

    def head(self) -> bytes | None:
        """Read up to the first page and return the bytes before it; None if there is no page."""
        while (start := self.chunk.find(b"<page>")) < 0:
            more = self._read()
            self.chunk = b"".join([self.chunk, *more])
            if not more or len(self.chunk) > _MAX_HEAD:
                return None
        self.at = self.end = start
        return self.chunk[:start]

    def more(self) -> bool:
        """Read until the chunk holds another whole revision; return False if there is none.

        That is at the end of the part, and before a revision that is too long to be held.
        """
        chunk, self.at, wanted = self.chunk[self.at :], 0, _CHUNK_SIZE
        end = _last_end(chunk, 0)
        while end < 0:
            more = self._read(wanted) if len(chunk) < _LONGEST_REVISION else []
            # Read twice as much each time, so that a long revision is copied only a few times.
            searched, wanted = max(0, len(chunk) - len(_REVISION_END)), len(chunk)
            chunk = b"".join([chunk, *more])
            end = _last_end(chunk, searched)
            if not more:
                self.chunk, self.end = chunk, 0
                return False
        self.chunk, self.end = chunk, end + len(_REVISION_END)
        self._next_odd = self._find_odd(0)
        return True

    def is_odd(self, end: int) -> bool:
        """Return whether only an XML parser can resolve some reference from `at` to `end`."""
        if self._next_odd < self.at:
            self._next_odd = self._find_odd(self.at)
        return self._next_odd < end

    def rest(self, before: bytes | None = None) -> io.BufferedReader:
        """Return a stream of `before` and the unread rest; with None, of all that was read."""
        prefix = self.chunk if before is None else before + self.chunk[self.at :]
        return io.BufferedReader(_Rest(prefix, self._stream, self._error), _CHUNK_SIZE)

    def _find_odd(self, start: int) -> int:
        odd = ODD.search(self.chunk, start, self.end)
        return _NEVER if odd is None else int(odd.start())

    def _read(self, wanted: int = _CHUNK_SIZE) -> list[bytes]:
        """Read about `wanted` bytes, at least a chunk; less at the end or before damage."""
        wanted = max(wanted, _CHUNK_SIZE)
        found: list[bytes] = []
        size = 0
        try:
            while size < wanted and self._error is None:
                read = self._stream.read1()
                if not read:
                    break
                found.append(read)
                size += len(read)
        except (MemoryError, *DAMAGE) as error:
            self._error = error
        return found


def _last_end(chunk: bytes, start: int) -> int:
    """Return the position of the last `</revision>` from `start` on, or -1.

    Only a few "<" follow it in a dump, and searching for one byte is much faster than for several.
    """
    at = len(chunk)
    for _ in range(_FEW):
        at = chunk.rfind(b"<", start, at)
        if at < 0 or chunk.startswith(_REVISION_END, at):
            return at
    return chunk.rfind(_REVISION_END, start, at)


class _Rest(io.RawIOBase):
    """A stream of bytes read already, then of the rest of a stream, then its error, if any."""

    def __init__(self, prefix: bytes, stream: BufferedIOBase, error: Exception | None) -> None:
        self._prefix = memoryview(prefix)
        self._stream = stream
        self._error = error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        read: bytes | memoryview = self._prefix[: len(view)]
        self._prefix = self._prefix[len(read) :]
        if not read:
            if self._error is not None:
                raise self._error
            read = self._stream.read1(len(view))
        view[: len(read)] = read
        return len(read)

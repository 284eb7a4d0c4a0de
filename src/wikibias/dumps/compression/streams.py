"""Opens a part and decompresses it. The first bytes decide the format, not the file name."""

from __future__ import annotations

import hashlib
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

from wikibias.dumps.compression import bzip2, formats
from wikibias.dumps.compression.bzip2 import Taker
from wikibias.errors import DumpError, FetchError

STDIN = "-"
# Open file descriptors, such as `<(...)` of a shell.
_DESCRIPTORS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_READ_SIZE = 1 << 18
# Damage costs the whole chunk that it is in.
_CHUNK_SIZE = 1 << 16
# Where an xz file says which checksum it has, and a zst frame whether it has one.
_XZ_CHECK, _ZST_FLAGS, _ZST_CHECK = 7, 4, 0b100
_MAGIC = (
    (b"BZh", "bz2"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x1f\x8b", "gz"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"\x5d\x00\x00", "lzma"),
)
# Bytes allowed before the first `<` of an XML document: white space, byte order marks, UTF-16.
_BEFORE_XML = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"
# Chunks that a thread decompresses ahead.
_TOGETHER = 32
_WEB_PAGE = (b"<!doctype html", b"<html")
# What the decompressors raise on damaged or truncated input.
DAMAGE = (
    EOFError,
    OSError,
    lzma.LZMAError,
    zlib.error,
    formats.GzError,
    formats.ZstdError,
    FetchError,
)


class Source(io.RawIOBase):
    """Reads the raw bytes of one input, and counts and hashes them.

    `read_bytes` is the number of bytes read so far. `sha256()` reads the rest and returns the
    checksum of the whole input. `is_checked` tells whether the input holds a checksum of what is
    packed in it, so that damage shows. `has_streams` tells whether several streams were found in
    it, one behind the other, each with a checksum of its own alone.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self._hash = hashlib.sha256()
        self.read_bytes = 0
        self.is_checked = False
        self.has_streams = False

    def note_streams(self) -> None:
        """Note that another stream follows the first."""
        self.has_streams = True

    def readable(self) -> bool:
        """Return True, which io.BufferedReader asks for."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` and return how many bytes were read; 0 at the end."""
        view = memoryview(buffer).cast("B")
        count = self._raw.readinto(view) or 0
        self._hash.update(view[:count])
        self.read_bytes += count
        return count

    def read_up_to(self, end: int) -> None:
        """Read up to byte `end`, unless that has been read already."""
        while self.read_bytes < end and self.read(min(_READ_SIZE, end - self.read_bytes)):
            pass

    def sha256(self) -> str:
        """Return the checksum of the whole input, in hexadecimal."""
        while self.read(_READ_SIZE):
            pass
        return self._hash.hexdigest()


def is_url(path: str) -> bool:
    """Return whether the path of a part is a URL."""
    return path.startswith(("http://", "https://"))


def is_ours_alone(path: str) -> bool:
    """Return whether only this process can open a path, and no process that it starts."""
    return path == STDIN or path.startswith(_DESCRIPTORS)


@contextmanager
def open_part(
    path: str, threads: int = 1, taker: Taker | None = None
) -> Iterator[tuple[io.BufferedIOBase, Source]]:
    """Open a dump part, a URL, or standard input ("-"); yield its XML bytes and its source.

    Up to `threads` threads decompress it, if the format allows; the bytes are the same. If a part
    is damaged, the stream first returns everything before the damage, then raises one of DAMAGE.
    `taker` takes the blocks of bz2.

    Raises:
        DumpError: the file is missing, cannot be read, is empty, or is a broken archive.
    """
    with ExitStack() as stack:
        try:
            raw = sys.stdin.buffer if path == STDIN else stack.enter_context(_opened(path))
        except OSError as error:
            raise DumpError(f"cannot be opened: {error.strerror}") from error
        except FetchError as error:
            raise DumpError(f"cannot be opened: {error}") from error
        source = Source(cast(io.RawIOBase, raw))
        buffered = io.BufferedReader(source, _READ_SIZE)
        yield _decompressed(buffered, source, path, threads, stack, taker), source


def _opened(path: str) -> io.RawIOBase:
    if not is_url(path):
        return io.FileIO(path)
    # To load requests takes as long as reading a small dump.
    from wikibias.dumps.web.catalogue import RemoteStream  # noqa: PLC0415

    return RemoteStream(path)


def _decompressed(
    buffered: io.BufferedReader[Source],
    source: Source,
    path: str,
    threads: int,
    stack: ExitStack,
    taker: Taker | None,
) -> io.BufferedIOBase:
    head = buffered.peek(8)[:8]
    if not head:
        raise DumpError("is empty")
    form = next((form for magic, form in _MAGIC if head.startswith(magic)), "xml")
    source.is_checked = _is_checked(form, head)
    if form == "xml":
        _check_name(path, buffered.peek(_READ_SIZE)[:_READ_SIZE])
    if form == "bz2":
        return ChunkStream(bzip2.decompressed(buffered, threads, stack, source.note_streams, taker))
    if form == "gz":
        return ChunkStream(formats.decompress_gz(buffered, source.note_streams))
    if form in ("xz", "lzma"):
        return ChunkStream(formats.decompress_xz(buffered, source.note_streams))
    if form == "zst":
        return ChunkStream(formats.decompress_zst(buffered, source.note_streams))
    if form == "7z":
        if is_url(path):
            raise DumpError(
                "is a 7z on a server, which cannot be streamed; download it with `wikibias fetch`, "
                "or give the bz2"
            )
        if path == STDIN or not Path(path).is_file():
            raise DumpError(
                "is a 7z from a pipe, which cannot be streamed; save it to a file and give its name"
            )
        # Imported only when needed: py7zr takes as long to import as a small dump to read.
        from wikibias.dumps.compression.sevenzip import open_7z  # noqa: PLC0415

        size, chunks, source.is_checked = open_7z(Path(path), stack)
        if threads > 1:
            chunks = _ahead(chunks, stack)
        return ChunkStream(_in_step(chunks, size, source, Path(path).stat().st_size))
    return buffered


def _is_checked(form: str, head: bytes) -> bool:
    """Return whether what is packed has a checksum, by the head of a file that is no 7z."""
    if form == "xz":
        return head[_XZ_CHECK : _XZ_CHECK + 1] != b"\0"
    if form == "zst":
        return any(flags & _ZST_CHECK for flags in head[_ZST_FLAGS : _ZST_FLAGS + 1])
    return form in ("bz2", "gz")


def _check_name(path: str, head: bytes) -> None:
    """Refuse a file that is named like an archive but is neither an archive nor XML."""
    ending = Path(path).suffix
    start = head.lstrip(_BEFORE_XML).lower()
    is_xml = start.startswith(b"<") and not start.startswith(_WEB_PAGE)
    if ending.removeprefix(".") in {form for _, form in _MAGIC} and not is_xml:
        what = "a web page" if start.startswith(_WEB_PAGE) else "neither an archive nor XML"
        raise DumpError(f"is {what}, although it is named {ending}; fetch it again")


def _ahead(chunks: Iterator[bytes], stack: ExitStack) -> Iterator[bytes]:
    """Yield chunks while a thread, which ends with `stack`, decompresses the next ones."""

    def some() -> tuple[list[bytes], Exception | None]:
        found: list[bytes] = []
        try:
            while len(found) < _TOGETHER:
                found.append(next(chunks))
        except Exception as error:  # raised again where it belongs
            return found, error
        return found, None

    pool = ThreadPoolExecutor(1)
    stack.callback(pool.shutdown, cancel_futures=True)
    found, error = some()
    while error is None:
        later = pool.submit(some)
        yield from found
        found, error = later.result()
    yield from found
    if not isinstance(error, StopIteration):
        raise error


def _in_step(chunks: Iterator[bytes], size: int, source: Source, file_size: int) -> Iterator[bytes]:
    """Advance the source in step with the chunks that another reader of the file decompresses."""
    done = 0
    for chunk in chunks:
        done += len(chunk)
        due = file_size * done // size
        # A chunk may take only some hundred bytes of the file.
        if due - source.read_bytes >= _CHUNK_SIZE or done == size:
            source.read_up_to(due)
        yield chunk


class ChunkStream(io.BufferedIOBase):
    """Chunks of bytes as a stream, which returns everything before an error before it raises it.

    `read1` without a size returns a chunk without copying it.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._chunk = b""
        self._at = 0
        self._error: Exception | None = None

    def readable(self) -> bool:
        """Return True, which io.BufferedReader asks for."""
        return True

    def read1(self, size: int = -1, /) -> bytes:
        """Return what is left of a chunk, or `size` bytes of it; nothing at the end."""
        while self._at == len(self._chunk):
            if self._error:
                raise self._error
            try:
                chunk = next(self._chunks, None)
            except DAMAGE as error:
                self._error = error
                raise
            if chunk is None:
                return b""
            self._chunk, self._at = chunk, 0
        begin, end = self._at, len(self._chunk) if size < 0 else self._at + size
        self._at = min(end, len(self._chunk))
        return self._chunk[begin:end]

    def read(self, size: int | None = -1, /) -> bytes:
        """Return `size` bytes, or all; fewer at the end and before an error."""
        wanted = sys.maxsize if size is None or size < 0 else size
        found = list[bytes]()
        while wanted:
            try:
                read = self.read1(wanted)
            except DAMAGE:
                if not found:
                    raise
                break
            if not read:
                break
            found.append(read)
            wanted -= len(read)
        return b"".join(found)

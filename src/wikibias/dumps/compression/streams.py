"""Bytes of a part, decompressed. The format is told from the first bytes, not from the name."""

from __future__ import annotations

import hashlib
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import zstandard

from wikibias.dumps.compression import bzip2, gz
from wikibias.dumps.web.http import RemoteStream
from wikibias.dumps.web.remote import is_url
from wikibias.errors import DumpError, FetchError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STDIN = "-"
# What a process has open, such as `<(...)` of a shell.
_DESCRIPTORS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_BLOCK = 1 << 18
# Of a piece with damage all is lost.
_PIECE = 1 << 16
_MOST_WINDOW = 1 << 31
_MAGIC = (
    (b"BZh", "bz2"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x1f\x8b", "gz"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"\x5d\x00\x00", "lzma"),
)
# What may stand before the first `<` of an XML document: white space, marks of byte order, UTF-16.
_BEFORE_XML = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"
_WEB_PAGE = (b"<!doctype html", b"<html")
# What the decompressors raise on damaged or cut-off input.
DAMAGE = (
    EOFError,
    OSError,
    lzma.LZMAError,
    zlib.error,
    gz.GzError,
    zstandard.ZstdError,
    FetchError,
)


class Source(io.RawIOBase):
    """The raw bytes of one input, counted and hashed as they are read.

    `read_bytes` is how far the reading has got; `sha256()` reads what is left and returns the
    checksum of the whole.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self._hash = hashlib.sha256()
        self.read_bytes = 0

    def readable(self) -> bool:
        """Say yes to io.BufferedReader."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill `buffer` and return how many bytes were read; 0 at the end."""
        view = memoryview(buffer).cast("B")
        count = self._raw.readinto(view) or 0
        self._hash.update(view[:count])
        self.read_bytes += count
        return count

    def read_on(self, end: int) -> None:
        """Read up to the byte `end`, if that is not done yet."""
        while self.read_bytes < end and self.read(min(_BLOCK, end - self.read_bytes)):
            pass

    def sha256(self) -> str:
        """Return the checksum of the whole input, in hexadecimal."""
        while self.read(_BLOCK):
            pass
        return self._hash.hexdigest()


def is_ours_alone(path: str) -> bool:
    """Tell whether a process that we start could not open a path as we can."""
    return path == STDIN or path.startswith(_DESCRIPTORS)


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def open_part(path: str, threads: int = 1) -> Iterator[tuple[io.BufferedIOBase, Source]]:
    """Open a dump part, a URL, or standard input for "-"; give its XML bytes and its source.

    Up to `threads` threads unpack it, if its format lets more than one; the bytes are the same.
    Where a part is damaged, one of DAMAGE is raised after what stands before the damage.

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
        buffered = io.BufferedReader(source, _BLOCK)
        yield _unpacked(buffered, source, path, threads, stack), source


def _opened(path: str) -> io.RawIOBase:
    if not is_url(path):
        return io.FileIO(path)
    # Imported where it is needed, as py7zr below, for it takes as long as reading a small dump.

    return RemoteStream(path)


def _unpacked(
    buffered: io.BufferedReader[Source], source: Source, path: str, threads: int, stack: ExitStack
) -> io.BufferedIOBase:
    head = buffered.peek(8)[:8]
    if not head:
        raise DumpError("is empty")
    form = next((form for magic, form in _MAGIC if head.startswith(magic)), "xml")
    if form == "xml":
        _refuse_false_name(path, buffered.peek(_BLOCK)[:_BLOCK])
    if form == "bz2":
        return _Blocks(bzip2.decompressed(buffered, threads, stack))
    if form == "gz":
        return _Blocks(gz.decompressed(buffered))
    if form in ("xz", "lzma"):
        return _Blocks(iter(partial(lzma.LZMAFile(buffered).read1, _PIECE), b""))
    if form == "zst":
        # It ends in silence where a frame is cut off; the reader of the XML, lacking the root's
        # end, tells.
        unpacking = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW)
        reader = unpacking.stream_reader(buffered, read_across_frames=True)
        return _Blocks(iter(partial(reader.read, _PIECE), b""))
    if form == "7z":
        if is_url(path):
            raise DumpError(
                "7z cannot be read from a server; get it by `wikibias fetch`, or take the bz2"
            )
        if path == STDIN or not Path(path).is_file():
            raise DumpError("7z cannot be read from a pipe; save it to a file and give its name")
        from wikibias.dumps.compression.sevenzip import open_7z  # noqa: PLC0415

        size, blocks = open_7z(Path(path), threads, stack)
        return _Blocks(_followed(blocks, size, source, Path(path).stat().st_size))
    return buffered


def _refuse_false_name(path: str, head: bytes) -> None:
    """Make sure that what is no archive, and named as one, is XML at least."""
    ending = Path(path).suffix
    start = head.lstrip(_BEFORE_XML).lower()
    is_xml = start.startswith(b"<") and not start.startswith(_WEB_PAGE)
    if ending.removeprefix(".") in {form for _, form in _MAGIC} and not is_xml:
        what = "a web page" if start.startswith(_WEB_PAGE) else f"no {ending} file, and no XML"
        raise DumpError(f"is {what}, whatever its name says; fetch it again")


def _followed(blocks: Iterator[bytes], size: int, source: Source, packed: int) -> Iterator[bytes]:
    """Let the source follow, in step with what is unpacked of an archive read by another."""
    done = 0
    for block in blocks:
        done += len(block)
        source.read_on(packed * done // size)
        yield block


class _Blocks(io.BufferedIOBase):
    """Blocks of bytes as a stream. Before it raises an error, it gives all that came before it.

    `read1` without a size gives a block as it is, which spares a copy.
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._left = b""
        self._at = 0
        self._error: Exception | None = None

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1, /) -> bytes:
        while self._at == len(self._left):
            if self._error:
                raise self._error
            try:
                block = next(self._blocks, None)
            except DAMAGE as error:
                self._error = error
                raise
            if block is None:
                return b""
            self._left, self._at = block, 0
        begin, end = self._at, len(self._left) if size < 0 else self._at + size
        self._at = min(end, len(self._left))
        return self._left[begin:end]

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = sys.maxsize if size is None or size < 0 else size
        pieces = list[bytes]()
        while wanted:
            try:
                piece = self.read1(wanted)
            except DAMAGE:
                if not pieces:
                    raise
                break
            if not piece:
                break
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

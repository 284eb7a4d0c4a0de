"""Bytes of a part, decompressed. The format is told from the first bytes, not from the name."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import py7zr
import zstandard

from wikibias.dumps.download import RemoteStream, is_url
from wikibias.errors import DumpError, FetchError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STDIN = "-"
_BLOCK = 1 << 18
_MAGIC = (
    (b"BZh", "bz2"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x1f\x8b", "gz"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"\x5d\x00\x00", "lzma"),
)
# What the decompressors raise on damaged or cut-off input.
DAMAGE = (
    EOFError,
    OSError,
    lzma.LZMAError,
    zlib.error,
    zstandard.ZstdError,
    py7zr.exceptions.ArchiveError,
    FetchError,
)


class Source(io.RawIOBase):
    """The raw bytes of one input, counted and hashed as they are read.

    `read_bytes` is how far the reading has got; `sha256()` reads what is left and returns the
    checksum of the whole.
    """

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._hash = hashlib.sha256()
        self.read_bytes = 0

    def readable(self) -> bool:
        """Say yes to io.BufferedReader."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill `buffer` and return how many bytes were read; 0 at the end."""
        view = memoryview(buffer).cast("B")
        block = self._raw.read(len(view))
        view[: len(block)] = block
        self._hash.update(block)
        self.read_bytes += len(block)
        return len(block)

    def sha256(self) -> str:
        """Return the checksum of the whole input, in hexadecimal."""
        while self.read(_BLOCK):
            pass
        return self._hash.hexdigest()


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def open_part(path: str) -> Iterator[tuple[io.BufferedIOBase, Source]]:
    """Open a dump part, a URL, or standard input for "-"; give its XML bytes and its source.

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
        source = Source(raw)
        buffered = io.BufferedReader(source, _BLOCK)
        yield _decompressed(buffered, source, path, stack), source


def _opened(path: str) -> BinaryIO:
    return cast(BinaryIO, RemoteStream(path)) if is_url(path) else Path(path).open("rb")


def _decompressed(
    buffered: io.BufferedReader[Source], source: Source, path: str, stack: ExitStack
) -> io.BufferedIOBase:
    head = buffered.peek(8)[:8]
    if not head:
        raise DumpError("is empty")
    form = next((form for magic, form in _MAGIC if head.startswith(magic)), "xml")
    if form == "bz2":
        return bz2.BZ2File(buffered)
    if form == "gz":
        return gzip.GzipFile(fileobj=buffered)
    if form in ("xz", "lzma"):
        return lzma.LZMAFile(buffered)
    if form == "zst":
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(
            buffered, read_across_frames=True
        )
        return io.BufferedReader(_Zstd(reader), _BLOCK)
    if form == "7z":
        if is_url(path):
            raise DumpError(
                "7z cannot be read from a server; get it by `wikibias fetch`, or take the bz2"
            )
        if path == STDIN:
            raise DumpError("7z cannot be read from a pipe; save it to a file and give its name")
        return io.BufferedReader(_SevenZip(Path(path), stack, source), _BLOCK)
    return buffered


class _Zstd(io.RawIOBase):
    """zstandard's reader as a raw stream.

    It ends in silence where a frame is cut off; the XML parser, lacking the root's end, tells.
    """

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return int(self._reader.readinto(buffer))


class _SevenZip(io.RawIOBase):
    """The first file of a 7z archive as a stream, a block at a time.

    py7zr's own extraction unpacks up to 128 MB at once; its decompressor, asked block by block,
    keeps memory flat. The archive's checksum is compared at the end.
    """

    def __init__(self, path: Path, stack: ExitStack, source: Source) -> None:
        try:
            archive = stack.enter_context(py7zr.SevenZipFile(path))
            streams = archive.header.main_streams
            folder = streams.unpackinfo.folders[0]
            packed = streams.packinfo.packsizes[0]
        except (*DAMAGE, AttributeError, IndexError, TypeError, ValueError) as error:
            raise DumpError(
                f"is a broken or cut-off 7z archive ({error}); fetch it again"
            ) from error
        if len(folder.unpacksizes) and archive.needs_password():
            raise DumpError("is a 7z archive with a password")
        self._decompressor = folder.get_decompressor(packed)
        self._file = stack.enter_context(path.open("rb"))
        self._file.seek(archive.afterheader + streams.packinfo.packpos)
        self._left = int(folder.unpacksizes[-1])
        sizes = streams.substreamsinfo.unpacksizes if streams.substreamsinfo else None
        if sizes:
            self._left = int(sizes[0])
        self._total, self._size = max(1, self._left), path.stat().st_size
        self._wanted_crc = self._first_crc(streams, folder)
        self._crc = 0
        self._pending = memoryview(b"")
        self._source = source

    @staticmethod
    def _first_crc(streams: Any, folder: Any) -> int | None:
        info = streams.substreamsinfo
        if info is not None and info.digestsdefined and info.digestsdefined[0]:
            return int(info.digests[0])
        return int(folder.crc) if folder.digestdefined else None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        while not self._pending and self._left:
            self._fill()
        count = min(len(view), len(self._pending))
        view[:count] = self._pending[:count]
        self._pending = self._pending[count:]
        return count

    def _fill(self) -> None:
        block = self._decompressor.decompress(self._file, min(_BLOCK, self._left))
        if not block:
            raise EOFError("the archive ends before its content does")
        self._follow()
        self._crc = zlib.crc32(block, self._crc)
        self._left -= len(block)
        self._pending = memoryview(block)
        if not self._left and self._wanted_crc not in (None, self._crc):
            raise OSError("the checksum of the archive's content is wrong")

    def _follow(self) -> None:
        """Let the counting source follow, in step with what has been unpacked."""
        behind = int(self._size * (1 - self._left / self._total)) - self._source.read_bytes
        if behind > 0:
            self._source.read(behind)

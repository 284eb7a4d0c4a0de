"""Decompression of gz, xz, lzma and bz2, with a bound on the memory that an archive may ask for.

bz2 is decompressed block by block, in several threads. A file is one or more streams. A stream is a
header ("BZh" and a digit), blocks, and a footer with a checksum over the checksums of its blocks;
the last byte is padded. A block holds at most 900 kB, starts with a 48-bit magic number at any bit
position, and does not depend on other blocks. So this module cuts out each block, appends a footer
to make it a small bz2 file, and gives it to Python's bz2, which releases the GIL. One thread or
many: the bytes and the error messages are the same. Nothing of a damaged block is returned.
"""

from __future__ import annotations

import bz2
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from lzma import FORMAT_AUTO, LZMADecompressor, LZMAError
from typing import BinaryIO

from wikibias.errors import DumpError

# Bytes. xz and 7z take at most 64 MB at their highest levels (7z, since 2023, 256), zstd 128.
LARGEST_WINDOW = 1 << 28


def check_window(form: str, size: int) -> None:
    """Refuse an archive whose window, which others call its dictionary, is too large.

    Raises:
        DumpError: it is.
    """
    if size > LARGEST_WINDOW:
        raise DumpError(
            f"is a {form} archive that takes more than {LARGEST_WINDOW >> 20} MB of memory to "
            "unpack; pack it again with a smaller dictionary (window)"
        )


try:
    from isal.isal_zlib import crc32, decompressobj
    from isal.isal_zlib import error as GzError  # noqa: N812 (it is a class)

    BY_ISAL = True
except ImportError:
    from zlib import crc32, decompressobj
    from zlib import error as GzError  # noqa: N812

    BY_ISAL = False

__all__ = ["BY_ISAL", "GzError", "crc32", "decompress_gz"]
# Damage costs everything that one read returned; larger reads are hardly faster.
_READ_SIZE = 1 << 14
_GZ_CHUNK = 1 << 18
_WITH_HEADER = 31


def _untold() -> None:
    """Tell nobody of further streams."""


def decompress_gz(file: BinaryIO, further: Callable[[], None] = _untold) -> Iterator[bytes]:
    """Yield the content of a gz file, of one member or several, in chunks of at most 256 KB.

    Zeros after the last member are ignored, as `gzip` does; `further` is called for each after the
    first.

    Raises:
        EOFError: the file is cut off.
        GzError: it is damaged.
    """
    decompressor, is_first = None, True
    while read := file.read(_READ_SIZE):
        while read:
            if decompressor is None:
                read = read.lstrip(b"\0")
                decompressor = decompressobj(wbits=_WITH_HEADER) if read else None
                if read and not is_first:
                    further()
                is_first = False
                continue
            yield decompressor.decompress(read, _GZ_CHUNK)
            if decompressor.eof:
                read, decompressor = decompressor.unused_data, None
            else:
                read = decompressor.unconsumed_tail
    if decompressor is not None:
        raise EOFError("the file ends before its content does")


# Damage costs the whole chunk that it is in.
_XZ_CHUNK = 1 << 16
# What the decompressor takes beside the dictionary.
_OVERHEAD = 1 << 22


def decompress_xz(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of an xz or lzma file, of one stream or several, in chunks of up to 64 KB.

    Bytes after a stream that do not start another one are ignored, as `lzma.LZMAFile` does.

    Raises:
        DumpError: its dictionary is too large.
        EOFError: the file is cut off.
        LZMAError: it is damaged.
    """
    unpacking, is_first, has_begun = _unpacking(), True, False
    while True:
        read = b""
        if unpacking.eof:
            read = _next_stream(unpacking.unused_data, file)
            if not read:
                return
            unpacking, is_first, has_begun = _unpacking(), False, False
        elif unpacking.needs_input:
            read = file.read(_READ_SIZE)
            if not read:
                raise EOFError("the file ends before its content does")
        try:
            chunk = unpacking.decompress(read, _XZ_CHUNK)
        except LZMAError as error:
            if "Memory usage limit" in str(error):
                check_window("xz or lzma", LARGEST_WINDOW + 1)
            if is_first or has_begun:
                raise
            return
        has_begun = True
        if chunk:
            yield chunk


def _next_stream(read: bytes, file: BinaryIO) -> bytes:
    """Return what was read behind a stream, without the zeros that pad it."""
    while not (read := read.lstrip(b"\0")):
        read = file.read(_READ_SIZE)
        if not read:
            break
    return read


def _unpacking() -> LZMADecompressor:
    return LZMADecompressor(FORMAT_AUTO, memlimit=LARGEST_WINDOW + _OVERHEAD)


_BLOCK_MAGIC, _FOOTER_MAGIC = 0x314159265359, 0x177245385090
_MAGIC_BITS, _CHECKSUM_BITS = 48, 32
_HEADER = re.compile(rb"BZh[1-9]")
_READ = 1 << 18
# A single XML reader cannot keep up with more threads; each thread holds about 6 MB.
_MAX_THREADS = 16
# No compressed block is larger: 900,000 codes of at most 20 bits, and tables.
_MAX_COMPRESSED_BLOCK = 1 << 22
# A block of one repeated letter decompresses to 46 MB, so it is returned in chunks of this size.
_CHUNK_SIZE = 1 << 22
_CUT_OFF = "the file ends before its content does"
_DAMAGED = "a block is damaged"
# The five whole bytes inside a magic number, for each of the 8 bit positions it can start at.
_MAGIC_BYTES = [
    (before, (magic >> (8 - before) & ((1 << 40) - 1)).to_bytes(5), magic)
    for magic in (_BLOCK_MAGIC, _FOOTER_MAGIC)
    for before in range(8)
]


@dataclass(frozen=True, slots=True)
class _Section:
    """The bits from one magic number to the next: a block, or a footer with the next header.

    It starts at bit `at` of a byte. The `last` section runs to the end of the file.
    """

    bits: int
    length: int
    at: int
    last: bool

    @property
    def magic(self) -> int:
        return self.bits >> max(0, self.length - _MAGIC_BITS)

    @property
    def checksum(self) -> int:
        return self.bits >> max(0, self.length - _MAGIC_BITS - _CHECKSUM_BITS) & 0xFFFFFFFF

    def extended_by(self, following: _Section) -> _Section:
        bits = self.bits << following.length | following.bits
        return _Section(bits, self.length + following.length, self.at, following.last)

    def as_file(self) -> bytes:
        """Return a block as a bz2 file. The last section gets no footer."""
        bits, length = self.bits, self.length
        if not self.last:
            footer = _FOOTER_MAGIC << _CHECKSUM_BITS | self.checksum
            bits = bits << (_MAGIC_BITS + _CHECKSUM_BITS) | footer
            length += _MAGIC_BITS + _CHECKSUM_BITS
        return b"BZh9" + (bits << -length % 8).to_bytes((length + 7) // 8)

    def after_footer(self) -> bytes | None:
        """Return the bytes after a footer; None if they do not start at a whole byte."""
        length = self.length - _MAGIC_BITS - _CHECKSUM_BITS - -self.at % 8
        if length < 0 or length % 8:
            return None
        return (self.bits & ((1 << length) - 1)).to_bytes(length // 8)


# The first chunk of a block, and the decompressor that returns the others, if there are any.
_Content = tuple[bytes, bz2.BZ2Decompressor | None]
# A section, and the function that returns its content, which a thread may have ready already.
_Pending = tuple[_Section, Callable[[], _Content]]


def decompressed(
    file: BinaryIO, threads: int, stack: ExitStack, further: Callable[[], None] = _untold
) -> Iterator[bytes]:
    """Yield the content of a bz2 file, of one stream or several, in chunks of at most 4 MB.

    Bytes after the last stream that do not start a stream are ignored, as `bzip2` does. At most
    `threads` + 2 blocks are in memory. The threads end with `stack`; `threads=1` starts none.
    `further` is called for each stream after the first.

    Raises:
        EOFError: the file is cut off; all blocks before that have been yielded.
        OSError: a block or a footer is damaged; all blocks before it have been yielded.
    """
    pending = _pending(_sections(file), min(threads, _MAX_THREADS), stack)
    checksum, ended = 0, False
    for found, content in pending:
        section = found
        if section.magic == _FOOTER_MAGIC:
            _check_footer(section, checksum)
            checksum, ended = 0, section.last
            if not ended:
                further()
            continue
        try:
            first, decompressor = content()
        except OSError:
            # By chance, about once in some tens of terabytes, a block contains the bits of a magic
            # number: then it goes on in the next section.
            following = next(pending, None)
            if following is None:
                raise OSError(_DAMAGED) from None
            section = section.extended_by(following[0])
            first, decompressor = _content(section)
        checksum = (checksum << 1 & 0xFFFFFFFF | checksum >> 31) ^ section.checksum
        yield first
        while decompressor and not decompressor.eof and not decompressor.needs_input:
            yield decompressor.decompress(b"", _CHUNK_SIZE)
    if not ended:
        raise EOFError(_CUT_OFF)


def _sections(file: BinaryIO) -> Iterator[_Section]:
    """Cut a file at its magic numbers.

    The first section may start without one, and the last one may be cut off.
    """
    header = file.read(4)
    if len(header) < 4:
        raise EOFError(_CUT_OFF)
    if not _HEADER.fullmatch(header):
        raise OSError("its header is damaged")
    window, start, search = b"", 0, 1
    while read := file.read(_READ):
        window += read
        for magic in _magic_numbers(window, search):
            yield _section(window, start, magic)
            start = magic
        search = max(start + 1, 8 * len(window) - _MAGIC_BITS + 1)
        window, start, search = window[start // 8 :], start % 8, search - start // 8 * 8
        if len(window) > _MAX_COMPRESSED_BLOCK:
            break
    yield _section(window, start, 8 * len(window), last=True)


def _magic_numbers(window: bytes, search: int) -> list[int]:
    """Return the bit positions, from `search` on, of the magic numbers wholly in the window."""
    found = []
    for before, whole, magic in _MAGIC_BYTES:
        at = window.find(whole, search // 8)
        while at >= 0:
            bit = 8 * at - before
            inside = search <= bit <= 8 * len(window) - _MAGIC_BITS
            if inside and magic == _bits(window, bit, bit + _MAGIC_BITS):
                found.append(bit)
            at = window.find(whole, at + 1)
    return sorted(found)


def _section(window: bytes, start: int, end: int, *, last: bool = False) -> _Section:
    return _Section(_bits(window, start, end), end - start, start % 8, last)


def _bits(window: bytes, start: int, end: int) -> int:
    whole = int.from_bytes(window[start // 8 : (end + 7) // 8])
    return whole >> -end % 8 & ((1 << (end - start)) - 1)


def _pending(sections: Iterator[_Section], threads: int, stack: ExitStack) -> Iterator[_Pending]:
    """Yield sections while the next `threads` are decompressed; raise an error only in its turn."""
    pool = ThreadPoolExecutor(threads) if threads > 1 else None
    if pool:
        stack.callback(pool.shutdown, cancel_futures=True)
    waiting: deque[_Pending] = deque()
    stopped: Exception | None = None
    while True:
        while not stopped and len(waiting) <= threads:
            try:
                section = next(sections)
            except Exception as error:
                stopped = error
                break
            result = pool.submit(_content, section).result if pool else partial(_content, section)
            waiting.append((section, result))
        if not waiting:
            break
        yield waiting.popleft()
    if stopped and not isinstance(stopped, StopIteration):
        raise stopped


def _content(section: _Section) -> _Content:
    if section.magic == _FOOTER_MAGIC:
        return b"", None
    decompressor = bz2.BZ2Decompressor()
    first = decompressor.decompress(section.as_file(), _CHUNK_SIZE)
    if decompressor.needs_input and not section.last:
        raise OSError(_DAMAGED)
    return first, None if decompressor.eof else decompressor


def _check_footer(section: _Section, checksum: int) -> None:
    if section.length < _MAGIC_BITS + _CHECKSUM_BITS:
        raise EOFError(_CUT_OFF)
    if section.checksum != checksum:
        raise OSError("the checksum of a stream is wrong")
    after = section.after_footer()
    if section.last:
        if after and b"BZh".startswith(after[:3]):
            raise EOFError(_CUT_OFF)
    elif after is None or not _HEADER.fullmatch(after):
        raise OSError("the header of a stream is damaged")

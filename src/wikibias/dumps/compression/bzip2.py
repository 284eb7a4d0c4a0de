"""bz2 files, block by block, in several threads.

A file is one or more streams. A stream is a header ("BZh" and a digit), blocks, and a footer with a
checksum over the checksums of its blocks; the last byte is padded. A block holds at most 900 kB,
starts with a 48-bit magic number at any bit position, and does not depend on other blocks. So this
module cuts out each block and gives it to `bzip2_blocks`, or, with a footer appended to make it a
small bz2 file, to Python's bz2; both release the GIL. One thread or many, one way or the other: the
bytes and the error messages are the same. Nothing of a damaged block is returned.
"""

from __future__ import annotations

import bz2
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from typing import BinaryIO, Protocol

from wikibias.dumps.compression import bzip2_blocks
from wikibias.dumps.compression.formats import untold

_BLOCK_MAGIC, _FOOTER_MAGIC = 0x314159265359, 0x177245385090
_MAGIC_BITS, _CHECKSUM_BITS = 48, 32
_HEADER = re.compile(rb"BZh[1-9]")
_READ = 1 << 18
# A single XML reader cannot keep up with more threads; each thread holds about 12 MB.
_MAX_THREADS = 16
# Blocks that wait for each thread: the reader holds the interpreter for longer than one takes.
_WAITING = 4
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


@dataclass(frozen=True)
class _Section:
    """The bits from one magic number to the next: a block, or a footer with the next header.

    They start at bit `begin` of the file. The `last` section runs to the end of the file.
    """

    packed: bytes
    begin: int
    length: int
    last: bool

    @property
    def at(self) -> int:
        """The bit of the first byte at which they start."""
        return self.begin % 8

    @cached_property
    def bits(self) -> int:
        return _bits(self.packed, self.at, self.at + self.length)

    @property
    def magic(self) -> int:
        return _bits(self.packed, self.at, self.at + min(self.length, _MAGIC_BITS))

    @property
    def checksum(self) -> int:
        start = self.at + max(0, min(self.length - _CHECKSUM_BITS, _MAGIC_BITS))
        return _bits(self.packed, start, start + _CHECKSUM_BITS)

    def extended_by(self, following: _Section) -> _Section:
        shared = self.packed[:-1] if following.at else self.packed
        length = self.length + following.length
        return _Section(shared + following.packed, self.begin, length, following.last)

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


class Taker(Protocol):
    """Takes the blocks of a bz2 file, in order."""

    def block(self, begin: int, length: int, text: bytes) -> None:
        """Take a block: where it begins in the file and how long it is, in bits, and its text."""

    def give_up(self) -> None:
        """Take no more: a block cannot be given in one piece."""


def decompressed(
    file: BinaryIO,
    threads: int,
    stack: ExitStack,
    further: Callable[[], None] = untold,
    taker: Taker | None = None,
) -> Iterator[bytes]:
    """Yield the content of a bz2 file, of one stream or several, in chunks of at most 4 MB.

    Bytes after the last stream that do not start a stream are ignored, as `bzip2` does. At most
    four blocks for each thread are in memory. The threads end with `stack`; one starts none.
    `further` is called for each stream after the first; `taker` takes each block before it is
    yielded.

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
        if taker and decompressor:
            taker.give_up()
        elif taker:
            taker.block(section.begin, section.length, first)
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
    window, start, search, before = b"", 0, 1, len(header)
    while read := file.read(_READ):
        window += read
        for magic in _magic_numbers(window, search):
            yield _section(window, start, magic, before)
            start = magic
        search = max(start + 1, 8 * len(window) - _MAGIC_BITS + 1)
        before += start // 8
        window, start, search = window[start // 8 :], start % 8, search - start // 8 * 8
        if len(window) > _MAX_COMPRESSED_BLOCK:
            break
    yield _section(window, start, 8 * len(window), before, last=True)


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


def _section(window: bytes, start: int, end: int, before: int, *, last: bool = False) -> _Section:
    packed = window[start // 8 : (end + 7) // 8]
    return _Section(packed, 8 * before + start, end - start, last)


def _bits(window: bytes, start: int, end: int) -> int:
    whole = int.from_bytes(window[start // 8 : (end + 7) // 8])
    return whole >> -end % 8 & ((1 << (end - start)) - 1)


def _pending(sections: Iterator[_Section], threads: int, stack: ExitStack) -> Iterator[_Pending]:
    """Yield sections while the next ones are decompressed; raise an error only in its turn."""
    pool = ThreadPoolExecutor(threads) if threads > 1 else None
    if pool:
        stack.callback(pool.shutdown, cancel_futures=True)
    waiting: deque[_Pending] = deque()
    stopped: Exception | None = None
    while True:
        while not stopped and len(waiting) <= _WAITING * threads:
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
    if not section.last:
        text = bzip2_blocks.text_of(section.packed, section.at, section.length)
        if text is not None:
            return text, None
    decompressor = bz2.BZ2Decompressor()
    first = decompressor.decompress(section.as_file(), _CHUNK_SIZE)
    if decompressor.needs_input and not section.last:
        raise OSError(_DAMAGED)
    return first, None if decompressor.eof else decompressor


def block_at(file: BinaryIO, begin: int, length: int) -> bytes:
    """Return the text of the block at a bit of a file; it is one that a `Taker` took.

    Raises:
        OSError: there is none.
    """
    file.seek(begin // 8)
    packed = file.read((begin % 8 + length + 7) // 8)
    return _content(_Section(packed, begin, length, last=False))[0]


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

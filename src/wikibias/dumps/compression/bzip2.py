"""bz2, unpacked block by block, by as many threads as there are cores to spare.

A bz2 file is one stream or several: "BZh" and a digit, blocks, an end with a checksum of all the
blocks' checksums, and bits that fill the last byte. A block holds at most 900 kB, begins with a
mark of 48 bits at any bit of a byte, and needs nothing of its neighbours. So each is cut out and
closed with an end of its own, and Python's bz2, which lets other threads run meanwhile, unpacks it
as a small file. The bytes are the same by one thread or many, and so is what is said of damage; of
a damaged block nothing is given.
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
from typing import BinaryIO

_BLOCK, _END = 0x314159265359, 0x177245385090
_MARK, _CHECKSUM = 48, 32
_HEAD = re.compile(rb"BZh[1-9]")
_READ = 1 << 18
# With more, a single reader of XML does not keep up; each holds some 6 MB.
_MOST_THREADS = 16
# No block is packed into more bytes than this: 900,000 codes of at most 20 bits, and tables.
_MOST = 1 << 22
# A block of one letter alone unpacks to 46 MB; so much of a block is unpacked at a time.
_AT_ONCE = 1 << 22
_CUT_OFF = "the file ends before its content does"
_DAMAGED = "a block is damaged"
# How a mark looks that begins so many bits before a whole byte: the five whole bytes of it.
_SHAPES = [
    (before, (mark >> (8 - before) & ((1 << 40) - 1)).to_bytes(5), mark)
    for mark in (_BLOCK, _END)
    for before in range(8)
]


@dataclass(frozen=True, slots=True)
class _Piece:
    """The bits from a mark to the next one: a block, or an end and the head of the next stream.

    It begins at bit `at` of a byte. The `last` one goes on to the end of the file.
    """

    bits: int
    length: int
    at: int
    last: bool

    @property
    def mark(self) -> int:
        return self.bits >> max(0, self.length - _MARK)

    @property
    def checksum(self) -> int:
        return self.bits >> max(0, self.length - _MARK - _CHECKSUM) & 0xFFFFFFFF

    def and_next(self, following: _Piece) -> _Piece:
        bits = self.bits << following.length | following.bits
        return _Piece(bits, self.length + following.length, self.at, following.last)

    def as_file(self) -> bytes:
        """Return a block as a bz2 file; the last piece stays without an end."""
        bits, length = self.bits, self.length
        if not self.last:
            bits = bits << (_MARK + _CHECKSUM) | _END << _CHECKSUM | self.checksum
            length += _MARK + _CHECKSUM
        return b"BZh9" + (bits << -length % 8).to_bytes((length + 7) // 8)

    def after_end(self) -> bytes | None:
        """Return the bytes that follow an end; None if they do not begin with a byte."""
        length = self.length - _MARK - _CHECKSUM - -self.at % 8
        if length < 0 or length % 8:
            return None
        return (self.bits & ((1 << length) - 1)).to_bytes(length // 8)


# The first of what a block holds, and what unpacks the rest of it, if there is more.
_Content = tuple[bytes, bz2.BZ2Decompressor | None]
# A piece, and what gives its content when it is called; by then another thread may have it.
_Begun = tuple[_Piece, Callable[[], _Content]]


def decompressed(file: BinaryIO, threads: int, stack: ExitStack) -> Iterator[bytes]:
    """Yield the content of a bz2 file, of one stream or several, in pieces of at most 4 MB.

    What follows the last stream and is none itself is passed over, as by `bzip2`. At most
    `threads` and two blocks are held. The threads end with `stack`; where `threads` is 1, none is
    started.

    Raises:
        EOFError: the file is cut off; all blocks before have been given.
        OSError: a block or the end of a stream is damaged; all blocks before have been given.
    """
    begun = _begun(_pieces(file), min(threads, _MOST_THREADS), stack)
    checksum, ended = 0, False
    for cut, content in begun:
        piece = cut
        if piece.mark == _END:
            _check_end(piece, checksum)
            checksum, ended = 0, piece.last
            continue
        try:
            first, unpacking = content()
        except OSError:
            piece, (first, unpacking) = _joined(piece, next(begun, None))
        checksum = (checksum << 1 & 0xFFFFFFFF | checksum >> 31) ^ piece.checksum
        yield first
        while unpacking and not unpacking.eof and not unpacking.needs_input:
            yield unpacking.decompress(b"", _AT_ONCE)
    if not ended:
        raise EOFError(_CUT_OFF)


def _pieces(file: BinaryIO) -> Iterator[_Piece]:
    """Cut a file at its marks. The first piece may begin with none, and the last one be cut off."""
    head = file.read(4)
    if len(head) < 4:
        raise EOFError(_CUT_OFF)
    if not _HEAD.fullmatch(head):
        raise OSError("its head is damaged")
    window, start, search = b"", 0, 1
    while read := file.read(_READ):
        window += read
        for mark in _marks(window, search):
            yield _cut(window, start, mark)
            start = mark
        search = max(start + 1, 8 * len(window) - _MARK + 1)
        window, start, search = window[start // 8 :], start % 8, search - start // 8 * 8
        if len(window) > _MOST:
            break
    yield _cut(window, start, 8 * len(window), last=True)


def _marks(window: bytes, search: int) -> list[int]:
    """Return at which bits, from `search` on, marks begin that end in the window too."""
    found = []
    for before, whole, mark in _SHAPES:
        at = window.find(whole, search // 8)
        while at >= 0:
            bit = 8 * at - before
            if search <= bit <= 8 * len(window) - _MARK and mark == _bits(window, bit, bit + _MARK):
                found.append(bit)
            at = window.find(whole, at + 1)
    return sorted(found)


def _cut(window: bytes, start: int, end: int, *, last: bool = False) -> _Piece:
    return _Piece(_bits(window, start, end), end - start, start % 8, last)


def _bits(window: bytes, start: int, end: int) -> int:
    whole = int.from_bytes(window[start // 8 : (end + 7) // 8])
    return whole >> -end % 8 & ((1 << (end - start)) - 1)


def _begun(pieces: Iterator[_Piece], threads: int, stack: ExitStack) -> Iterator[_Begun]:
    """Yield pieces that are being unpacked, so many ahead; an error only after all before it."""
    pool = ThreadPoolExecutor(threads) if threads > 1 else None
    if pool:
        stack.callback(pool.shutdown, cancel_futures=True)
    waiting: deque[_Begun] = deque()
    stopped: Exception | None = None
    while True:
        while not stopped and len(waiting) <= threads:
            try:
                piece = next(pieces)
            except Exception as error:
                stopped = error
                break
            unpack = pool.submit(_unpacked, piece).result if pool else partial(_unpacked, piece)
            waiting.append((piece, unpack))
        if not waiting:
            break
        yield waiting.popleft()
    if stopped and not isinstance(stopped, StopIteration):
        raise stopped


def _unpacked(piece: _Piece) -> _Content:
    if piece.mark == _END:
        return b"", None
    unpacking = bz2.BZ2Decompressor()
    first = unpacking.decompress(piece.as_file(), _AT_ONCE)
    if unpacking.needs_input and not piece.last:
        raise OSError(_DAMAGED)
    return first, None if unpacking.eof else unpacking


def _joined(piece: _Piece, following: _Begun | None) -> tuple[_Piece, _Content]:
    """Unpack a block that seemed damaged as one with what follows.

    For by chance, once in some tens of terabytes, the bits of a mark stand within a block.
    """
    if following is None:
        raise OSError(_DAMAGED)
    whole = piece.and_next(following[0])
    return whole, _unpacked(whole)


def _check_end(piece: _Piece, checksum: int) -> None:
    if piece.length < _MARK + _CHECKSUM:
        raise EOFError(_CUT_OFF)
    if piece.checksum != checksum:
        raise OSError("the checksum of its blocks is wrong")
    after = piece.after_end()
    if piece.last:
        if after and b"BZh".startswith(after[:3]):
            raise EOFError(_CUT_OFF)
    elif after is None or not _HEAD.fullmatch(after):
        raise OSError("the head of one of its streams is damaged")

"""Decompresses gz, and computes the CRC-32 that 7z uses too: with isal if installed, else zlib."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

try:
    from isal.isal_zlib import crc32, decompressobj
    from isal.isal_zlib import error as GzError  # noqa: N812 (it is a class)

    BY_ISAL = True
except ImportError:
    from zlib import crc32, decompressobj
    from zlib import error as GzError  # noqa: N812

    BY_ISAL = False

__all__ = ["BY_ISAL", "GzError", "crc32", "decompressed"]
# Damage costs everything that one read returned; larger reads are hardly faster.
_READ_SIZE = 1 << 14
_CHUNK_SIZE = 1 << 18
_WITH_HEADER = 31


def decompressed(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a gz file, of one member or several, in chunks of at most 256 KB.

    Zeros after the last member are ignored, as `gzip` does.

    Raises:
        EOFError: the file is cut off.
        GzError: it is damaged.
    """
    decompressor = None
    while read := file.read(_READ_SIZE):
        while read:
            if decompressor is None:
                read = read.lstrip(b"\0")
                decompressor = decompressobj(wbits=_WITH_HEADER) if read else None
                continue
            yield decompressor.decompress(read, _CHUNK_SIZE)
            if decompressor.eof:
                read, decompressor = decompressor.unused_data, None
            else:
                read = decompressor.unconsumed_tail
    if decompressor is not None:
        raise EOFError("the file ends before its content does")

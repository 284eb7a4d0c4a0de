"""gz, and the checksum that it shares with 7z: by isal where that is installed, else by zlib."""

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
# Of what is read at a time all is lost when it holds damage; larger is hardly quicker.
_READ = 1 << 14
_BLOCK = 1 << 18
_WITH_HEAD = 31


def decompressed(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a gz file, of one member or several, in pieces of at most 256 KB.

    Zeros after the last member are passed over, as by `gzip`.

    Raises:
        EOFError: the file is cut off.
        GzError: it is damaged.
    """
    unpacking = None
    while read := file.read(_READ):
        while read:
            if unpacking is None:
                read = read.lstrip(b"\0")
                unpacking = decompressobj(wbits=_WITH_HEAD) if read else None
                continue
            yield unpacking.decompress(read, _BLOCK)
            if unpacking.eof:
                read, unpacking = unpacking.unused_data, None
            else:
                read = unpacking.unconsumed_tail
    if unpacking is not None:
        raise EOFError("the file ends before its content does")

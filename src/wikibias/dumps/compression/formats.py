"""Decompression of gz, and a bound on the memory that an archive may ask for."""

from collections.abc import Iterator
from typing import BinaryIO

from wikibias.errors import DumpError

# Bytes. 7z takes at most 64 MB at its highest level (since 2023, 256), zstd 128.
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


def decompress_gz(file: BinaryIO) -> Iterator[bytes]:
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
            yield decompressor.decompress(read, _GZ_CHUNK)
            if decompressor.eof:
                read, decompressor = decompressor.unused_data, None
            else:
                read = decompressor.unconsumed_tail
    if decompressor is not None:
        raise EOFError("the file ends before its content does")

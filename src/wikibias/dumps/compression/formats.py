"""Decompression of gz, xz, lzma and zst, with a bound on the memory that an archive may ask for."""

import sys
from collections.abc import Callable, Iterator
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

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

__all__ = ["BY_ISAL", "GzError", "ZstdError", "crc32", "decompress_gz"]
# Damage costs everything that one read returned; larger reads are hardly faster.
_READ_SIZE = 1 << 14
_GZ_CHUNK = 1 << 18
_WITH_HEADER = 31


def untold() -> None:
    """Tell nobody."""


def decompress_gz(file: BinaryIO, further: Callable[[], None] = untold) -> Iterator[bytes]:
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
_ZST_READ = 1 << 17
# What the decompressor takes beside the dictionary.
_OVERHEAD = 1 << 22


def decompress_xz(file: BinaryIO, further: Callable[[], None] = untold) -> Iterator[bytes]:
    """Yield the content of an xz or lzma file, of one stream or several, in chunks of up to 64 KB.

    Bytes after a stream that do not start another one are ignored, as `lzma.LZMAFile` does;
    `further` is called for each stream after the first.

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
        if not (is_first or has_begun):
            further()
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


def decompress_zst(file: BinaryIO, further: Callable[[], None] = untold) -> Iterator[bytes]:
    """Yield the content of a zst file, of one frame or several, in chunks of up to 64 KB.

    `further` is called for each frame after the first.

    Raises:
        DumpError: its window is too large.
        EOFError: the file is cut off.
        ZstdError: it is damaged.
    """
    most = {int(DecompressionParameter.window_log_max): LARGEST_WINDOW.bit_length() - 1}
    unpacking, read = ZstdDecompressor(options=most), b""
    while True:
        if unpacking.eof:
            read = unpacking.unused_data or file.read(_ZST_READ)
            if not read:
                return
            unpacking = ZstdDecompressor(options=most)
            further()
        elif unpacking.needs_input and not (read := file.read(_ZST_READ)):
            raise EOFError("the file ends before its content does")
        try:
            chunk = unpacking.decompress(read, _XZ_CHUNK)
        except ZstdError as error:
            if "too much memory" in str(error):
                check_window("zst", LARGEST_WINDOW + 1)
            raise
        read = b""
        if chunk:
            yield chunk

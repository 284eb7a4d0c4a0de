"""Decompresses xz and lzma, with a bound on the memory that the archive may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from lzma import FORMAT_AUTO, LZMADecompressor, LZMAError
from typing import BinaryIO

from wikibias.dumps.compression.window import LARGEST_WINDOW, check_window

_READ_SIZE = 1 << 14
# Damage costs the whole chunk that it is in.
_CHUNK_SIZE = 1 << 16
# What the decompressor takes beside the dictionary.
_OVERHEAD = 1 << 22


def decompressed(file: BinaryIO) -> Iterator[bytes]:
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
            chunk = unpacking.decompress(read, _CHUNK_SIZE)
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

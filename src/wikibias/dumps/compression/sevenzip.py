"""The first file of a 7z archive, a block at a time.

py7zr reads the archive's table of contents. Its own extraction holds up to 128 MB; so what is
packed by LZMA alone, as Wikimedia's dumps are, is given to Python's lzma in blocks, and what is
packed otherwise to py7zr's decompressor, which takes the checksum a second time.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import py7zr
from py7zr.exceptions import ArchiveError, PasswordRequired, UnsupportedCompressionMethodError

from wikibias.dumps.compression.gz import crc32
from wikibias.errors import DumpError

_READ = 1 << 16
# Of a block with damage all is lost; larger ones are no quicker.
_BLOCK = 1 << 16
_LZMA, _LZMA2 = b"\x03\x01\x01", b"\x21"
# What a broken table of contents makes py7zr raise.
_BROKEN = (
    ArchiveError,
    AttributeError,
    EOFError,
    IndexError,
    OSError,
    TypeError,
    ValueError,
    lzma.LZMAError,
)
# Gives at most so many bytes, and none at the end.
_Unpack = Callable[[int], bytes]


def open_7z(path: Path, stack: ExitStack) -> tuple[int, Iterator[bytes], bool]:
    """Return size and content of the first file of an archive, and whether it has a checksum.

    The content comes in blocks of up to 64 KB.

    The blocks raise EOFError where the archive is cut off, LZMAError or OSError for other damage.

    Raises:
        DumpError: the table of contents is broken, or names what cannot be read here.
    """
    try:
        archive = stack.enter_context(py7zr.SevenZipFile(path))
        if archive.needs_password():
            raise PasswordRequired
        streams = archive.header.main_streams
        if streams is None:
            raise DumpError("is a 7z archive with nothing in it")
        folder, info = streams.unpackinfo.folders[0], streams.substreamsinfo
        size = int(info.unpacksizes[0] if info and info.unpacksizes else folder.unpacksizes[-1])
        file = stack.enter_context(path.open("rb"))
        file.seek(archive.afterheader + streams.packinfo.packpos)
        unpack = _unpacking(folder, file, int(streams.packinfo.packsizes[0]))
    except PasswordRequired as error:
        raise DumpError("is a 7z archive with a password") from error
    except UnsupportedCompressionMethodError as error:
        raise DumpError(
            "is a 7z archive packed in a way that cannot be read here; unpack it by the program 7z"
        ) from error
    except _BROKEN as error:
        raise DumpError(f"is a broken or cut-off 7z archive ({error}); fetch it again") from error
    checksum = _checksum(info, folder)
    return size, _blocks(unpack, size, checksum), checksum is not None


def _checksum(info: Any, folder: Any) -> int | None:
    if info is not None and info.digestsdefined and info.digestsdefined[0]:
        return int(info.digests[0])
    return int(folder.crc) if folder.digestdefined else None


def _blocks(unpack: _Unpack, size: int, checksum: int | None) -> Iterator[bytes]:
    left, found = size, 0
    while left:
        block = unpack(min(_BLOCK, left))
        if not block:
            raise EOFError("the archive ends before its content does")
        found = crc32(block, found)
        left -= len(block)
        yield block
    if checksum not in (None, found):
        raise OSError("the checksum of the archive's content is wrong")


def _unpacking(folder: Any, file: BinaryIO, packed: int) -> _Unpack:
    """Return what unpacks a folder, of `packed` bytes from where `file` stands."""
    rule = _lzma_rule(folder.coders)
    if rule is None:
        decompressor = folder.get_decompressor(packed)
        return partial(_by_py7zr, decompressor, file)
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[rule])
    left = packed

    def unpack(most: int) -> bytes:
        nonlocal left
        block = b""
        while not block:
            read = file.read(min(_READ, left)) if unpacking.needs_input else b""
            if unpacking.needs_input and not read:
                break
            left -= len(read)
            block = unpacking.decompress(read, most)
        return block

    return unpack


def _by_py7zr(decompressor: Any, file: BinaryIO, most: int) -> bytes:
    try:
        return bytes(decompressor.decompress(file, most))
    except ArchiveError as error:
        raise OSError(str(error)) from error


def _lzma_rule(coders: list[dict[str, Any]]) -> dict[str, int] | None:
    """Return how a folder is packed, if by LZMA or LZMA2 alone, in the words of Python's lzma.

    An LZMA coder's properties are a byte (pb * 5 + lp) * 9 + lc and the dictionary's size in four;
    those of LZMA2 are a byte of which the upper bits are an exponent and the last a mantissa.
    """
    method, properties = coders[0]["method"], coders[0].get("properties") or b""
    if len(coders) > 1 or (method, len(properties)) not in ((_LZMA, 5), (_LZMA2, 1)):
        return None
    if method == _LZMA2:
        size = (2 | properties[0] & 1) << (properties[0] // 2 + 11)
        return {"id": lzma.FILTER_LZMA2, "dict_size": min(size, (1 << 32) - 1)}
    return {
        "id": lzma.FILTER_LZMA1,
        "dict_size": int.from_bytes(properties[1:], "little"),
        "lc": properties[0] % 9,
        "lp": properties[0] // 9 % 5,
        "pb": properties[0] // 45,
    }

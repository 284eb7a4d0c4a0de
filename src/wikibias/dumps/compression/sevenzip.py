"""The first file of a 7z archive, a block at a time.

py7zr reads the archive's table of contents. Its own extraction holds up to 128 MB; so what is
packed by LZMA alone, as Wikimedia's dumps are, is given to Python's lzma in blocks, and what is
packed otherwise to py7zr's decompressor, which takes the checksum a second time.
"""

import lzma
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import py7zr
from py7zr.archiveinfo import HeaderStreamsInfo
from py7zr.exceptions import ArchiveError, PasswordRequired, UnsupportedCompressionMethodError

from wikibias.dumps.compression.formats import check_window, crc32
from wikibias.errors import DumpError

_READ = 1 << 16
# Of a block with damage all is lost; larger ones are no quicker.
_BLOCK = 1 << 16
_LZMA, _LZMA2 = b"\x03\x01\x01", b"\x21"
# Methods of which py7zr unpacks a block as large as it may become (Zstandard, Brotli, Deflate64),
# or dies on damage (PPMd). Nobody packs dumps by them.
_REFUSED = (b"\x04\xf7\x11\x01", b"\x04\xf7\x11\x02", b"\x04\x01\x09", b"\x03\x04\x01")
# What py7zr unpacks at a time: Deflate can make a thousand times as much of it.
_PY7ZR_BLOCK = 1 << 12
# Bytes of the table of contents. That of one file takes some hundred, and py7zr some hundred for
# each of its bytes.
_LARGEST_CONTENTS = 1 << 18
_SIGNATURE, _ENCODED = 32, b"\x17"
# What a broken table of contents makes py7zr raise.
_BROKEN = (
    AssertionError,
    ArchiveError,
    AttributeError,
    EOFError,
    IndexError,
    OSError,
    OverflowError,
    TypeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
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
        _check_contents(path)
        archive = stack.enter_context(py7zr.SevenZipFile(path))
        if archive.needs_password():
            raise PasswordRequired
        streams = archive.header.main_streams
        if streams is None:
            raise DumpError("is a 7z archive with nothing in it")
        folder, info = streams.unpackinfo.folders[0], streams.substreamsinfo
        size = int(info.unpacksizes[0] if info and info.unpacksizes else folder.unpacksizes[-1])
        if size < 0:
            raise ArchiveError("a size below zero")
        _check_coders(folder.coders)
        file = stack.enter_context(path.open("rb"))
        file.seek(archive.afterheader + streams.packinfo.packpos)
        unpack = _unpacking(folder, file, int(streams.packinfo.packsizes[0]))
    except PasswordRequired as error:
        raise DumpError("is a 7z archive with a password") from error
    except UnsupportedCompressionMethodError as error:
        raise _not_read() from error
    except _BROKEN as error:
        raise DumpError(f"is a broken or cut-off 7z archive ({error}); fetch it again") from error
    checksum = _checksum(info, folder)
    return size, _blocks(unpack, size, checksum), checksum is not None


def _check_contents(path: Path) -> None:
    """Refuse an archive whose table of contents is too large, before py7zr reads it."""
    with path.open("rb") as file:
        head = file.read(_SIGNATURE)
        offset, size = struct.unpack("<QQ", head[12:28].ljust(16, b"\0"))
        sizes = [size]
        if size <= _LARGEST_CONTENTS:
            file.seek(_SIGNATURE + offset)
            contents = file.read(size)
            if contents.startswith(_ENCODED):
                for folder in HeaderStreamsInfo.retrieve(BytesIO(contents[1:])).unpackinfo.folders:
                    _check_coders(folder.coders)
                    sizes += folder.unpacksizes
    if max(sizes) > _LARGEST_CONTENTS:
        raise DumpError("is a 7z archive of thousands of files; a dump is one file")


def _check_coders(coders: list[dict[str, Any]]) -> None:
    for coder in coders:
        if coder["method"] in _REFUSED:
            raise _not_read()
        rule = _lzma_rule([coder])
        if rule is not None:
            check_window("7z", rule["dict_size"])


def _not_read() -> DumpError:
    return DumpError(
        "is a 7z archive packed in a way that cannot be read here; unpack it by the program 7z"
    )


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
        decompressor.block_size = _PY7ZR_BLOCK
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
    block, read = b"", -1
    try:
        # A block of bzip2 may take many reads before it gives anything.
        while not block and read < decompressor.consumed:
            read = decompressor.consumed
            block = bytes(decompressor.decompress(file, most))
        return block
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

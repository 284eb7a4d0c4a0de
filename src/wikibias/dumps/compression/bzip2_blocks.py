"""Blocks of bz2 files by `bzip2_blocks.c`, which is compiled where a compiler is at hand.

Without the library, or with that of another version of the source, nothing is missing but speed.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
COMPILED = SOURCE.with_suffix(".lib")
# The text of a block may be longer than this, as runs of a byte are coded; histories have few runs.
_LONGEST_TEXT = 1 << 21
_DONE = 0


class _Memory(threading.local):
    """What a thread works on; some 8 MB of it are used."""

    def __init__(self) -> None:
        library = _library()
        if library is not None:
            self.block = ctypes.create_string_buffer(library.block_bytes())
            self.work = ctypes.create_string_buffer(library.work_bytes())
            self.text = ctypes.create_string_buffer(_LONGEST_TEXT)


@cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(str(COMPILED))
        library.source.restype = ctypes.c_char_p
        if library.source() != digest().encode():
            return None
    except (OSError, AttributeError):
        return None
    library.block_bytes.restype = library.work_bytes.restype = ctypes.c_size_t
    library.prepare()
    return library


def digest() -> str:
    """Return what tells the source of the library from that of others."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]


@cache
def _memory() -> _Memory:
    return _Memory()


def is_there() -> bool:
    """Return whether blocks can be read by the library."""
    return _library() is not None


def text_of(packed: bytes, bit: int, length: int) -> bytes | None:
    """Return the text of a block, which is `length` bits from a bit of the first byte on.

    None if it is damaged, or too long for this way, or of an old form: Python's bz2 tells.
    """
    library = _library()
    if library is None:
        return None
    memory, size = _memory(), ctypes.c_size_t()
    args = packed, ctypes.c_size_t(len(packed)), bit, ctypes.c_size_t(length), memory.block
    if library.block_column(*args) != _DONE:
        return None
    room = ctypes.c_size_t(_LONGEST_TEXT)
    if library.block_text(memory.block, memory.work, memory.text, room, ctypes.byref(size)):
        return None
    return ctypes.string_at(memory.text, size.value)

"""Blocks of bz2 files, and names of templates, by `bzip2_blocks.c`.

It is compiled where a compiler is at hand. Without the library, or with that of another version of
the source, nothing is missing but speed.
"""

import ctypes
import hashlib
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
COMPILED = SOURCE.with_suffix(".lib")
# The text of a block may be longer than this, as runs of a byte are coded; histories have few runs.
_LONGEST_TEXT = 1 << 21


class _Memory(threading.local):
    """What a thread works on; some 8 MB of it are used."""

    def __init__(self, library: ctypes.CDLL) -> None:
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
    for function in ("work_bytes", "names_bytes", "find_names"):
        getattr(library, function).restype = ctypes.c_size_t
    library.name_bytes.restype = ctypes.c_void_p
    library.prepare()
    return library


def digest() -> str:
    """Return what tells the source of the library from that of others."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]


@cache
def _memory(library: ctypes.CDLL) -> _Memory:
    return _Memory(library)


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
    memory, size = _memory(library), ctypes.c_size_t()
    given = packed, ctypes.c_size_t(len(packed)), bit, ctypes.c_size_t(length)
    room = ctypes.c_size_t(_LONGEST_TEXT), ctypes.byref(size)
    # All in one call: between two, a thread may wait for others to release the interpreter.
    if library.block_text(*given, memory.work, memory.text, *room):
        return None
    return ctypes.string_at(memory.text, size.value)


# In place of the number of a name: a page begins. The number of one that is too long is 0.
PAGE = 0xFFFFFFFF
# A name with the blanks before it is not longer, or is too long.
_AHEAD = 1 << 11
_MOST_FOUND = 1 << 16


class TemplateNames:
    """The names of templates in a dump, as they are written, whose text is given piece by piece.

    A name is what follows two braces, blanks and colons aside, up to one of `{}|[]` or to the end
    of the line.

    Raises:
        OSError: the library is not there.
    """

    def __init__(self) -> None:
        library = _library()
        if library is None:
            raise OSError(f"{COMPILED} is not there, or of another version")
        self._library = library
        self._memory = ctypes.create_string_buffer(self._library.names_bytes())
        self._found = (ctypes.c_uint32 * (2 * _MOST_FOUND))()
        self._left = b""
        # Where in the dump what is left begins.
        self._begin = 0

    def feed(self, text: bytes, *, last: bool = False) -> Iterator[tuple[int, int]]:
        """Yield PAGE with where a page begins, and the number of a name once for each page."""
        text = self._left + text
        until = len(text) if last else max(0, len(text) - _AHEAD)
        at = ctypes.c_size_t()
        while at.value < until:
            sizes = ctypes.c_size_t(len(text)), ctypes.byref(at), ctypes.c_size_t(until)
            room = self._found, ctypes.c_size_t(_MOST_FOUND)
            count = self._library.find_names(self._memory, text, *sizes, *room)
            found = self._found[: 2 * count]
            for place, name in zip(found[::2], found[1::2], strict=True):
                yield name, self._begin + place
        self._left, self._begin = text[until:], self._begin + until

    def all(self) -> list[bytes]:
        """Return the names; the first has the number 1."""
        size = ctypes.c_size_t()
        return [
            ctypes.string_at(
                self._library.name_bytes(self._memory, number, ctypes.byref(size)), size.value
            )
            for number in range(1, self._library.names_count(self._memory) + 1)
        ]

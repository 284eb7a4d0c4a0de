"""The word vectors of a model of spaCy: an array, beside `key2row`, which has the row of each word.

`key2row` is a map of whole numbers in MessagePack; spaCy itself would hold all in memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from wikibias.errors import WikibiasError
from wikibias.kits.files import read_small
from wikibias.research.selection_bias.similarity.readers.array import mapped, taken
from wikibias.research.selection_bias.similarity.sought import Found, Sought
from wikibias.text.spacy_splitter import keys

ROWS = "key2row"
_LENGTHS = {0xDE: struct.Struct(">H"), 0xDF: struct.Struct(">I")}
_SHORT_MAP, _LONGEST_SHORT = 0x80, 15
_NUMBERS = {
    0xCC: struct.Struct(">B"),
    0xCD: struct.Struct(">H"),
    0xCE: struct.Struct(">I"),
    0xCF: struct.Struct(">Q"),
    0xD0: struct.Struct(">b"),
    0xD1: struct.Struct(">h"),
    0xD2: struct.Struct(">i"),
    0xD3: struct.Struct(">q"),
}
_SMALL, _NEGATIVE = 0x80, 0xE0  # a byte below, or from here on, is the number itself


def read_spacy(path: Path, sought: Sought) -> Found:
    """Read the rows of what is sought from the file `vectors` of a model.

    Raises:
        WikibiasError: one of the two files is damaged, or the model has no words.
    """
    array = mapped(path)
    beside = path.with_name(ROWS)
    try:
        content = read_small(beside)
    except OSError as error:
        raise WikibiasError(f"{beside}: cannot be read ({error.strerror})") from error
    word_of = keys(sought.names)
    rows: dict[str, int] = {}
    try:
        for key, row in _pairs(content):
            if key in word_of and row >= 0:  # of a key without a vector the row is -1
                rows[word_of[key]] = row
    except (struct.error, IndexError, KeyError) as error:
        raise WikibiasError(f"{beside}: damaged; install the package again") from error
    if any(row >= len(array) for row in rows.values()):
        raise WikibiasError(f"{beside}: rows that {path.name} has not; install the package again")
    return taken(array, rows)


def _pairs(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the entries of a map of whole numbers.

    Raises:
        struct.error, IndexError, KeyError: it is none.
    """
    kind = content[0]
    if _SHORT_MAP <= kind <= _SHORT_MAP + _LONGEST_SHORT:
        count, place = kind - _SHORT_MAP, 1
    else:
        (count,), place = _LENGTHS[kind].unpack_from(content, 1), 1 + _LENGTHS[kind].size
    for _ in range(count):
        key, place = _number(content, place)
        row, place = _number(content, place)
        yield key, row


def _number(content: bytes, place: int) -> tuple[int, int]:
    """Return the number at a place, and the place behind it."""
    kind = content[place]
    if kind < _SMALL:
        return kind, place + 1
    if kind >= _NEGATIVE:
        return kind - 256, place + 1
    form = _NUMBERS[kind]
    return form.unpack_from(content, place + 1)[0], place + 1 + form.size

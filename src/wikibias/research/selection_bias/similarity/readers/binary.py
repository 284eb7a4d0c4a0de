"""Word vectors in word2vec's binary form.

A line with the number of words and of dimensions; then of each word its name, a space, and its
numbers as 32-bit floats, after which some programs write the end of a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from wikibias.errors import WikibiasError
from wikibias.models.word_vectors import WIDEST, Counts, counts_of
from wikibias.research.selection_bias.similarity.sought import Found, Sought, Vector

_AT_ONCE = 1 << 20  # bytes
_LONGEST_NAME = 10_000  # bytes; words of a crawl may be whole addresses
_NUMBER = 4  # bytes


def read_binary(file: BinaryIO, path: Path, sought: Sought) -> Found:
    """Read the vectors of what is sought; memory grows with that, never with the file.

    Raises:
        WikibiasError: the file ends too early, or is no such file.
    """
    count, width = _first_line(file, path)
    wanted = {name.encode("utf-8", "surrogatepass"): name for name in sought.names}
    kept: dict[str, Vector] = {}
    for name, numbers in _entries(file, path, count, width * _NUMBER):
        if name in wanted and wanted[name] not in kept:
            kept[wanted[name]] = np.frombuffer(numbers, "<f4").astype(np.float64)
    return Found(kept, width)


def _first_line(file: BinaryIO, path: Path) -> Counts:
    counts = counts_of(file.readline(_LONGEST_NAME))
    if counts is None:
        raise WikibiasError(f"{path}: does not begin with how many words and numbers it has")
    if not counts.words or not 0 < counts.numbers <= WIDEST:
        raise WikibiasError(
            f"{path}: {counts.words:,} words of {counts.numbers:,} numbers; at most {WIDEST:,}"
        )
    return counts


def _entries(file: BinaryIO, path: Path, count: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield of each word its name and its numbers."""
    held, start = b"", 0
    for number in range(count):
        while True:
            end = held.find(b" ", start, start + _LONGEST_NAME)
            if end >= 0 and end + 1 + size <= len(held):
                break
            if end < 0 and len(held) - start >= _LONGEST_NAME:
                raise WikibiasError(f"{path}: no word where one should be; the file is damaged")
            more = file.read(_AT_ONCE)
            if not more:
                raise WikibiasError(
                    f"{path}: ends after {number:,} of {count:,} words; get the whole file again"
                )
            held, start = held[start:] + more, 0
        behind = end + 1 + size
        yield held[start:end].lstrip(b"\n"), held[end + 1 : behind]
        start = behind

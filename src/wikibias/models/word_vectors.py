"""Reads word vectors from a text file, as word2vec, GloVe and fastText write them.

A word and its numbers on a line, the commonest word first; above them, in the form of word2vec and
fastText (`.vec`), a line with the number of words and of numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError

_LONGEST = 100_000  # bytes; a line without end would take all memory
_WIDEST = 4_096
_LARGEST = 1e6


class WordVectors(NamedTuple):
    """Words, lower-cased, their vectors, words by numbers, and the digest of what was read."""

    words: list[str]
    vectors: NDArray[np.float32]
    sha256: str


def read_vectors(path: Path, wanted: Collection[str], most: int) -> WordVectors:
    """Read the vectors of the `wanted` words, lower-cased, and of the first `most` of all.

    Of words that differ in letter case alone the first one counts. A line whose word is not wanted
    costs no more than to be read. Memory grows with the words kept, never with the file.

    Raises:
        WikibiasError: the file cannot be read, or a line has not the form of the first; the message
            names it.
    """
    digest = sha256()
    kept: dict[str, NDArray[np.float32]] = {}
    try:
        with path.open("rb") as file:
            for count, (line, word, numbers) in enumerate(_lines(file, path, digest), 1):
                if (count <= most or word in wanted) and word not in kept:
                    kept[word] = _vector(numbers, f"{path}:{line}: the vector of {word[:40]!r}")
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    if not kept:
        raise WikibiasError(f"{path}: no word vectors in it; give a text file of word2vec's form")
    return WordVectors(list(kept), np.stack(list(kept.values())), digest.hexdigest())


def _lines(file: BinaryIO, path: Path, digest: Any) -> Iterator[tuple[int, str, bytes]]:
    """Yield of each line its place, its word, lower-cased, and as many numbers as the first has."""
    width = 0
    for number, raw in enumerate(iter(partial(file.readline, _LONGEST + 1), b""), 1):
        digest.update(raw)
        place = f"{path}:{number}"
        if len(raw) > _LONGEST:
            raise WikibiasError(f"{place}: longer than {_LONGEST:,} bytes; no line of word vectors")
        line = raw.rstrip()
        fields = line.count(b" ") + line.count(b"\t") + 1
        if number == 1 and fields == 2 and all(part.isdigit() for part in line.split()):
            width = int(line.split()[1][:9])
            if not 0 < width <= _WIDEST:
                raise WikibiasError(f"{place}: {width:,} numbers a word; at most {_WIDEST:,}")
            continue
        width = width or fields - 1
        if not 0 < width <= _WIDEST or fields <= width:
            raise WikibiasError(
                f"{place}: {fields - 1:,} numbers, not {width:,}; a line is a word and its vector"
                if 0 < width <= _WIDEST
                else f"{place}: {width:,} numbers; give a text file of word2vec's form"
            )
        word, numbers = _parted(line, width)
        yield number, word.decode("utf-8", "replace").strip().lower(), numbers


def _parted(line: bytes, width: int) -> tuple[bytes, bytes]:
    """Return the word of a line and its last `width` numbers; a word may hold spaces."""
    word = line.replace(b"\t", b" ").rsplit(b" ", width)[0]
    return word, line[len(word) :]


def _vector(numbers: bytes, what: str) -> NDArray[np.float32]:
    try:
        found = np.array(numbers.split(), dtype=np.float64)
    except ValueError as error:
        raise WikibiasError(f"{what} is not of numbers alone") from error
    if not (np.abs(found) <= _LARGEST).all():
        raise WikibiasError(f"{what} has a number that is none or beyond a million")
    return found.astype(np.float32)

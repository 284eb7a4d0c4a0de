"""Reads word vectors from a text file, as word2vec, GloVe and fastText write them.

A word and its numbers on a line, the commonest word first; above them, in the form of word2vec and
fastText (`.vec`), a line with the number of words and of numbers.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError

LONGEST = 100_000
"""Bytes of a line; one without end would take all memory."""
WIDEST = 4_096
"""Numbers of a vector, at most."""
_LARGEST = 1e6
_DIGITS = 18  # of a count; no file has more


class WordVectors(NamedTuple):
    """Words, lower-cased, their vectors, words by numbers, and the digest of what was read."""

    words: list[str]
    vectors: NDArray[np.float32]
    sha256: str


class Counts(NamedTuple):
    """How many words a file has, and how many numbers each."""

    words: int
    numbers: int


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
            lines = vector_lines(_digested(long_lines(file, path), digest), path)
            for count, (line, written, numbers) in enumerate(lines, 1):
                word = written.lower()
                if (count <= most or word in wanted) and word not in kept:
                    kept[word] = _vector(numbers, f"{path}:{line}: the vector of {word[:40]!r}")
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    if not kept:
        raise WikibiasError(f"{path}: no word vectors in it; give a text file of word2vec's form")
    return WordVectors(list(kept), np.stack(list(kept.values())), digest.hexdigest())


def long_lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """Yield the lines of a file of word vectors.

    Raises:
        WikibiasError: one has no end within reason; the message names it.
    """
    for number, raw in enumerate(iter(partial(file.readline, LONGEST + 1), b""), 1):
        if len(raw) > LONGEST:
            raise WikibiasError(
                f"{path}:{number}: longer than {LONGEST:,} bytes; no line of word vectors"
            )
        yield raw


def counts_of(line: bytes) -> Counts | None:
    """Return what the first line of a file says that there is; None where it is no such line."""
    parts = line.removeprefix(BOM_UTF8).split()
    if len(parts) != len(Counts._fields) or not all(part.isdigit() for part in parts):
        return None
    return Counts(*(int(part[:_DIGITS]) for part in parts))


def _digested(lines: Iterable[bytes], digest: Any) -> Iterator[bytes]:
    for raw in lines:
        digest.update(raw)
        yield raw


def vector_lines(lines: Iterable[bytes], path: Path) -> Iterator[tuple[int, str, bytes]]:
    """Yield of each line its place, its word, and as many numbers as the first has, as bytes.

    Blank lines and a first line of counts are left out.

    Raises:
        WikibiasError: a line has not the form of the first; the message names it.
    """
    width = 0
    for number, raw in enumerate(lines, 1):
        line = raw.removeprefix(BOM_UTF8).rstrip() if number == 1 else raw.rstrip()
        if number == 1 and (counts := counts_of(line)):
            width = counts.numbers
            if not 0 < width <= WIDEST:
                raise WikibiasError(f"{path}:1: {width:,} numbers a word; at most {WIDEST:,}")
            continue
        if not line:
            continue
        if b"  " in line and not line.startswith(b" "):  # columns that are lined up
            line = b" ".join(line.split())
        fields = line.count(b" ") + line.count(b"\t") + 1
        width = width or fields - 1
        if not 0 < width <= WIDEST or fields <= width:
            raise WikibiasError(
                f"{path}:{number}: {fields - 1:,} numbers, not {width:,}; "
                "a line is a word and its vector"
                if 0 < width <= WIDEST
                else f"{path}:{number}: {width:,} numbers; give a text file of word2vec's form"
            )
        word, numbers = _parted(line, width, fields)
        yield number, word.decode("utf-8", "replace").strip(), numbers


def _parted(line: bytes, width: int, fields: int) -> tuple[bytes, bytes]:
    """Return the word of a line and its last `width` numbers; a word may hold spaces."""
    spaced = line.replace(b"\t", b" ")
    word = spaced.partition(b" ")[0] if fields == width + 1 else spaced.rsplit(b" ", width)[0]
    return word, line[len(word) :]


def numbers_of(numbers: bytes, what: str) -> NDArray[np.float64]:
    """Return the numbers of a line, as they are written.

    Raises:
        WikibiasError: they are none, or not as many as `vector_lines` took them for; the message
            begins with `what`.
    """
    try:
        found = np.array(numbers.split(), dtype=np.float64)
    except ValueError as error:
        raise WikibiasError(f"{what} is not of numbers alone") from error
    if len(found) != numbers.count(b" ") + numbers.count(b"\t"):
        raise WikibiasError(f"{what} is not of numbers with one space before each")
    return found


def _vector(numbers: bytes, what: str) -> NDArray[np.float32]:
    found = numbers_of(numbers, what)
    if not (np.abs(found) <= _LARGEST).all():
        raise WikibiasError(f"{what} has a number that is none or beyond a million")
    return found.astype(np.float32)

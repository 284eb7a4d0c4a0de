"""Words of neural models: vectors in a text file of word2vec, GloVe or fastText, and vocabularies.

A file has a word and its numbers on a line, the commonest word first; above them, in the form of
word2vec and fastText (`.vec`), a line with the number of words and of numbers. Imports no torch.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from wikibias.edits.word_diff import tokens
from wikibias.errors import WikibiasError

LONGEST_LINE = 100_000
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
    for number, raw in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b""), 1):
        if len(raw) > LONGEST_LINE:
            raise WikibiasError(
                f"{path}:{number}: longer than {LONGEST_LINE:,} bytes; no line of word vectors"
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


LONGEST_SENTENCE = 300
"""Words of a sentence that are read; what follows is not."""
_SHORTEST_GRAM, _LONGEST_GRAM = 3, 5
_LETTERS = 40  # of a word whose n-grams count; a longer one is an address or a prank


class Words(NamedTuple):
    """The distinct words of some sentences as numbers, and where each stands.

    Attributes:
        known: of each distinct word its row among the given vectors, 0 for none.
        learnt: likewise among the vectors learnt.
        grams: its character n-grams, those of one word behind another's.
        starts: where in `grams` those of each word begin.
        places: for each sentence its words, as numbers of distinct ones.
    """

    known: list[int]
    learnt: list[int]
    grams: list[int]
    starts: list[int]
    places: list[list[int]]


@dataclass(frozen=True)
class Vocabulary:
    """The words with a vector of their own.

    Attributes:
        given: words with a vector from a file, in the order of the rows, from 1.
        learnt: words of the training data, likewise.
        buckets: how many vectors character n-grams share; 0 for none.
    """

    given: Sequence[str]
    learnt: Sequence[str]
    buckets: int

    @cached_property
    def _rows(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        given, learnt = (
            {word: row for row, word in enumerate(words, 1)} for words in (self.given, self.learnt)
        )
        return given, learnt

    def numbered(self, sentences: Sequence[Sequence[str]]) -> Words:
        """Return sentences of words as numbers; an empty one as one unknown word."""
        distinct: dict[str, int] = {}
        places = [
            [distinct.setdefault(word, len(distinct)) for word in sentence or [""]]
            for sentence in sentences
        ]
        given, learnt = self._rows
        grams: list[int] = []
        starts = []
        for word in distinct:
            starts.append(len(grams))
            grams += character_ngrams(word, self.buckets) if self.buckets else ()
        return Words(
            [given.get(word, 0) for word in distinct],
            [learnt.get(word, 0) for word in distinct],
            grams,
            starts,
            places,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return what `of_dict` takes, as JSON."""
        return {"given": list(self.given), "learnt": list(self.learnt), "buckets": self.buckets}

    @classmethod
    def of_dict(cls, found: Mapping[str, Any]) -> Vocabulary:
        """Return the vocabulary that `as_dict` described.

        Raises:
            ValueError, KeyError, TypeError: it described none.
        """
        given, learnt, buckets = found["given"], found["learnt"], found["buckets"]
        if not all(isinstance(word, str) for word in (*given, *learnt)) or type(buckets) is not int:
            raise ValueError("no vocabulary")
        return cls(list(given), list(learnt), buckets)


def words(text: str) -> list[str]:
    """Return the words and marks of a text, the first 300, in the form of the vocabulary.

    In a script without spaces each letter is a word.
    """
    return [text[start:end].lower() for start, end in tokens(text)[:LONGEST_SENTENCE]]


def frequent(sentences: Iterable[Sequence[str]], least: int) -> list[str]:
    """Return the words that occur at least `least` times, the commonest first."""
    counts = Counter(word for sentence in sentences for word in sentence)
    found = [word for word, count in counts.items() if count >= least]
    return sorted(found, key=lambda word: (-counts[word], word))


def character_ngrams(word: str, buckets: int) -> list[int]:
    """Return the numbers of a word's n-grams of three to five characters, its ends marked.

    A number is a hash, so that two n-grams may share one; the same on each machine.
    """
    marked = f"<{word[:_LETTERS]}>"
    found = [
        marked[at : at + long]
        for long in range(_SHORTEST_GRAM, _LONGEST_GRAM + 1)
        for at in range(len(marked) - long + 1)
    ]
    return [crc32(gram.encode("utf-8", "surrogatepass")) % buckets for gram in found or [marked]]

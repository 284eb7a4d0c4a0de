"""Words of neural models: vectors in a text file of word2vec, GloVe or fastText, and vocabularies.

A file has a word and its numbers on a line, the commonest word first; above them, in the form of
word2vec and fastText (`.vec`), a line with the number of words and of numbers. Imports no torch.
"""

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


def read_vectors(path: Path, wanted: Collection[str], most: int) -> WordVectors:
    """Read the vectors of the `wanted` words, lower-cased, and of the first `most` of all.

    Of words that differ in letter case alone the first one counts. Memory grows with the words
    kept, never with the file.

    Raises:
        WikibiasError: the file cannot be read, or a line has not the form of the first; the message
            names it.
    """
    digest = sha256()
    kept: dict[str, NDArray[np.float32]] = {}
    width = count = 0
    try:
        with path.open("rb") as file:
            for number, line in _lines(file, path, digest):
                if not width:
                    fields = line.split()
                    has_counts = len(fields) == 2 and all(field.isdigit() for field in fields)
                    width = int(fields[1][:_DIGITS]) if has_counts else len(fields) - 1
                    if not 0 < width <= WIDEST:
                        raise WikibiasError(
                            f"{path}:{number}: {width:,} numbers a word, of which there are 1 to "
                            f"{WIDEST:,}; give a text file of word2vec's form"
                        )
                    if has_counts:
                        continue
                count += 1
                first, *numbers = line.rsplit(None, width)
                if len(numbers) < width:
                    raise WikibiasError(
                        f"{path}:{number}: {len(numbers):,} numbers, not {width:,}; a line is a "
                        "word and its vector"
                    )
                word = first.decode("utf-8", "replace").lower()
                if (count <= most or word in wanted) and word not in kept:
                    kept[word] = _vector(numbers, f"{path}:{number}: the vector of {word[:40]!r}")
    except OSError as error:
        raise WikibiasError(f"{path}: cannot be read ({error.strerror})") from error
    if not kept:
        raise WikibiasError(f"{path}: no word vectors in it; give a text file of word2vec's form")
    return WordVectors(list(kept), np.stack(list(kept.values())), digest.hexdigest())


def _lines(file: BinaryIO, path: Path, digest: Any) -> Iterator[tuple[int, bytes]]:
    """Yield the place and the content of each line that is not blank; digest all of them."""
    for number, raw in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b""), 1):
        if len(raw) > LONGEST_LINE:
            raise WikibiasError(
                f"{path}:{number}: longer than {LONGEST_LINE:,} bytes; no line of word vectors"
            )
        digest.update(raw)
        if line := raw.removeprefix(BOM_UTF8 if number == 1 else b"").strip():
            yield number, line


def _vector(numbers: Sequence[bytes], what: str) -> NDArray[np.float32]:
    try:
        found = np.array(numbers, dtype=np.float64)
    except ValueError as error:
        raise WikibiasError(f"{what} is not of numbers alone") from error
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

"""The word vectors of a model of fastText (.bin), read without it.

The package fasttext holds a whole model in memory, 7 GB of those of Common Crawl, and a damaged
file ends the process. Here the matrix stays on the disk. The form is that of fastText 0.9:
settings, words, and a matrix with a row for each word and for each bucket of groups of letters.
The vector of a word is the mean of its own row, where it has one, and those of its groups, so that
every word of some letters has a vector (Bojanowski et al., 2017).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.models.word_vectors import WIDEST
from wikibias.research.selection_bias.similarity.sought import Found, Sought, Vector

MAGIC = struct.pack("<i", 793_712_314)
_VERSIONS = (11, 12)
_SETTINGS = struct.Struct("<ii12id")
_COUNTS = struct.Struct("<iiiqq")
_ENTRY = struct.Struct("<qb")
_PRUNED = 8  # bytes of each bucket that is left
_SHAPE = struct.Struct("<?qq")
_CLASSIFIER = 3
_LONGEST = 100_000  # bytes of a word
_LONGEST_GROUP = 100  # letters; of larger ones a long word would have millions
_END = "</s>"  # of a sentence; has no groups


@dataclass(frozen=True, slots=True)
class _Groups:
    """Of how many letters groups are, and how many buckets there are for them."""

    shortest: int
    longest: int
    buckets: int

    def of(self, word: str) -> Iterator[int]:
        """Yield the bucket of each group of letters of a word."""
        letters = [letter.encode("utf-8", "surrogatepass") for letter in f"<{word}>"]
        for start in range(len(letters)):
            for size in range(max(1, self.shortest), self.longest + 1):
                end = start + size
                if end > len(letters):
                    break
                if size > 1 or 0 < start < len(letters) - 1:
                    yield _hash(b"".join(letters[start:end])) % self.buckets


@dataclass(frozen=True, slots=True)
class _Model:
    words: dict[str, int]
    first_bucket: int
    groups: _Groups
    matrix: NDArray[np.float32]

    def vector(self, word: str) -> Vector:
        """Return the mean of the rows of a word; zeros where it has none."""
        rows = [self.words[word]] if word in self.words else []
        if word != _END and self.groups.buckets:
            rows += [self.first_bucket + bucket for bucket in self.groups.of(word)]
        if not rows:
            return np.zeros(self.matrix.shape[1])
        mean: Vector = self.matrix[rows].astype(np.float64).mean(axis=0)
        return mean


def read_model(path: Path, sought: Sought) -> Found:
    """Read the vectors of what is sought; a word that the model has not is made of its letters.

    Raises:
        WikibiasError: the model is damaged, or compressed (.ftz).
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            model = _opened(content, path, sought)
        except (struct.error, IndexError, OverflowError) as error:
            raise _damaged(path) from error
    kept = {word: model.vector(word) for word in model.words}
    for word in sorted(sought.words):
        if not {word, word.lower()} & kept.keys():
            kept[word.lower()] = model.vector(word.lower())
    return Found(kept, model.matrix.shape[1])


def _opened(content: mmap.mmap, path: Path, sought: Sought) -> _Model:
    _, version, *settings, _ = _SETTINGS.unpack_from(content)
    if version not in _VERSIONS:
        raise WikibiasError(f"{path}: fastText's form {version}; one of 11 and 12 can be read")
    width, kind, buckets, shortest, longest = settings[0], *settings[7:11]
    if version == min(_VERSIONS) and kind == _CLASSIFIER:
        longest = 0
    groups = _Groups(shortest, longest, max(0, buckets) if longest > 0 else 0)
    size, words_alone, _, _, pruned = _COUNTS.unpack_from(content, _SETTINGS.size)
    words, place = _words(content, _SETTINGS.size + _COUNTS.size, size, sought)
    place += max(0, pruned) * _PRUNED
    compressed, rows, columns = _SHAPE.unpack_from(content, place)
    if compressed or pruned >= 0:
        raise WikibiasError(f"{path}: compressed (.ftz); give the .bin that it was made from")
    place += _SHAPE.size
    if not (longest <= _LONGEST_GROUP and 0 < width == columns <= WIDEST) or not (
        max(words.values(), default=-1) < words_alone
        and 0 <= words_alone <= words_alone + groups.buckets <= rows
        and rows * width * 4 <= len(content) - place
    ):
        raise _damaged(path)
    matrix = np.memmap(path, "<f4", "r", place, (rows, width))
    return _Model(words, words_alone, groups, matrix)


def _words(content: mmap.mmap, place: int, size: int, sought: Sought) -> tuple[dict[str, int], int]:
    """Return the rows of the words that are sought, and the place behind all words."""
    wanted = {name.encode("utf-8", "surrogatepass"): name for name in sought.names}
    found: dict[str, int] = {}
    for row in range(size):
        end = content.find(b"\0", place, place + _LONGEST)
        if end < 0:
            raise IndexError(place)
        word = content[place:end]
        _, kind = _ENTRY.unpack_from(content, end + 1)
        if not kind and word in wanted:
            found.setdefault(wanted[word], row)
        place = end + 1 + _ENTRY.size
    return found, place


def _hash(group: bytes) -> int:
    """Return the hash of Fowler, Noll and Vo; fastText takes bytes for signed numbers."""
    found = 2_166_136_261
    for byte in group:
        signed = byte if byte < 128 else byte | 0xFFFFFF00
        found = ((found ^ signed) * 16_777_619) & 0xFFFFFFFF
    return found


def _damaged(path: Path) -> WikibiasError:
    return WikibiasError(f"{path}: a damaged model of fastText; get or train it again")

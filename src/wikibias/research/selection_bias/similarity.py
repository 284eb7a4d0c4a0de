"""Similarity measures of words, and the table of similarities that figures are made of."""

import gzip
import hashlib
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import how_to_install

Matrix = NDArray[np.float64]
_SHORTEST = 1e-100  # a vector that is shorter has no direction that can be told
_MOST_NUMBERS = 10_000  # of a vector
_MOST_PACKED = 1_100  # how many times smaller gzip makes a file at most
# What gensim and numpy raise of files that are damaged, or none of vectors.
_FAULTS = (
    *(OSError, ValueError, EOFError, TypeError, ArithmeticError, LookupError, AttributeError),
    *(SyntaxError, RecursionError, MemoryError),
)


class Similarity(ABC):
    """How alike words are.

    Attributes:
        about: what it is, for people and for a record: `name`, `title`, and what tells it apart.
    """

    about: Mapping[str, Any]

    @abstractmethod
    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return how alike each word is to each keyword, words by keywords.

        From -1 to 1; not a number where it is not defined, as where a word has no vector. What is
        the same word is for `SimilarityTable` to say.
        """

    @abstractmethod
    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector, or what else it takes."""

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_] | None:
        """Return for each word whether a measure was trained on it; None of one untrained."""
        del words
        return None


class SimilarityTable:
    """How alike words of topics are to keywords; the same word is 1, even without a vector.

    Letter case does not count there.

    Args:
        similarity: which is asked once.
        words: of topics.
        keywords: of all lists, drawn ones too.
    """

    def __init__(
        self, similarity: Similarity, words: Collection[str], keywords: Collection[str]
    ) -> None:
        rows, columns = sorted(set(words)), sorted(set(keywords))
        self._row = {word: place for place, word in enumerate(rows)}
        self._column = {word: place for place, word in enumerate(columns)}
        self._values = similarity.matrix(rows, columns).copy()
        same: defaultdict[str, list[int]] = defaultdict(list)
        for place, keyword in enumerate(columns):
            same[keyword.casefold()].append(place)
        for row, word in enumerate(rows):
            self._values[row, same.get(word.casefold(), [])] = 1.0
        every = sorted({*rows, *columns})
        self._known = frozenset(
            word for word, knows in zip(every, similarity.knows(every), strict=True) if knows
        )

    def of(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return words by keywords; not a number where it is not defined."""
        rows = [self._row[word] for word in words]
        columns = [self._column[keyword] for keyword in keywords]
        found: Matrix = self._values[np.ix_(rows, columns)]
        return found

    def coverage(self, words: Collection[str]) -> float:
        """Return the share of words that the measure knows, each word once."""
        distinct = set(words)
        return len(distinct & self._known) / max(len(distinct), 1)


def unit(vectors: ArrayLike) -> Matrix:
    """Return vectors, a row each, of length 1; a row of not-a-number for one that is no vector.

    That is one of zeros, or with a number that is infinite or none.
    """
    found: Matrix = np.array(vectors, dtype=np.float64)
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        lengths[~(np.isfinite(lengths) & (lengths > _SHORTEST))] = np.nan
        found /= lengths
    return found


def cosines(words: Matrix, keywords: Matrix) -> Matrix:
    """Return the cosine of each word and each keyword, given as `unit` has them."""
    with np.errstate(invalid="ignore"):
        found: Matrix = words @ keywords.T
    return np.clip(found, -1.0, 1.0, out=found)


class VectorSimilarity(Similarity):
    """The cosine of vectors, of which each word and phrase has one or none.

    Attributes:
        dimensions: numbers of a vector.
    """

    dimensions: int

    @abstractmethod
    def vector(self, word: str) -> Matrix | None:
        """Return the vector of a word or a phrase; None where it has none."""

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return cosines, words by keywords; not a number where one has no vector."""
        return cosines(self._units(words), self._units(keywords))

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector."""
        return np.array([self.vector(word) is not None for word in words], dtype=np.bool_)

    def _units(self, words: Sequence[str]) -> Matrix:
        found = np.full((len(words), self.dimensions), np.nan)
        for place, word in enumerate(words):
            if (vector := self.vector(word)) is not None:
                found[place] = vector
        return unit(found)


class WordVectors(VectorSimilarity):
    """Word vectors of a file.

    A word is looked up as it is, then lower-cased. A phrase without a vector of its own, its words
    apart or joined by "_" or "-", has the mean of those of its words that have one.

    Args:
        rows: vectors, words by numbers.
        row_of: the row of each word.
        words: all that may be asked about.
        about: what they are; see `Similarity`.
    """

    def __init__(
        self,
        rows: NDArray[Any],
        row_of: Mapping[str, int],
        words: Collection[str],
        about: Mapping[str, Any],
    ) -> None:
        self._rows, self._row_of, self.dimensions = rows, row_of, rows.shape[1]
        known = int(self.knows(sorted(words)).sum())
        self.about = {**about, "words": len(words), "with_vector": known}

    def vector(self, word: str) -> Matrix | None:
        """Return the vector of a word or a phrase; None where it has none."""
        if (own := self._own(word)) is not None:
            return own
        parts = [each for part in word.split() if (each := self._own(part)) is not None]
        mean: Matrix = np.mean(parts, axis=0) if parts else np.zeros(self.dimensions)
        return mean if mean.any() else None

    def _own(self, word: str) -> Matrix | None:
        for name in lookup_forms(word):
            if (row := self._row_of.get(name)) is not None:
                found = np.array(self._rows[row], dtype=np.float64)
                if np.isfinite(found).all() and found.any():
                    return found
        return None


def lookup_forms(word: str) -> list[str]:
    """Return the names under which a word or a phrase may have a vector, the best first."""
    parts = word.split()
    written = dict.fromkeys([word, *(mark.join(parts) for mark in " _-" if len(parts) > 1)])
    return list(dict.fromkeys(form for each in written for form in (each, each.lower())))


def read_vectors(path: Path, words: Collection[str]) -> WordVectors:
    """Read the vectors of a file.

    An array of numpy (.npy) beside its words, one a line, in a file of the same name that ends in
    .txt; else what gensim's KeyedVectors read: word2vec's text or binary form and GloVe's
    text, all also as .gz. What they save themselves is a pickle, which may run any code.

    Args:
        path: the file.
        words: all that may be asked about.

    Raises:
        UsageError: there is no such file, or gensim is not installed.
        WikibiasError: the file holds no word vectors, or is damaged.
    """
    if not path.is_file():
        raise UsageError(f"--vectors {path}: no such file; give a file of word vectors")
    try:
        rows, row_of = _array(path) if path.suffix == ".npy" else _keyed_vectors(path)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except _FAULTS as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise WikibiasError(f"{path}: no word vectors that can be read ({why:.200})") from error
    about = {
        "name": "vectors",
        "title": f"cosine of {path.name}",
        "file": path.name,
        "sha256": digest,
        "dimensions": int(rows.shape[1]),
    }
    return WordVectors(rows, row_of, words, about)


def _array(path: Path) -> tuple[NDArray[Any], dict[str, int]]:
    """Return the rows of an array, which stays on the disk, and where the words are."""
    words = path.with_suffix(".txt")
    if not words.is_file():
        raise UsageError(
            f"{path}: which words are its rows of? Put them, one a line, into {words.name} beside "
            "it"
        )
    with np.errstate(over="raise"):
        rows: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    if rows.ndim != 2 or rows.dtype.kind not in "fiu":
        raise ValueError(f"an array of {rows.ndim} dimensions of {rows.dtype}")
    with words.open(encoding="utf-8", errors="replace", newline="\n") as file:
        names = [line.rstrip("\r\n").partition("\t")[0] for line in file]
    if len(names) != len(rows):
        raise WikibiasError(
            f"{words}: {len(names):,} words, and {path.name} has {len(rows):,} vectors; give one a "
            "line for each"
        )
    return rows, {name: place for place, name in reversed([*enumerate(names)])}


def _keyed_vectors(path: Path) -> tuple[NDArray[Any], Mapping[str, int]]:
    try:
        from gensim.models import KeyedVectors
    except ImportError as error:
        raise UsageError(
            f"{path}: gensim, which reads word vectors, is not installed; run: "
            f"{how_to_install('vectors')}"
        ) from error
    found = KeyedVectors.load_word2vec_format(
        str(path),
        binary=path.name.removesuffix(".gz").endswith(".bin"),
        no_header=not _has_header(path),
        unicode_errors="replace",
    )
    return found.vectors, found.key_to_index


def _has_header(path: Path) -> bool:
    """Return whether the first line of a file tells how many words and numbers it has.

    Raises:
        ValueError: no file of that size can hold them.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        parts = file.readline(200).split()
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        return False
    words, numbers = map(int, parts)
    packed = _MOST_PACKED if path.suffix == ".gz" else 1
    if not 0 < numbers <= _MOST_NUMBERS or words * numbers > path.stat().st_size * packed:
        raise ValueError(f"its first line tells of {words:,} words of {numbers:,} numbers")
    return True

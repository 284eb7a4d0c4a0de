"""Turns sentences into n-grams of characters and words, known by hash: small, and quick to find.

Works on batches of sentences as arrays of code points: many times faster than a loop over n-grams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin

# A hash of 54 bits and the row in its batch fit one number. Of ten million n-grams two share a hash
# in less than one corpus of a hundred. Larger batches take more memory and are no faster.
_ROW_BITS = 8
_AT_ONCE = 1 << _ROW_BITS
_WORDS = np.uint64(1 << 53)
"""The bit that tells hashes of words from those of characters, so that these come first."""
_FEWEST = 2
_WAITING = 8_000_000
_SPACE = 32
_PRIME = np.uint64(0x100000001B3)
_ODD = np.uint64(0x9E3779B97F4A7C15)
Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]
Tallies = list[tuple[Hashes, NDArray[np.int32]]]
"""Hashes, sorted, and in how many sentences each is."""
_NOTHING: Hashes = np.zeros(0, np.uint64)


class HashedNgrams(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """TF-IDF rows (float32) of n-grams: characters within words, and words.

    Holds the values of two `TfidfVectorizer` with sublinear frequencies and `min_df=2`, of
    `analyzer="char_wb"` and of words, side by side; only the order of the columns is another. Where
    there are more than `most` n-grams, those of the fewest sentences are left out.
    """

    def __init__(
        self, shortest: int = 2, longest: int = 6, ngrams: int = 3, most: int = 1_000_000
    ) -> None:
        self.shortest, self.longest, self.ngrams, self.most = shortest, longest, ngrams, most

    def fit(self, texts: Sequence[str], biased: Any = None) -> Self:
        """Learn which n-grams there are and how rare each is.

        Raises:
            ValueError: no character n-gram, or no word, is in two sentences.
        """
        del biased
        self._learn(texts)
        return self

    def fit_transform(self, texts: Sequence[str], biased: Any = None) -> Any:
        """Do `fit` and `transform`, and hold the rows but once."""
        del biased
        size = self._learn(texts)
        return self._filled(map(self._weighted, self._batches(texts)), len(texts), size)

    def transform(self, texts: Sequence[str]) -> Any:
        """Return sparse rows: sentences by n-grams, sorted by hash."""
        parts = [self._weighted(batch) for batch in self._batches(texts)]
        return self._filled(parts, len(texts), sum(part.nnz for part in parts))

    def _learn(self, texts: Sequence[str]) -> int:
        """Do what `fit` says, and return how many numbers the rows of the sentences have."""
        parts: Tallies = [_counted([])]
        waiting = 0
        for batch in self._batches(texts):
            starts = _starts(batch.hashes)
            seen = np.diff(starts, append=len(batch.hashes)).astype(np.int32)
            parts.append((batch.hashes[starts], seen))
            waiting += len(starts)
            if waiting > max(_WAITING, len(parts[0][0])):
                parts, waiting = [_counted(parts)], 0
        hashes, seen = _counted(parts)
        least = _FEWEST
        while np.count_nonzero(seen >= least) > self.most:
            least += 1
        kept = seen >= least
        self.hashes_ = hashes[kept]
        if not 0 < np.searchsorted(self.hashes_, _WORDS) < len(self.hashes_):
            raise ValueError("no word is in two of them")
        self.idf_ = (np.log((1 + len(texts)) / (1 + seen[kept])) + 1).astype(np.float32)
        return int(seen[kept].sum())

    def _batches(self, texts: Iterable[str]) -> Iterator[_Batch]:
        left = iter(texts)
        while batch := list(islice(left, _AT_ONCE)):
            letters, rows = _letters(batch)
            found = [*_character_ngrams(letters, rows, self.shortest, self.longest)]
            found += _word_ngrams(letters, rows, self.ngrams)
            keys = [(hashes << np.uint64(_ROW_BITS)) | of.astype(np.uint64) for hashes, of in found]
            every, counts = np.unique(np.concatenate(keys or [_NOTHING]), return_counts=True)
            inside = (every & np.uint64(_AT_ONCE - 1)).astype(np.int64)
            yield _Batch(len(batch), every >> np.uint64(_ROW_BITS), inside, counts)

    def _weighted(self, batch: _Batch) -> Any:
        """Return the rows of a batch, both parts of each a unit vector."""
        place = np.searchsorted(self.hashes_, batch.hashes)
        place[place == len(self.hashes_)] = 0
        known = self.hashes_[place] == batch.hashes
        rows, columns = batch.rows[known], place[known]
        values = (1 + np.log(batch.counts[known].astype(np.float32))) * self.idf_[columns]
        part = 2 * rows + (columns >= np.searchsorted(self.hashes_, _WORDS))
        squares = np.bincount(part, values.astype(np.float64) ** 2, 2 * batch.size)
        values /= np.sqrt(squares[part]).astype(np.float32)
        shape = (batch.size, len(self.hashes_))
        return sparse.coo_matrix((values, (rows, columns.astype(np.int32))), shape).tocsr()

    def _filled(self, parts: Iterable[Any], count: int, size: int) -> Any:
        """Return the rows of all parts as one matrix of `count` rows and `size` numbers."""
        data, indices = np.empty(size, np.float32), np.empty(size, np.int32)
        ends = np.zeros(count + 1, np.int32 if size <= np.iinfo(np.int32).max else np.int64)
        at = row = 0
        for part in parts:
            data[at : at + part.nnz], indices[at : at + part.nnz] = part.data, part.indices
            ends[row + 1 : row + 1 + part.shape[0]] = part.indptr[1:].astype(ends.dtype) + at
            at, row = at + part.nnz, row + part.shape[0]
        return sparse.csr_matrix((data, indices, ends), (count, len(self.hashes_)))


class _Batch(NamedTuple):
    """Each n-gram of each of `size` sentences, sorted, with its row and how often it is there."""

    size: int
    hashes: Hashes
    rows: Ints
    counts: Ints


def _counted(parts: Tallies) -> tuple[Hashes, NDArray[np.int32]]:
    """Return one tally of all."""
    every = np.concatenate([_NOTHING, *(hashes for hashes, _ in parts)])
    order = np.argsort(every, kind="stable")
    seen = np.concatenate([np.zeros(0, np.int32), *(seen for _, seen in parts)])[order]
    every = every[order]
    starts = _starts(every)
    return every[starts], np.add.reduceat(seen, starts) if len(starts) else seen


def _starts(values: Hashes) -> Ints:
    """Return where each run of equal values begins."""
    return np.flatnonzero(np.append(True, values[1:] != values[:-1])[: len(values)])


def _letters(texts: Sequence[str]) -> tuple[NDArray[np.uint32], Ints]:
    """Return the code points of sentences, one space around each word, and the row of each."""
    padded = [f" {' '.join(text.lower().split())} " for text in texts]
    encoded = "".join(padded).encode("utf-32-le", "surrogatepass")
    lengths = np.array([len(text) for text in padded])
    return np.frombuffer(encoded, np.uint32), np.repeat(np.arange(len(padded)), lengths)


def _character_ngrams(
    letters: NDArray[np.uint32], of: Ints, shortest: int, longest: int
) -> Iterator[tuple[Hashes, Ints]]:
    """Yield hashes and rows of the n-grams of each length, which go beyond no word's two spaces."""
    spaces = np.flatnonzero(letters == _SPACE)
    here = np.arange(len(letters))
    # The space that ends what begins here.
    end = np.append(spaces, len(letters))[np.searchsorted(spaces, here, side="right")]
    last = np.append(of[1:] != of[:-1], True)
    start = here[~last]
    hashes, letters = letters[start].astype(np.uint64), letters.astype(np.uint64)
    for length in range(2, longest + 1):
        inside = end[start] >= start + length - 1
        start, hashes = start[inside], hashes[inside]
        hashes = hashes * _PRIME + letters[start + length - 1]
        if length >= shortest:
            yield _mixed(hashes * _ODD + np.uint64(length)) & (_WORDS - np.uint64(1)), of[start]


def _word_ngrams(
    letters: NDArray[np.uint32], of: Ints, longest: int
) -> Iterator[tuple[Hashes, Ints]]:
    """Yield hashes and rows of the n-grams of words: runs of two or more letters or digits."""
    within = _is_in_word(letters)
    edges = np.flatnonzero(np.diff(within.astype(np.int8), prepend=0, append=0))
    starts, ends = edges[::2], edges[1::2]
    long = ends - starts >= 2
    starts, ends = starts[long], ends[long]
    if not len(starts):
        return
    lengths = ends - starts
    first = np.cumsum(lengths) - lengths
    place = np.arange(lengths.sum()) - np.repeat(first, lengths)
    inside = letters[np.repeat(starts, lengths) + place].astype(np.uint64)
    mixed = _mixed(inside * _PRIME + place.astype(np.uint64) * _ODD)
    words, rows = np.add.reduceat(mixed, first), of[starts]
    hashes = words
    for length in range(1, longest + 1):
        if length > 1:
            same = rows[: len(rows) - length + 1] == rows[length - 1 :]
            hashes = hashes[: len(same)] * _PRIME + words[length - 1 :]
            yield _marked(hashes[same] + np.uint64(length)), rows[: len(same)][same]
        else:
            yield _marked(hashes), rows


def _is_in_word(letters: NDArray[np.uint32]) -> NDArray[np.bool_]:
    kinds, which = np.unique(letters, return_inverse=True)
    return np.array([chr(kind).isalnum() or kind == ord("_") for kind in kinds])[which]


def _marked(hashes: Hashes) -> Hashes:
    return (_mixed(hashes) & (_WORDS - np.uint64(1))) | _WORDS


def _mixed(hashes: Hashes) -> Hashes:
    """Spread hashes over all bits (the finaliser of MurmurHash3)."""
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return hashes ^ (hashes >> np.uint64(33))

"""Similarity measures of words, and B1 and B2 of topics and keywords: intervals, random lists.

Ousidhoum, Song and Yeung (2020), section 3.3. B1 (equations 1 and 2) is the mean over topics of the
mean similarity of a topic's words to the keywords. B2 has two readings: `max` is equation 3 as
printed, one maximum for each topic; `mean_max` is the mean over a topic's words of their best
keyword, as the authors' program has it. Both are the mean over topics. With a floor at 0 no maximum
counts for less than 0, as in that program. Where similarities are defined and at least 0,
B1 <= B2 mean_max <= B2 max.
"""

from __future__ import annotations

import gzip
import re
import tempfile
import warnings
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t as student

from wikibias.corpus import log_odds
from wikibias.errors import UsageError, WikibiasError, counted
from wikibias.kits.evaluation import UNDEFINED, Interval, spearman
from wikibias.kits.files import checksum, disk_errors
from wikibias.kits.plugins import how_to_install
from wikibias.models.estimators import fasttext
from wikibias.research.selection_bias.documents import Documents, Lists
from wikibias.research.selection_bias.samples import Topics
from wikibias.text.segmentation import normalise

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
        digest = checksum(path)
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


MOST_LEARNT = 2_000_000
"""How many words are learnt from; a text beyond that is not read."""
FEW_WORDS = 100_000
"""Of fewer words the vectors tell little."""
_PER_RUN = 2_000_000  # words read in all epochs together; fewer epochs for a long text
_EPOCHS = (5, 20)
# A word that is rarer has the vector of its pieces alone: in 250,000 words what stands there once.
_RARE, _RAREST = 250_000, 5
_LONGEST = 100  # letters; a longer run of them is no word, and has pieces without number
# In Latin letters; in Ukrainian an apostrophe is within a word.
_ELISION = re.compile("(?<=[a-z\u00df-\u024f])'")
_END = "</s>"  # stands for the end of a sentence
_SETTINGS = {"model": "skipgram", "dim": 50, "minn": 3, "maxn": 6, "t": 1e-3, "bucket": 500_000}


def train_vectors(words: Sequence[str], corpora: Sequence[Documents], seed: int) -> TrainedVectors:
    """Learn vectors from all sentences; the same ones and the same seed give the same bytes.

    The settings were held against GloVe's similarities of all pairs of 557 words. On 3,021
    sentences of news (96,000 words) the correlation of ranks is .19 with 20 epochs, and at most .15
    with fastText's 5; on 36,000 sentences it is .35. On 134 sentences it is 0 with any settings: so
    small a text teaches fastText nothing, and `about` has a caution.

    Args:
        words: all that may be asked about.
        corpora: the documents to learn from.
        seed: of the training.

    Raises:
        UsageError: there is nothing to learn from.
        DiskError: there is no room for the sentences in the folder of temporary files.
        WikibiasError: fastText cannot learn from them.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.txt"
        about = _write(path, chain.from_iterable(each.texts for each in corpora))
        settings = training_settings(about["words"])
        model = fasttext.learnt_words(path, seed, settings)
    about["corpora"] = [each.name for each in corpora]
    return TrainedVectors(model, words, {**about, "settings": {"seed": seed, **settings}})


class TrainedVectors(VectorSimilarity):
    """Vectors that fastText learnt, without labels, from the sentences that are measured.

    They need no file and suit any language. A word's vector is the mean of those of its pieces of
    three to six letters, so that a word that the text has not still has one. All vectors of a small
    text point nearly the same way (a mean cosine of .25 to 1), which hides what tells words apart.
    So the mean of the vocabulary is subtracted from each (Mu and Viswanath 2018,
    "All-but-the-Top"); without it the correlation of `train_vectors` on 3,021 sentences is 0.

    A phrase has the mean of the vectors of its words; so has a word of a script without spaces,
    whose words are two letters side by side. All words have a vector that share a piece with the
    text.

    Args:
        model: that fastText made.
        asked: the words that may be asked about. Of these `about` has the share that the text has,
            as `seen`, since all others have a vector too.
        about: what it was trained on and how. Where the text is small, a `caution` is added.
    """

    def __init__(self, model: Any, asked: Sequence[str], about: Mapping[str, Any]) -> None:
        words = [word for word in model.get_words() if word != _END]
        self._model, self._rows = model, model.get_input_matrix()
        self.dimensions = self._rows.shape[1]
        self._words = frozenset(words)
        # Other pieces have the numbers that they began with, drawn at random.
        self._pieces = frozenset(piece for word in words for piece in model.get_subwords(word)[0])
        known = (self._of_word(word) for word in words)
        self._mean = np.mean([vector for vector in known if vector is not None], axis=0)
        size, corpora = counted(about["words"], "word"), about["corpora"]
        together = f" of {len(corpora)} corpora together" if len(corpora) > 1 else ""
        self.about = {
            "name": "fasttext",
            "title": f"fastText trained on {size}{together}",
            "vocabulary": len(words),
            "seen": float(self.seen(asked).mean()) if asked else None,
            **about,
        }
        if about["words"] < FEW_WORDS:
            self.about["caution"] = (
                f"fastText learnt from only {size}; of so few, which word is like which is little "
                "more than chance; give --vectors"
            )

    def seen(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the text has each word: other vectors are of pieces alone."""
        parts = (_words(normalise(word, keep_apostrophes=True)) for word in words)
        return np.array([bool(of) and self._words.issuperset(of) for of in parts], dtype=np.bool_)

    def vector(self, word: str) -> Matrix | None:
        """Return the vector of a word or a phrase; None where it shares no piece with the text."""
        vectors = [self._of_word(part) for part in _words(normalise(word, keep_apostrophes=True))]
        known = [vector - self._mean for vector in vectors if vector is not None]
        return np.mean(known, axis=0) if known else None

    def _of_word(self, word: str) -> Matrix | None:
        pieces, rows = self._model.get_subwords(word)
        known = [row for piece, row in zip(pieces, rows, strict=True) if piece in self._pieces]
        return self._rows[known].mean(axis=0, dtype=np.float64) if known else None


def _words(norm: str) -> list[str]:
    """Return words, what is elided apart: "l'église" says what "église" is."""
    apart = _ELISION.sub(" ", norm)
    return [word for word in log_odds.tokens(apart) if len(word) <= _LONGEST]


def training_settings(words: int) -> dict[str, Any]:
    """Return fastText's settings for a text of so many words."""
    low, high = _EPOCHS
    epoch = min(max(_PER_RUN // max(words, 1), low), high)
    return {**_SETTINGS, "epoch": epoch, "minCount": min(1 + words // _RARE, _RAREST)}


def _write(path: Path, norms: Iterable[str]) -> dict[str, Any]:
    """Write sentences, each a line; return how many sentences and words, and their digest."""
    sentences = words = 0
    digest = sha256()
    with disk_errors(path), path.open("wb") as file:
        for parts in filter(None, map(_words, norms)):
            line = f"{fasttext.one_line(' '.join(parts))}\n".encode("utf-8", "replace")
            file.write(line)
            digest.update(line)
            sentences, words = sentences + 1, words + len(parts)
            if words >= MOST_LEARNT:
                break
    if not sentences:
        raise UsageError("there is no sentence to train fastText on; give --vectors")
    return {"sentences": sentences, "words": words, "sha256": digest.hexdigest()}


Missing = Literal["zero", "skip"]
"""A pair without a similarity counts as 0, or is left out; under "skip" a word without any defined
pair is left out of `mean_max`, and a topic without any of all figures."""
MISSING: tuple[Missing, ...] = get_args(Missing)
FIGURES = ("b1", "mean_max", "max", "mean_max_floor0", "max_floor0")
COMPARED = FIGURES[:3]
"""The figures without a floor, which are compared with others."""
FEWEST_CORPORA = 4
"""Fewer are not correlated with."""
ByNumber = dict[tuple[int, Missing], Matrix]
"""Figures by the number of words of a topic, and by what a missing pair counts for."""
_LIMIT = 1.0  # no similarity is above it, nor below -1
_AT_ONCE = 2_000_000  # similarities
_EQUAL = 1e-12  # what sums in another order may differ by
_DIGITS = 9  # beyond which figures that are the same may differ, by the order of additions


def by_topic(
    topics: Sequence[Sequence[str]], numbers: Sequence[int], lists: Lists, table: SimilarityTable
) -> ByNumber:
    """Return the figures of each topic and each list, topics by `FIGURES` by lists.

    What is not defined is not a number.

    Args:
        topics: the words of each, the first first.
        numbers: how many words of each topic are compared, each number in turn.
        lists: of keywords.
        table: how alike they are to the words.
    """
    found: dict[tuple[int, Missing], list[Matrix]] = defaultdict(list)
    for words in topics:
        similarities = table.of(words[: max(numbers)], lists.words)
        # Some lists at a time, to spare memory.
        parts = np.array_split(lists.places, lists.places.size * len(similarities) // _AT_ONCE + 1)
        of_parts = [_topic_figures(similarities[:, places], numbers) for places in parts]
        for key in of_parts[0]:
            found[key].append(np.concatenate([each[key] for each in of_parts], axis=1))
    return {key: np.array(each) for key, each in found.items()}


def _topic_figures(similarities: Matrix, numbers: Sequence[int]) -> ByNumber:
    """Return the figures of a topic, `FIGURES` by lists, of words by lists by keywords."""
    is_known = ~np.isnan(similarities)
    known, length = is_known.sum(axis=2), similarities.shape[2]
    total = np.where(is_known, similarities, 0.0).sum(axis=2)
    best = np.where(is_known, similarities, -np.inf).max(axis=2, initial=-np.inf)
    found: ByNumber = {}
    for number in numbers:
        cut = slice(number)
        with_zeros = np.where(known[cut] < length, np.maximum(best[cut], 0.0), best[cut])
        every = np.full_like(known[cut], length)
        found[number, "zero"] = _figures(total[cut], every, with_zeros)
        found[number, "skip"] = _figures(total[cut], known[cut], best[cut])
    return found


def _figures(total: Matrix, known: Any, best: Matrix) -> Matrix:
    """Return the figures of words by lists: the sum of similarities, their number, the highest."""
    best = np.where(known > 0, best, np.nan)
    floored = np.maximum(best, 0.0)
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns of what has no number
        b1 = total.sum(axis=0) / known.sum(axis=0)
        maxima = [f(of, axis=0) for of in (best, floored) for f in (np.nanmean, np.nanmax)]
    return np.array([b1, *maxima])


def mean_of_known(values: Matrix) -> Matrix:
    """Return the mean along the first axis of what is a number; not a number where nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns of an empty mean
        found: Matrix = np.nanmean(values, axis=0)
    return found


def by_seed(
    fits: Sequence[Topics], numbers: Sequence[int], lists: Lists, table: SimilarityTable
) -> ByNumber:
    """Return the figures of each fit and list, seeds by `FIGURES` by lists; see `by_topic`.

    Args:
        fits: topics of the same number, one fit for each seed.
        numbers: how many words of each topic are compared, each number in turn.
        lists: of keywords.
        table: how alike they are to the words.
    """
    found = [by_topic(fit.words, numbers, lists, table) for fit in fits]
    return {key: np.array([mean_of_known(each[key]) for each in found]) for key in found[0]}


def interval(values: Sequence[float], *, drawn: bool = False, limit: float = _LIMIT) -> Interval:
    """Return the mean of a figure over seeds, with its 95 % interval (t).

    Over fits of the same documents it tells what the chance of the fits does. Over documents drawn
    anew, where each draw is half of them, the spread of the draws is that of a figure of all (the
    delete-half jackknife of Shao and Wu, 1989): then the interval tells what chance in the
    documents and in the fits does, and more draws do not make it narrow.

    Args:
        values: of each seed; one that is not a number is left out. Of one number alone there is no
            interval, of none no mean.
        drawn: the documents are drawn anew for each seed.
        limit: beyond which the interval does not go, above 0 or below; 2 for a difference.
    """
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return dict(UNDEFINED)
    mean, size = float(np.mean(known)), len(known)
    if size == 1:
        return {**UNDEFINED, "value": mean}
    error = np.std(known, ddof=1) * (drawn + 1 / size) ** 0.5
    half = float(student.ppf(0.975, size - 1) * error)
    return {"value": mean, "low": max(mean - half, -limit), "high": min(mean + half, limit)}


def value_of(figures: Mapping[str, Any], name: str) -> float | None:
    """Return the value of one of `FIGURES`; None where it is not defined."""
    held = figures["b1"] if name == "b1" else figures["b2"][name]
    value: float | None = held["value"]
    return value


def against_random(figures: Mapping[str, Any], lists: Matrix) -> dict[str, Any]:
    """Return what figures are by chance: mean, 95 % of the lists, and p of one as high.

    p is the share of lists that are at least as high, the list itself among them.

    Args:
        figures: of a list of keywords; see `value_of`.
        lists: the same of random lists, seeds by `FIGURES` by lists.
    """
    found: dict[str, Any] = {}
    for name, drawn in zip(COMPARED, mean_of_known(lists), strict=False):
        value, known = value_of(figures, name), drawn[~np.isnan(drawn)]
        if value is None or not len(known):
            found[name] = dict.fromkeys(("mean", "low", "high", "p"))
            continue
        low, high = np.percentile(known, (2.5, 97.5))
        above = int((np.round(known, _DIGITS) >= round(value - _EQUAL, _DIGITS)).sum())
        p = (above + 1) / (len(known) + 1)
        found[name] = {"mean": float(known.mean()), "low": float(low), "high": float(high), "p": p}
    return {"lists": lists.shape[2], "figures": found}


def correlations(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what the figures of a result go up or down with (Table 5), missing pairs being 0.

    Within a corpus with the numbers of topics and words, over the whole grid: these points are of
    the same documents, so that there is no p. Over corpora with what tells these apart, of the mean
    over the grid.

    Args:
        result: with its `corpora`, `keywords` and `figures`.
    """
    grids: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for each in result["figures"]:
        if each["group"] is None and each["missing"] == "zero":
            grids[each["corpus"], each["keywords"]].append(each)
    for (corpus, name), grid in grids.items():
        for figure in COMPARED:
            values = [value_of(each, figure) for each in grid]
            for what in ("topics", "words"):
                head = {"corpus": corpus, "keywords": name, "figure": figure, "with": what}
                if found := spearman(*map(_numbers, (values, [each[what] for each in grid]))):
                    yield {**head, **found, "p": None}
    lists = {(each["corpus"], each["name"]): each for each in result["keywords"]}
    for name in dict.fromkeys(name for _, name in grids):
        corpora = [each for each in result["corpora"] if (each["name"], name) in grids]
        if len(corpora) < FEWEST_CORPORA:
            continue
        facts = {
            fact: [each[fact] for each in corpora]
            for fact in ("documents", "vocabulary", "words_per_document")
        }
        own = [lists[each["name"], name] for each in corpora]
        facts["keywords"] = [len(each["words"]) for each in own]
        facts["keyword_similarity"] = [each["mean_similarity"] for each in own]
        for figure in COMPARED:
            means = [
                float(mean_of_known(_numbers([value_of(each, figure) for each in grid])))
                for grid in (grids[each["name"], name] for each in corpora)
            ]
            for what, numbers in facts.items():
                about = {"keywords": name, "figure": figure, "with": what}
                if found := spearman(means, _numbers(numbers)):
                    yield {"corpus": None, **about, **found}


def _numbers(values: Sequence[float | None]) -> Any:
    """Return an array of values; None is not a number."""
    return np.array(values, dtype=np.float64)

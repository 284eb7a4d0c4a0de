"""The estimators that are scikit-learn pipelines: section 6 of the 2019 paper, and better ones."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self
from zipfile import ZIP_DEFLATED

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline

from wikibias.errors import WikibiasError
from wikibias.models.estimators.registry import Trainable, check_parameters
from wikibias.text.segmentation import is_unspaced

# A hash of 54 bits and the row in its batch fit one number. Of ten million n-grams two share a hash
# in less than one corpus of a hundred. Larger batches take more memory and are no faster.
_ROW_BITS = 8
_DOCUMENTS_AT_ONCE = 1 << _ROW_BITS
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

    N-grams are known by hash, which is small, and quick to find. Batches of sentences are arrays of
    code points: many times faster than a loop over n-grams.

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
        self._learn(texts)
        return self

    def fit_transform(self, texts: Sequence[str], biased: Any = None) -> Any:
        """Do `fit` and `transform`, and hold the rows but once."""
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
        while batch := list(islice(left, _DOCUMENTS_AT_ONCE)):
            letters, rows = _letters(batch)
            found = [*_character_ngrams(letters, rows, self.shortest, self.longest)]
            found += _word_ngrams(letters, rows, self.ngrams)
            keys = [(hashes << np.uint64(_ROW_BITS)) | of.astype(np.uint64) for hashes, of in found]
            every, counts = np.unique(np.concatenate(keys or [_NOTHING]), return_counts=True)
            inside = (every & np.uint64(_DOCUMENTS_AT_ONCE - 1)).astype(np.int64)
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


_AT_ONCE, _ROWS_AT_ONCE = 1 << 20, 1 << 14


class LogCountRatio(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Multiplies each feature by its naive Bayes log-count ratio between the classes.

    A linear model on top starts from naive Bayes and departs from it only where the data say so,
    which suits many weak features and few sentences. The ratio compares in how many sentences of
    each class a feature occurs, plus `alpha`.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, rows: Any, biased: Any) -> Self:
        """Learn the ratios from sparse rows and whether each is biased."""
        truth = np.asarray(biased, dtype=bool)
        yes, no = (self.alpha + seen for seen in _sentences(rows, truth))
        self.ratio_ = np.log((yes / yes.sum()) / (no / no.sum()))
        return self

    def transform(self, rows: Any) -> Any:
        """Return sparse rows (sentences by features) of the same shape, weighted.

        Those of 32 bits stay so.
        """
        kind = np.result_type(rows.dtype, np.float32)
        return self._weighted(rows, np.empty(rows.nnz, kind))

    def fit_transform(self, rows: Any, biased: Any) -> Any:
        """Do `fit` and `transform`; puts the weighted values in place of the given ones.

        At a million sentences, a copy takes gigabytes.
        """
        kind = np.result_type(rows.dtype, np.float32)
        return self.fit(rows, biased)._weighted(rows, rows.data.astype(kind, copy=False))

    def _weighted(self, rows: Any, into: Any) -> Any:
        for at in range(0, rows.nnz, _AT_ONCE):
            some = slice(at, at + _AT_ONCE)
            into[some] = rows.data[some] * self.ratio_[rows.indices[some]]
        return sparse.csr_matrix((into, rows.indices, rows.indptr), rows.shape)


def _sentences(rows: Any, truth: Any) -> Iterator[Any]:
    """Yield in how many sentences of each class, biased first, each feature is over zero."""
    counts = np.zeros((2, rows.shape[1]))
    for start in range(0, rows.shape[0], _ROWS_AT_ONCE):
        batch = rows[start : start + _ROWS_AT_ONCE]
        of = np.repeat(truth[start : start + _ROWS_AT_ONCE], np.diff(batch.indptr))
        for side, wanted in enumerate((True, False)):
            which = batch.indices[(of == wanted) & (batch.data > 0)]
            counts[side] += np.bincount(which, minlength=rows.shape[1])
    yield from counts


FILE = "model.skops"
# Beyond what skops trusts by default. Reviewed: containers of numbers, and our own transformers.
_TRUSTED = (
    "scipy.sparse._csr.csr_matrix",
    "scipy.sparse._csr.csr_array",
    "wikibias.models.estimators.pipelines.HashedNgrams",
    "wikibias.models.estimators.pipelines.LogCountRatio",
    "wikibias.models.estimators.pipelines.SentenceLength",
)
_GENTLEST_SLOPE = 1e-3


class PipelineModel(Trainable):
    """A pipeline from sentences to the label; a subclass gives its name and how to build it."""

    build: ClassVar[Callable[..., Pipeline]]
    """(stopwords, seed, the model's parameters by name) -> an untrained pipeline."""

    def __init__(self, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> None:
        check_parameters(self.name, self.build, parameters)
        self.seed, self.parameters = seed, parameters
        self.pipeline: Pipeline = self.build(stopwords, seed, **parameters)
        self.slope: float | None = None

    def fit_weighted(
        self, texts: Sequence[str], biased: NDArray[np.bool_], weights: NDArray[np.float64]
    ) -> Self:
        """Learn as `fit` does, of some sentences more than of others.

        Raises:
            WikibiasError: no feature is left to learn from.
        """
        # At 1 on average: how strongly the model is held back stays what it is.
        return self.fit(texts, biased, weights / weights.mean())

    def fit(self, texts: Sequence[str], biased: NDArray[np.bool_], weights: Any = None) -> Self:
        """Learn from sentences and whether each is biased; calibrate where there is only a margin.

        Raises:
            WikibiasError: no feature is left to learn from, such as no word that occurs twice.
        """
        last = self.pipeline.steps[-1][0]
        try:
            with no_convergence_warnings():
                self.pipeline.fit(texts, biased, **{f"{last}__sample_weight": weights})
        except ValueError as error:
            remedy = ""
            if any(is_unspaced(text) for text in texts):
                remedy = " (text without spaces has no words to count; try --model char-lr)"
            raise WikibiasError(
                f"{self.name} cannot learn from these {len(texts)} sentences: {error}{remedy}"
            ) from error
        if not hasattr(self.pipeline, "predict_proba"):
            self.slope = _slope(self.pipeline, texts, biased, self.seed)
        return self

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 is the decision."""
        if not len(texts):
            return np.zeros(0)
        if self.slope is not None:
            return np.asarray(expit(self.slope * self.pipeline.decision_function(texts)))
        column = list(self.pipeline.classes_).index(True)
        return np.asarray(self.pipeline.predict_proba(texts)[:, column])

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the pipeline; return what else `load` needs, for the model's description."""
        from skops import io  # it loads all of scikit-learn

        io.dump(self.pipeline, folder / FILE, compression=ZIP_DEFLATED)
        return {"slope": self.slope}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read a pipeline, of known and harmless types only.

        Raises:
            WikibiasError: the file is missing, damaged, or holds a type that is not trusted.
        """
        from skops import io  # it loads all of scikit-learn

        path = folder / FILE
        try:
            unknown = sorted(set(io.get_untrusted_types(file=path)) - set(_TRUSTED))
            pipeline = None if unknown else io.load(path, trusted=list(_TRUSTED))
        except Exception as error:  # skops raises what zipfile, json and numpy raise
            raise WikibiasError(f"{path}: not a model that can be read ({error})") from error
        if unknown and all(name.startswith("wikibias.") for name in unknown):
            raise WikibiasError(
                f"{path}: saved by another version of wikibias ({', '.join(unknown)}); train the "
                "model again with `wikibias classify`"
            )
        if unknown:
            raise WikibiasError(f"{path}: holds types not to be trusted: {unknown}")
        model = cls(seed=int(described["seed"]), **described["parameters"])
        model.pipeline = pipeline
        model.slope = described["slope"]
        right = type(model.slope) is float and 0 < model.slope < float("inf")
        if not right and (model.slope is not None or not hasattr(pipeline, "predict_proba")):
            raise WikibiasError(f"{path}: its description has no slope of {cls.name}")
        return model


@contextlib.contextmanager
def no_convergence_warnings() -> Iterator[None]:
    """Keep scikit-learn from warning at each fit that stops after its 100 passes.

    The paper's fits stop there too; parameters that need more passes show in the scores.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def _slope(pipeline: Pipeline, texts: Sequence[str], biased: NDArray[np.bool_], seed: int) -> float:
    """Return how steeply the probability of bias rises with the margin, fitted on held-out folds.

    A support vector machine gives a distance, not a probability. Platt scaling with a slope and
    no intercept turns it into one and leaves every decision as the paper's model makes it.
    """
    parts = min(3, int(biased.sum()), int((~biased).sum()))
    if parts < 2:
        return 1.0
    folds = StratifiedKFold(parts, shuffle=True, random_state=seed)
    margins = cross_val_predict(pipeline, texts, biased, cv=folds, method="decision_function")
    line = LogisticRegression(C=1e6, fit_intercept=False).fit(margins.reshape(-1, 1), biased)
    return max(float(line.coef_[0, 0]), _GENTLEST_SLOPE)


def bag_of_words(
    stopwords: Sequence[str], *, ngrams: int, max_features: int, idf: bool
) -> TfidfVectorizer:
    """Return the paper's bag of words: 1- to `ngrams`-grams, the `max_features` commonest."""
    return TfidfVectorizer(
        ngram_range=(1, ngrams),
        max_features=max_features,
        use_idf=idf,
        stop_words=list(stopwords) or None,
    )


def characters(shortest: int, longest: int) -> TfidfVectorizer:
    """Return character n-grams within words; those of one sentence only are left out."""
    return TfidfVectorizer(
        analyzer="char_wb", ngram_range=(shortest, longest), sublinear_tf=True, min_df=2
    )


class Sgd(PipelineModel):
    """The paper's best SGD; it does not name the bag's size, and 3,000 comes closest."""

    name = "sgd"

    @staticmethod
    def build(
        stopwords: Sequence[str],
        seed: int,
        *,
        ngrams: int = 3,
        max_features: int = 3000,
        idf: bool = True,
        alpha: float = 0.001,
    ) -> Pipeline:
        """Return a bag of words and a linear support vector machine."""
        bag = bag_of_words(stopwords, ngrams=ngrams, max_features=max_features, idf=idf)
        return make_pipeline(bag, SGDClassifier(alpha=alpha, random_state=seed))


class Lr(PipelineModel):
    """The paper's best logistic regression."""

    name = "lr"

    @staticmethod
    def build(
        stopwords: Sequence[str],
        seed: int,
        *,
        ngrams: int = 1,
        max_features: int = 100,
        idf: bool = False,
        c: float = 0.001,
        solver: str = "saga",
    ) -> Pipeline:
        """Return a bag of words and logistic regression (L2, at most 100 passes)."""
        bag = bag_of_words(stopwords, ngrams=ngrams, max_features=max_features, idf=idf)
        return make_pipeline(bag, LogisticRegression(C=c, solver=solver, random_state=seed))


class CharLr(PipelineModel):
    """Logistic regression over character n-grams: endings and stems without a parser."""

    name = "char-lr"

    @staticmethod
    def build(
        stopwords: Sequence[str], seed: int, *, shortest: int = 2, longest: int = 5, c: float = 0.2
    ) -> Pipeline:
        """Return character n-grams and logistic regression; stop words make no difference."""
        return make_pipeline(
            characters(shortest, longest), LogisticRegression(C=c, max_iter=1000, random_state=seed)
        )


class NbLr(PipelineModel):
    """Logistic regression over characters and words, weighted by naive Bayes ratios.

    The best of what `docs/experiments.md` lists, chosen by grouped cross-validation.
    """

    name = "nb-lr"

    @staticmethod
    def build(
        stopwords: Sequence[str],
        seed: int,
        *,
        shortest: int = 2,
        longest: int = 6,
        ngrams: int = 3,
        most: int = 1_000_000,
        c: float = 0.1,
    ) -> Pipeline:
        """Return at most `most` n-grams, ratios and logistic regression.

        Stop words are not left out, because small words carry hedging and emphasis; the ratios make
        the others light.
        """
        return make_pipeline(
            HashedNgrams(shortest, longest, ngrams, most),
            LogCountRatio(),
            LogisticRegression(C=c, max_iter=1000, random_state=seed),
        )


class Majority(PipelineModel):
    """The baseline that knows only how often each label occurs."""

    name = "majority"

    @staticmethod
    def build(stopwords: Sequence[str], seed: int) -> Pipeline:
        """Return a classifier that ignores the sentences."""
        return make_pipeline(DummyClassifier(strategy="prior"))


_WORD = r"(?u)\w+|[^\w\s]"


class SentenceLength(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The words of a sentence, times `weight`: TF-IDF vectors all have the same length."""

    def __init__(self, weight: float = 0.1) -> None:
        self.weight = weight

    def fit(self, texts: Any, biased: Any = None) -> Self:
        """Learn nothing."""
        return self

    def transform(self, texts: Any) -> Any:
        """Return a column."""
        return sparse.csr_matrix([[self.weight * len(text.split())] for text in texts])


class PairLr(PipelineModel):
    """Logistic regression over words, characters and length, on the differences of both sides.

    What the sides have in common, the topic, cancels out. Without edits to learn from it is plain
    logistic regression on the same features.
    """

    name = "pair-lr"

    @staticmethod
    def build(
        stopwords: Sequence[str],
        seed: int,
        *,
        ngrams: int = 2,
        shortest: int = 2,
        longest: int = 5,
        length: float = 0.1,
        c: float = 10.0,
    ) -> Pipeline:
        """Return words, characters and length, and logistic regression; stop words count too."""
        words = TfidfVectorizer(ngram_range=(1, ngrams), sublinear_tf=True, token_pattern=_WORD)
        letters = characters(shortest, longest)
        features = FeatureUnion(
            [("words", words), ("letters", letters), ("length", SentenceLength(length))]
        )
        return make_pipeline(features, LogisticRegression(C=c, max_iter=2000, random_state=seed))

    def fit_pairs(
        self, texts: Sequence[str], biased: NDArray[np.bool_], edits: NDArray[np.int64]
    ) -> Self:
        """Learn from the mean of the biased sentences of each edit less that of the neutral ones.

        The threshold is such that sentences are as often called biased as neutral.
        """
        mixing = _mixing(biased, edits)
        if not mixing.shape[0]:
            return self.fit(texts, biased)
        features, classifier = self.pipeline[0], self.pipeline[-1]
        rows = features.fit_transform(texts)
        differences = mixing @ rows
        truth = np.repeat([True, False], mixing.shape[0])
        with no_convergence_warnings():
            classifier.set_params(fit_intercept=False)
            classifier.fit(sparse.vstack([differences, -differences]), truth)
        classifier.set_params(fit_intercept=True)
        margins = rows @ classifier.coef_[0]
        classifier.intercept_ = np.array([-float(np.median(margins))])
        return self


def _mixing(biased: NDArray[np.bool_], edits: NDArray[np.int64]) -> Any:
    """Return a matrix, edits with both sides by sentences: biased ones sum to 1, others to -1."""
    numbers = np.unique(edits, return_inverse=True)[1]
    count = int(numbers.max()) + 1 if len(numbers) else 0
    of_side = [np.bincount(numbers[biased == side], minlength=count) for side in (True, False)]
    whole = (of_side[0] > 0) & (of_side[1] > 0)
    shares = np.where(
        biased, 1 / np.maximum(of_side[0], 1)[numbers], -1 / np.maximum(of_side[1], 1)[numbers]
    )
    mixing = sparse.csr_matrix((shares, (numbers, np.arange(len(numbers)))), (count, len(numbers)))
    return mixing[np.flatnonzero(whole)]

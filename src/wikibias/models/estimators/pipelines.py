"""The estimators that are scikit-learn pipelines: section 6 of the 2019 paper, and better ones."""

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self
from zipfile import ZIP_DEFLATED

import numpy as np
import skops.io
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
from wikibias.models.estimators.hashed_ngrams import HashedNgrams
from wikibias.models.estimators.registry import Trainable, check_parameters
from wikibias.text.segmentation import is_unspaced

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
    "wikibias.models.estimators.hashed_ngrams.HashedNgrams",
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

    def fit(self, texts: Sequence[str], biased: NDArray[np.bool_]) -> Self:
        """Learn from sentences and whether each is biased; calibrate where there is only a margin.

        Raises:
            WikibiasError: no feature is left to learn from, such as no word that occurs twice.
        """
        try:
            with no_convergence_warnings():
                self.pipeline.fit(texts, biased)
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
        skops.io.dump(self.pipeline, folder / FILE, compression=ZIP_DEFLATED)
        return {"slope": self.slope}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read a pipeline, of known and harmless types only.

        Raises:
            WikibiasError: the file is missing, damaged, or holds a type that is not trusted.
        """
        path = folder / FILE
        try:
            unknown = sorted(set(skops.io.get_untrusted_types(file=path)) - set(_TRUSTED))
            pipeline = None if unknown else skops.io.load(path, trusted=list(_TRUSTED))
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
        del stopwords
        return make_pipeline(
            characters(shortest, longest),
            LogisticRegression(C=c, max_iter=1000, random_state=seed),
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
        del stopwords
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
        del stopwords, seed
        return make_pipeline(DummyClassifier(strategy="prior"))


_WORD = r"(?u)\w+|[^\w\s]"


class SentenceLength(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The words of a sentence, times `weight`: TF-IDF vectors all have the same length."""

    def __init__(self, weight: float = 0.1) -> None:
        self.weight = weight

    def fit(self, texts: Any, biased: Any = None) -> Self:
        """Learn nothing."""
        del texts, biased
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
        del stopwords
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

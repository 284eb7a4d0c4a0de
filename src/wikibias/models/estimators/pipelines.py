"""The estimators that are scikit-learn pipelines: section 6 of the 2019 paper, and better ones."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline

from wikibias.models.estimators.hashed_ngrams import HashedNgrams
from wikibias.models.estimators.nb_ratio import LogCountRatio
from wikibias.models.estimators.pipeline_model import PipelineModel


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


def sgd_classifier(seed: int, *, alpha: float) -> SGDClassifier:
    """Return the paper's SGD: a linear support vector machine, all else at its default."""
    return SGDClassifier(alpha=alpha, random_state=seed)


def lr_classifier(seed: int, *, c: float, solver: str) -> LogisticRegression:
    """Return the paper's logistic regression (L2, at most 100 passes)."""
    return LogisticRegression(C=c, solver=solver, random_state=seed)


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
        return make_pipeline(bag, sgd_classifier(seed, alpha=alpha))


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
        """Return a bag of words and logistic regression."""
        bag = bag_of_words(stopwords, ngrams=ngrams, max_features=max_features, idf=idf)
        return make_pipeline(bag, lr_classifier(seed, c=c, solver=solver))


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


class Nearest(PipelineModel):
    """The nearest neighbour baseline: repeats the label of the most similar training sentence."""

    name = "nearest"

    @staticmethod
    def build(stopwords: Sequence[str], seed: int) -> Pipeline:
        """Return TF-IDF vectors and one nearest neighbour by cosine."""
        del stopwords, seed
        nearest = KNeighborsClassifier(n_neighbors=1, metric="cosine", algorithm="brute")
        return make_pipeline(TfidfVectorizer(), nearest)

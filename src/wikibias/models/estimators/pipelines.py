"""What the models are made of: scikit-learn pipelines, section 6 of the 2019 paper and beyond."""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline, make_union

from wikibias.errors import UsageError
from wikibias.messages import nearest
from wikibias.models.estimators.nb_ratio import LogCountRatio

Recipe = Callable[..., Pipeline]
"""(stopwords, seed, further parameters by name) -> a pipeline from sentences to the label."""


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Keep scikit-learn from warning at each fit that stops after its 100 passes.

    The paper's fits stop there too; a setting that needs more shows in its scores.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


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


def sgd(
    stopwords: Sequence[str],
    seed: int,
    *,
    ngrams: int = 3,
    max_features: int = 3000,
    idf: bool = True,
    alpha: float = 0.001,
) -> Pipeline:
    """Return the paper's best SGD; it does not name the bag's size, and 3,000 comes closest."""
    bag = bag_of_words(stopwords, ngrams=ngrams, max_features=max_features, idf=idf)
    return make_pipeline(bag, sgd_classifier(seed, alpha=alpha))


def lr(
    stopwords: Sequence[str],
    seed: int,
    *,
    ngrams: int = 1,
    max_features: int = 100,
    idf: bool = False,
    c: float = 0.001,
    solver: str = "saga",
) -> Pipeline:
    """Return the paper's best logistic regression."""
    bag = bag_of_words(stopwords, ngrams=ngrams, max_features=max_features, idf=idf)
    return make_pipeline(bag, lr_classifier(seed, c=c, solver=solver))


def characters(shortest: int, longest: int) -> TfidfVectorizer:
    """Return character n-grams within words; those of one sentence only are left out."""
    return TfidfVectorizer(
        analyzer="char_wb", ngram_range=(shortest, longest), sublinear_tf=True, min_df=2
    )


def words(ngrams: int) -> TfidfVectorizer:
    """Return word n-grams, stop words included: small words carry hedging and emphasis."""
    return TfidfVectorizer(ngram_range=(1, ngrams), sublinear_tf=True, min_df=2)


def char_lr(
    stopwords: Sequence[str], seed: int, *, shortest: int = 2, longest: int = 5, c: float = 0.2
) -> Pipeline:
    """Return logistic regression over character n-grams: endings and stems without a parser."""
    del stopwords  # n-grams of characters have no use for them
    return make_pipeline(
        characters(shortest, longest), LogisticRegression(C=c, max_iter=1000, random_state=seed)
    )


def nb_lr(
    stopwords: Sequence[str],
    seed: int,
    *,
    shortest: int = 2,
    longest: int = 6,
    ngrams: int = 3,
    c: float = 0.1,
) -> Pipeline:
    """Return logistic regression over characters and words, weighed by naive Bayes ratios.

    The best of what `docs/experiments.md` lists, chosen by grouped cross-validation.
    """
    del stopwords  # the ratios make common words light by themselves
    return make_pipeline(
        make_union(characters(shortest, longest), words(ngrams)),
        LogCountRatio(),
        LogisticRegression(C=c, max_iter=1000, random_state=seed),
    )


def majority(stopwords: Sequence[str], seed: int) -> Pipeline:
    """Return the yardstick that knows only how often each label occurs."""
    del stopwords, seed
    return make_pipeline(DummyClassifier(strategy="prior"))


def nearest_neighbour(stopwords: Sequence[str], seed: int) -> Pipeline:
    """Return the yardstick that repeats the label of the most similar training sentence."""
    del stopwords, seed
    neighbours = KNeighborsClassifier(n_neighbors=1, metric="cosine", algorithm="brute")
    return make_pipeline(TfidfVectorizer(), neighbours)


RECIPES: Mapping[str, Recipe] = {
    "sgd": sgd,
    "lr": lr,
    "char-lr": char_lr,
    "nb-lr": nb_lr,
    "majority": majority,
    "nearest": nearest_neighbour,
}


def defaults(recipe: Callable[..., Any]) -> dict[str, Any]:
    """Return the parameters of a recipe with their defaults: its keyword-only arguments."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(recipe).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def check_parameters(name: str, recipe: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Raise UsageError where a model has no such parameter; the message names the nearest."""
    known = defaults(recipe)
    for key in parameters:
        if key not in known:
            raise UsageError(f"model {name!r} has no parameter {key!r}{nearest(key, known)}")

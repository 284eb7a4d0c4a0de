"""Grid search on dev: builds each matrix once, for all parameter combinations that use it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from wikibias.errors import UsageError
from wikibias.kits.evaluation import Predictions, score
from wikibias.models.constants import CHOICES
from wikibias.models.estimators import pipelines, registry
from wikibias.models.estimators.parameters import defaults
from wikibias.models.estimators.pipeline_model import PipelineModel, no_convergence_warnings
from wikibias.models.examples import Examples
from wikibias.models.search.journal import Row
from wikibias.models.search.ngram_counts import Counts
from wikibias.models.search.space import Grid, Parameters

_BAG = ("ngrams", "max_features", "idf")
# The models that are a bag of words and a classifier: both of each.
_BAG_MODELS: Mapping[str, tuple[type[PipelineModel], Callable[..., Any]]] = {
    "sgd": (pipelines.Sgd, pipelines.sgd_classifier),
    "lr": (pipelines.Lr, pipelines.lr_classifier),
}


def search(
    grid: Grid,
    combinations: Sequence[Parameters],
    train: Examples,
    dev: Examples,
    *,
    stopwords: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    skip: Iterable[int] = (),
) -> Iterator[list[Row]]:
    """Yield rows as they finish, in any order; does not try combinations in `skip`.

    Raises:
        UsageError: the space has a parameter that the model lacks.
    """
    for combination in combinations:
        with _named(grid.model, combination):
            registry.create(grid.model, seed=seed, **combination)  # report a wrong name at once
    done = set(skip)
    todo = [(i, p) for i, p in enumerate(combinations) if i not in done]
    if grid.model in _BAG_MODELS:
        calls = _shared(grid.model, todo, train=train, dev=dev, stopwords=stopwords, seed=seed)
    else:
        calls = (
            delayed(_whole)(grid.model, i, p, train=train, dev=dev, stopwords=stopwords, seed=seed)
            for i, p in todo
        )
    workers = Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch="2*n_jobs")
    yield from workers(calls)


def plain_search(
    grid: Grid,
    combinations: Sequence[Parameters],
    train: Examples,
    dev: Examples,
    *,
    stopwords: Sequence[str] = (),
    seed: int = 0,
) -> list[Row]:
    """Try each combination from the sentences up: the slow baseline for `search`."""
    rows = []
    for i, combination in enumerate(combinations):
        pipeline = _BAG_MODELS[grid.model][0].build(stopwords, seed, **combination)
        with no_convergence_warnings():
            pipeline.fit(train.texts, train.biased)
        rows.append(_row(i, combination, dev.biased, pipeline.decision_function(dev.texts)))
    return rows


def winner(rows: Iterable[Row], choose: str) -> Row:
    """Return the best row by a metric; of ties the one that comes first in the space."""
    return max(rows, key=lambda row: (row[choose] if row[choose] is not None else -2, -row["n"]))


def fingerprint(
    grid: Grid,
    combinations: Sequence[Parameters],
    parts: Iterable[Examples],
    stopwords: Sequence[str],
    seed: int,
) -> str:
    """Return a digest of everything that the scores depend on, to resume only the same search."""
    digest = sha256(json.dumps([grid.model, list(combinations), list(stopwords), seed]).encode())
    for part in parts:
        digest.update("\n".join(part.texts).encode() + part.biased.tobytes())
    return digest.hexdigest()


def _shared(
    model: str,
    todo: Sequence[tuple[int, Parameters]],
    *,
    train: Examples,
    dev: Examples,
    stopwords: Sequence[str],
    seed: int,
) -> Iterator[Any]:
    """Yield one call for each bag of words, with all combinations that use it."""
    default = defaults(_BAG_MODELS[model][0].build)
    by_bag: dict[tuple[Any, ...], list[tuple[int, Parameters]]] = {}
    for i, combination in todo:
        bag = tuple((default | combination)[name] for name in _BAG)
        by_bag.setdefault(bag, []).append((i, combination))
    if not by_bag:
        return
    with _named(model, todo[0][1]):
        longest = max(bag[_BAG.index("ngrams")] for bag in by_bag)
        counts = Counts.of(train.texts, dev.texts, ngrams=longest, stopwords=stopwords)
    for bag, members in by_bag.items():
        with _named(model, members[0][1]):
            matrices = counts.bag(**dict(zip(_BAG, bag, strict=True)))
        yield delayed(_fit_on)(
            model, members, matrices, train=train.biased, dev=dev.biased, seed=seed
        )


def _fit_on(
    model: str,
    members: Sequence[tuple[int, Parameters]],
    matrices: tuple[Any, Any],
    *,
    train: NDArray[np.bool_],
    dev: NDArray[np.bool_],
    seed: int,
) -> list[Row]:
    default, rows = defaults(_BAG_MODELS[model][0].build), []
    for i, combination in members:
        own = {k: v for k, v in (default | combination).items() if k not in _BAG}
        with _named(model, combination), no_convergence_warnings():
            classifier = _BAG_MODELS[model][1](seed, **own)
            classifier.fit(matrices[0], train)
        rows.append(_row(i, combination, dev, classifier.decision_function(matrices[1])))
    return rows


def _whole(
    name: str,
    i: int,
    combination: Parameters,
    *,
    train: Examples,
    dev: Examples,
    stopwords: Sequence[str],
    seed: int,
) -> list[Row]:
    with _named(name, combination):
        model = registry.create(name, stopwords=stopwords, seed=seed, **combination)
        probabilities = model.fit(train.texts, train.biased).predict_proba(dev.texts)
    return [_row(i, combination, dev.biased, probabilities - 0.5)]


@contextmanager
def _named(model: str, combination: Parameters) -> Iterator[None]:
    """Name the parameters that a library refuses: each has errors of its own for that."""
    try:
        yield
    except (ValueError, TypeError, ArithmeticError) as error:
        first = str(error).partition("\n")[0]
        raise UsageError(
            f"{model} cannot be trained with {combination!s:.200}: {first:.200}"
        ) from error


def _row(
    number: int, combination: Parameters, truth: NDArray[np.bool_], margins: NDArray[np.float64]
) -> Row:
    values = score(truth, Predictions(margins, margins > 0))
    return {"n": number, **combination, **{metric: values[metric] for metric in CHOICES}}

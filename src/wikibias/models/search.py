"""Grid search on dev: each vectorised matrix is made once, for all permutations that use it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from wikibias.models import recipes, registry
from wikibias.models.counts import Counts
from wikibias.models.examples import Examples
from wikibias.models.grids import Grid, Permutation
from wikibias.models.names import CHOICES
from wikibias.models.scores import Predictions, score

Row = dict[str, Any]
"""A permutation's number, its parameters, and its scores on dev."""

_BAG = ("ngrams", "max_features", "idf")
_CLASSIFIERS: Mapping[str, Callable[..., Any]] = {
    "sgd": recipes.sgd_classifier,
    "lr": recipes.lr_classifier,
}


def search(
    grid: Grid,
    permutations: Sequence[Permutation],
    train: Examples,
    dev: Examples,
    *,
    stopwords: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    skip: Iterable[int] = (),
) -> Iterator[list[Row]]:
    """Yield rows as they are done, in any order; permutations in `skip` are not tried.

    Raises:
        UsageError: the space has a parameter that the model lacks.
    """
    for permutation in permutations:
        registry.create(grid.model, seed=seed, **permutation)  # a wrong name is told at once
    done = set(skip)
    todo = [(i, p) for i, p in enumerate(permutations) if i not in done]
    if grid.model in _CLASSIFIERS:
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
    permutations: Sequence[Permutation],
    train: Examples,
    dev: Examples,
    *,
    stopwords: Sequence[str] = (),
    seed: int = 0,
) -> list[Row]:
    """Try each permutation from the sentences up. Slow; what `search` is measured against."""
    rows = []
    for i, permutation in enumerate(permutations):
        pipeline = recipes.RECIPES[grid.model](stopwords, seed, **permutation)
        with recipes.patience():
            pipeline.fit(train.texts, train.biased)
        rows.append(_row(i, permutation, dev.biased, pipeline.decision_function(dev.texts)))
    return rows


def winner(rows: Iterable[Row], choose: str) -> Row:
    """Return the row that is best by a metric; of equals the one that comes first in the space."""
    return max(rows, key=lambda row: (row[choose] if row[choose] is not None else -2, -row["n"]))


def fingerprint(
    grid: Grid,
    permutations: Sequence[Permutation],
    parts: Iterable[Examples],
    stopwords: Sequence[str],
    seed: int,
) -> str:
    """Return a digest of all that a search's scores depend on, to resume only the same search."""
    digest = sha256(json.dumps([grid.model, list(permutations), list(stopwords), seed]).encode())
    for part in parts:
        digest.update("\n".join(part.texts).encode() + part.biased.tobytes())
    return digest.hexdigest()


class Journal:
    """Rows already done, in a file of one JSON object per line that survives an interruption."""

    def __init__(self, path: Path, mark: str) -> None:
        self.path = path
        self.rows: dict[int, Row] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if lines and _parsed(lines[0]) == {"fingerprint": mark}:
            # The last line may have been cut off in the middle.
            read = [row for line in lines[1:] if (row := _parsed(line)) is not None]
            self.rows = {row["n"]: row for row in read}
        whole = [json.dumps({"fingerprint": mark}), *(json.dumps(r) for r in self.rows.values())]
        path.write_text("\n".join(whole) + "\n", encoding="utf-8")

    def add(self, rows: Iterable[Row]) -> None:
        """Write rows down at once."""
        with self.path.open("a", encoding="utf-8") as lines:
            for row in rows:
                self.rows[row["n"]] = row
                lines.write(json.dumps(row) + "\n")

    def table(self) -> list[Row]:
        """Return the rows in the order of the space."""
        return [self.rows[n] for n in sorted(self.rows)]


def _shared(
    model: str,
    todo: Sequence[tuple[int, Permutation]],
    *,
    train: Examples,
    dev: Examples,
    stopwords: Sequence[str],
    seed: int,
) -> Iterator[Any]:
    """Yield one call per bag of words, with all the permutations that use it."""
    default = recipes.defaults(recipes.RECIPES[model])
    by_bag: dict[tuple[Any, ...], list[tuple[int, Permutation]]] = {}
    for i, permutation in todo:
        bag = tuple((default | permutation)[name] for name in _BAG)
        by_bag.setdefault(bag, []).append((i, permutation))
    if not by_bag:
        return
    longest = max(bag[_BAG.index("ngrams")] for bag in by_bag)
    counts = Counts.of(train.texts, dev.texts, ngrams=longest, stopwords=stopwords)
    for bag, members in by_bag.items():
        matrices = counts.bag(**dict(zip(_BAG, bag, strict=True)))
        yield delayed(_fit_on)(
            model, members, matrices, train=train.biased, dev=dev.biased, seed=seed
        )


def _fit_on(
    model: str,
    members: Sequence[tuple[int, Permutation]],
    matrices: tuple[Any, Any],
    *,
    train: NDArray[np.bool_],
    dev: NDArray[np.bool_],
    seed: int,
) -> list[Row]:
    default, rows = recipes.defaults(recipes.RECIPES[model]), []
    for i, permutation in members:
        own = {k: v for k, v in (default | permutation).items() if k not in _BAG}
        classifier = _CLASSIFIERS[model](seed, **own)
        with recipes.patience():
            classifier.fit(matrices[0], train)
        rows.append(_row(i, permutation, dev, classifier.decision_function(matrices[1])))
    return rows


def _whole(
    name: str,
    i: int,
    permutation: Permutation,
    *,
    train: Examples,
    dev: Examples,
    stopwords: Sequence[str],
    seed: int,
) -> list[Row]:
    model = registry.create(name, stopwords=stopwords, seed=seed, **permutation)
    chances = model.fit(train.texts, train.biased).predict_proba(dev.texts)
    return [_row(i, permutation, dev.biased, chances - 0.5)]


def _row(
    number: int, permutation: Permutation, truth: NDArray[np.bool_], margins: NDArray[np.float64]
) -> Row:
    values = score(truth, Predictions(margins, margins > 0))
    return {"n": number, **permutation, **{metric: values[metric] for metric in CHOICES}}


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None

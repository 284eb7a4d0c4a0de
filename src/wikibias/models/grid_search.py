"""Grid search on dev: features are built once for all parameter combinations that use them.

Bags of words are cut from one count of all n-grams, which is most of the work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.utils.parallel import Parallel, delayed

from wikibias.config.resources import named_file
from wikibias.errors import UsageError, nearest
from wikibias.kits import checked, evaluation, files
from wikibias.models.estimators import registry
from wikibias.models.estimators.pipelines import Lr, PipelineModel, Sgd, no_convergence_warnings
from wikibias.models.examples import Examples

# No model can be trained with a larger number, nor a nan; nobody waits for more combinations.
_LARGEST = 1e12
_MOST = 1_000_000
Parameters = dict[str, Any]
"""One value for each parameter of the space."""
Row = dict[str, Any]
"""The number of a parameter combination, its parameters, and its scores on dev."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A model's name, the metric to choose by, and the values to try of each parameter."""

    model: str = ""
    choose: str = "f1"
    space: dict[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of parameter combinations in the space."""
        return prod(len(values) for values in self.space.values())

    def combinations(self) -> list[Parameters]:
        """Return all parameter combinations, the last parameter changing fastest."""
        return [
            dict(zip(self.space, values, strict=True)) for values in product(*self.space.values())
        ]

    def sample(self, count: int, seed: int) -> list[Parameters]:
        """Return `count` combinations, drawn without replacement, in the order of the space."""
        everything = self.combinations()
        if count >= len(everything):
            return everything
        drawn = np.random.default_rng(seed).choice(len(everything), count, replace=False)
        return [everything[i] for i in sorted(drawn)]


@dataclass(frozen=True, slots=True)
class GridResult:
    """A finished grid search: every row, the best one, and the constant classifier's score.

    `too_few` says what there is too little of on dev to choose by it; None where enough.
    """

    grid: Grid
    rows: Sequence[Row]
    best: Row
    constant: float | None
    too_few: str | None = None

    @property
    def parameters(self) -> Parameters:
        """The parameter combination that was chosen."""
        return {name: self.best[name] for name in self.grid.space}


FOLDER = "grids"
"""Where spaces are, inside of `configs`."""


def read_grid(model: str, choose: str | None = None) -> Grid:
    """Read a space: `configs/grids/<model>.toml`, a user's own first.

    Raises:
        UsageError: there is none for this model, or the file is wrong; the message names the key.
    """
    remedy = f" (your own: configs/{FOLDER}/{model[:60]}.toml, here or in --config-dir)"
    path = named_file(FOLDER, model, "no grid for model", remedy)
    grid, file = checked.read_toml(path, Grid)
    if grid.model not in ("", model):
        raise UsageError(f"{file.at(['model'])}: is a grid for {grid.model!r}, not for {model!r}")
    if grid.choose not in registry.CHOICES:
        near = nearest(grid.choose, registry.CHOICES)
        raise UsageError(f"{file.at(['choose'])}: cannot choose by {grid.choose!r}{near}")
    for key, values in grid.space.items():
        if not isinstance(values, list) or not values or not all(map(_is_value, values)):
            raise UsageError(
                f"{file.at(['space', key])}: {key} must be a list of texts, numbers, true or "
                f"false, not {checked.shown(values)}"
            )
    if not grid.space or grid.size > _MOST:
        raise UsageError(f"{path}: [space] must have 1 to {_MOST:,} combinations of values")
    return replace(grid, model=model, choose=choose or grid.choose)


def _is_value(value: object) -> bool:
    number = isinstance(value, (int, float)) and abs(value) <= _LARGEST
    return number or isinstance(value, str)


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each n-gram occurs in each sentence of train and dev (sparse, sentences by terms).

    Terms are sorted; `lengths` is the number of words of each, `totals` its count in train.
    """

    train: Any
    dev: Any
    lengths: NDArray[np.int64]
    totals: NDArray[np.int64]

    @classmethod
    def of(
        cls, bags: Collection[TfidfVectorizer], train: Sequence[str], dev: Sequence[str]
    ) -> Counts:
        """Count the n-grams of all bags, which differ in nothing else of what they count."""
        longest = max(bags, key=lambda bag: bag.ngram_range)
        words = CountVectorizer(ngram_range=longest.ngram_range, stop_words=longest.stop_words)
        counted = words.fit_transform(train)
        lengths = [term.count(" ") + 1 for term in words.get_feature_names_out()]
        totals = np.asarray(counted.sum(axis=0)).ravel()
        return cls(counted, words.transform(dev), np.array(lengths), totals)

    def weighed(self, bag: TfidfVectorizer) -> tuple[Any, Any]:
        """Return train and dev as a bag fitted on train makes them, but for rounding (1e-16).

        The most frequent terms by the same expression as scikit-learn's: ties are broken alike.
        """
        short = np.flatnonzero(self.lengths <= bag.ngram_range[1])
        kept = short[np.sort((-self.totals[short]).argsort()[: bag.max_features])]
        weights = TfidfTransformer(use_idf=bag.use_idf)
        return weights.fit_transform(self.train[:, kept]), weights.transform(self.dev[:, kept])


def search(
    grid: Grid,
    combinations: Sequence[Parameters],
    train: Examples,
    dev: Examples,
    *,
    stopwords: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    done: Collection[int] = (),
) -> Iterator[list[Row]]:
    """Yield rows as they finish, in any order, without those whose numbers are in `done`.

    Raises:
        UsageError: the space has a parameter that the model lacks.
    """
    of_features: dict[str, list[tuple[int, Parameters]]] = {}
    bags: dict[str, TfidfVectorizer] = {}
    for number, combination in enumerate(combinations):
        with _named(grid.model, combination):
            model = registry.create(grid.model, stopwords=stopwords, seed=seed, **combination)
        if number in done:
            continue
        key = _features_of(model) or f"{number}"
        of_features.setdefault(key, []).append((number, combination))
        if isinstance(model, (Sgd, Lr)):
            bags[key] = model.pipeline[0]
    fixed = {"train": train, "dev": dev, "stopwords": stopwords, "seed": seed}

    def calls() -> Iterator[Any]:
        counts = None
        for key, members in of_features.items():
            with _named(grid.model, members[0][1]):
                if key in bags and counts is None:
                    counts = Counts.of(bags.values(), train.texts, dev.texts)
                # Train and dev as a bag of words, where the features are one.
                matrices = counts.weighed(bags[key]) if counts else None
            yield delayed(_rows)(grid.model, members, matrices, **fixed)

    workers = Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch="2*n_jobs")
    yield from workers(calls())


class Journal:
    """The finished rows of a search, in a file that survives an interruption of it.

    The first line is a fingerprint of the search, each other one a row. What the file holds of
    another search is forgotten.

    Args:
        path: the file.
        search: all that the rows depend on, as JSON can write it.

    Raises:
        DiskError: the file cannot be written.
    """

    def __init__(self, path: Path, search: Mapping[str, Any]) -> None:
        self.path = path
        head = {"fingerprint": sha256(files.ascii_json(search).encode()).hexdigest()}
        lines = _objects(path)
        known = lines if next(lines, None) == head else ()
        self.rows: dict[int, Row] = {row["n"]: row for row in known if "n" in row}
        # Whole, as the last line may have been cut off in the middle.
        files.write_text(
            path, "".join(f"{files.ascii_json(each)}\n" for each in (head, *self.rows.values()))
        )

    def add(self, rows: Iterable[Row]) -> None:
        """Append rows to the file at once.

        Raises:
            DiskError: it cannot be written.
        """
        with files.disk_errors(self.path), files.open_nofollow(self.path, "a") as file:
            for row in rows:
                self.rows[row["n"]] = row
                file.write(files.ascii_json(row) + "\n")


def is_journal(path: Path) -> bool:
    """Return whether a file is the journal of some search."""
    return next(_objects(path), {}).keys() == {"fingerprint"}


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines, up to the first line that holds none."""
    with suppress(OSError, ValueError, TypeError, RecursionError):
        for line in files.read_small(path).decode("utf-8").splitlines():
            yield dict(files.from_json(line))


def winner(rows: Iterable[Row], choose: str) -> Row:
    """Return the best row by a metric; of ties the one that comes first in the space."""
    return max(rows, key=lambda row: (row[choose] if row[choose] is not None else -2, -row["n"]))


def _features_of(model: registry.Model) -> str | None:
    """Return what tells the features of a pipeline from those of others; None where it is none."""
    if not isinstance(model, PipelineModel):
        return None
    parameters = model.pipeline[:-1].get_params()
    return str({name: value for name, value in parameters.items() if "__" in name})


def _rows(
    name: str,
    members: Sequence[tuple[int, Parameters]],
    matrices: tuple[Any, Any] | None,
    *,
    train: Examples,
    dev: Examples,
    stopwords: Sequence[str],
    seed: int,
) -> list[Row]:
    """Return the scores on dev of combinations; of pipelines these have the same features."""
    rows = []
    for number, combination in members:
        with _named(name, combination), no_convergence_warnings():
            model = registry.create(name, stopwords=stopwords, seed=seed, **combination)
            if isinstance(model, PipelineModel):
                features, classifier = model.pipeline[:-1], model.pipeline[-1]
                if matrices is None:
                    learnt = features.fit_transform(train.texts, train.biased)
                    matrices = learnt, features.transform(dev.texts)
                classifier.fit(matrices[0], train.biased)
                margins = classifier.decision_function(matrices[1])
            else:
                margins = model.fit(train.texts, train.biased).predict_proba(dev.texts) - 0.5
        values = evaluation.score(dev.biased, evaluation.Predictions(margins, margins > 0))
        found = {metric: values[metric] for metric in registry.CHOICES}
        rows.append({"n": number, **combination, **found})
    return rows


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

"""Trains and evaluates one model, a grid search, or several models, and writes the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from wikibias.config.thresholds import load_config
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import always_biased, score
from wikibias.kits.files import disk_errors, write_json
from wikibias.models import artifacts, replacing
from wikibias.models.estimators import registry
from wikibias.models.evaluation.enough import shortage
from wikibias.models.evaluation.experiment import (
    Experiment,
    compared,
    cross_validated,
    over_seeds,
    pairwise_accuracy,
    train_and_evaluate,
)
from wikibias.models.examples import Examples, Splits, warn_of_shared_pages
from wikibias.models.making import Maker
from wikibias.models.search import grid_search
from wikibias.models.search.journal import NAME, Journal, Row
from wikibias.models.search.space import Grid, Parameters
from wikibias.research.neural.runs import HERE, Run

_SQUARE = ("nearest",)
_MOST_PAIRS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with a model: data, language, output folder, evaluation.

    `cv` is one of `constants.GROUPINGS` or None; `seeds` over 1 repeats the training; `pairs` also
    evaluates which side of an edit the model calls biased; `overwrite` lets a model of other data
    or settings be replaced; `parameters` holds those of each model, by its name; `first` is learnt
    before train; `device` and `say` are those of `neural.runs.Run`.
    """

    splits: Splits
    out: Path
    lang: str | None = None
    stopwords: Sequence[str] = ()
    seed: int = 0
    resamples: int = RESAMPLES
    cv: str | None = None
    folds: int = 5
    seeds: int = 1
    pairs: bool = False
    overwrite: bool = False
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    first: Examples | None = None
    device: str = HERE.device
    say: Callable[[str], None] = HERE.say


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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several models judged on the same sentences, and McNemar's tests for each split."""

    experiments: Sequence[Experiment]
    mcnemar: Mapping[str, Sequence[Mapping[str, Any]]]


def run_model(
    name: str, task: Task, parameters: Mapping[str, Any] | None = None, out: Path | None = None
) -> Experiment:
    """Train one model, evaluate it on dev and test, and write its folder.

    Raises:
        UsageError: unknown model or parameter, an evaluation that does not fit the data, or the
            folder holds another model.
        WikibiasError: the model cannot learn from the data.
        DiskError: the folder cannot be written.
    """
    facts = _checked(name, task, parameters, out or task.out)

    maker = _maker(name, task, parameters, out or task.out)

    def make(seed: int = task.seed) -> registry.Model:
        return _beginning_with(task.first, maker.make(seed))

    experiment = train_and_evaluate(make(), task.splits, resamples=task.resamples, seed=task.seed)
    outcomes, details = dict(experiment.outcomes), dict(experiment.details)
    if task.cv is not None:
        outcomes["cv"] = cross_validated(
            make, task.splits, task.cv, task.folds, resamples=task.resamples, seed=task.seed
        )
        details["cv_grouped_by"] = task.cv
    if task.seeds > 1:
        details["seeds"] = over_seeds(make, task.splits, range(task.seed, task.seed + task.seeds))
    leaks: list[str] = []
    warn_of_shared_pages(task.splits, leaks.append)
    experiment = Experiment(experiment.model, outcomes, details, leaks)
    if task.pairs:
        details["pairs"] = pairwise_accuracy(experiment, seed=task.seed)
    artifacts.write_experiment(experiment, task.splits, out or task.out, facts)
    maker.clear()
    return experiment


def _beginning_with(first: Examples | None, model: registry.Model) -> registry.Model:
    """Give a model what to learn first.

    Raises:
        UsageError: it learns in one stage.
    """
    if first is None:
        return model
    if not isinstance(model, registry.TwoStageLearner):
        raise UsageError(f"--train-first: {model.name} learns in one stage; leave the option out")
    labels = first.biased.reshape(-1, 1)
    model.begin_with(first.texts, labels, np.ones_like(labels))
    return model


def _maker(name: str, task: Task, parameters: Mapping[str, Any] | None, out: Path) -> Maker:
    return Maker(
        name,
        out,
        task.parameters.get(name, {}) if parameters is None else parameters,
        stopwords=task.stopwords,
        run=Run(task.device, None, task.overwrite, task.say),
    )


def _checked(
    name: str, task: Task, parameters: Mapping[str, Any] | None, out: Path
) -> dict[str, Any]:
    """Return what the description of a model says beside itself; make sure that it may be written.

    Raises:
        UsageError: unknown model or parameter, or the folder holds another model or something else.
    """
    artifacts.check_folder(out)
    model = _beginning_with(task.first, _maker(name, task, parameters, out).make(task.seed))
    first = {} if task.first is None else artifacts.data(Splits({"first": task.first}))
    facts = {
        "lang": task.lang,
        "stopwords": f"{len(task.stopwords)} of {task.lang}" if task.stopwords else None,
        "normalised": task.splits.train.normalised,
        "corpus": dict(task.splits.corpus),
        "data": {**artifacts.data(task.splits), **first},
        "evaluation": {
            "cv": f"{task.cv}, {task.folds} folds" if task.cv else None,
            "seeds": task.seeds if task.seeds > 1 else None,
            "task": "pairs" if task.pairs else None,
        },
    }
    own = {"model": model.name, "seed": model.seed, "parameters": dict(model.parameters)}
    # Parameters come from a grid search, whose tables are in the folder by then.
    replacing.check_model(
        out, {**facts, **own}, overwrite=task.overwrite, searched=parameters is not None
    )
    return facts


def run_grid(
    grid: Grid,
    combinations: Sequence[Parameters],
    task: Task,
    *,
    jobs: int,
    progress: Callable[[int], None],
) -> GridResult:
    """Score parameter combinations on dev and write the tables.

    `progress` takes how many are done. Resumes an interrupted search of the same data and space.

    Raises:
        UsageError: there is no dev split to choose on, the space has a wrong parameter, or the
            folder holds another model or search.
        WikibiasError: train lacks a class.
    """
    if "dev" not in task.splits.by_name:
        raise UsageError(
            "a grid search chooses on dev, and there is none; give --dev FILE, or a corpus whose "
            "dev is not empty"
        )
    registry.installed(grid.model)
    artifacts.check_folder(task.out)
    train, dev = task.splits.train, task.splits.by_name["dev"]
    train.need_both_labels()
    mark = grid_search.fingerprint(grid, combinations, (train, dev), task.stopwords, task.seed)
    replacing.check_search(task.out, mark, overwrite=task.overwrite)
    with disk_errors(task.out):
        task.out.mkdir(parents=True, exist_ok=True)
        journal = Journal(task.out / NAME, mark)
    progress(len(journal.rows))
    for rows in grid_search.search(
        grid,
        combinations,
        train,
        dev,
        stopwords=task.stopwords,
        seed=task.seed,
        jobs=jobs,
        skip=journal.rows,
    ):
        journal.add(rows)
        progress(len(journal.rows))
    share = float(train.biased.mean())
    constant = score(dev.biased, always_biased(dev.biased, share))[grid.choose]
    table = journal.table()
    short = shortage(dev, load_config().scores)
    found = GridResult(grid, table, grid_search.winner(table, grid.choose), constant, short)
    _checked(grid.model, task, found.parameters, task.out)
    summary = {"chosen_by": grid.choose, "winner": found.best, "constant": constant}
    artifacts.write_grid(table, summary, task.out)
    return found


def run_comparison(
    names: Sequence[str], task: Task, progress: Callable[[Experiment, Path], None]
) -> Comparison:
    """Train and judge several models, each in a folder of its own, and write the scores of all.

    `progress` takes each experiment with its folder as soon as both are complete.

    Raises:
        UsageError: a model is unknown or not installed.
        WikibiasError: there is nothing to compare on.
    """
    if task.cv is None and not any(task.splits.held_out()):
        raise WikibiasError(
            "there is no dev or test to compare the models on; give --test FILE, a corpus where "
            "they are not empty, or --cv near-duplicate"
        )
    for name in names:
        _check_installed(name, names)
    artifacts.check_folder(task.out)
    replacing.check_comparison(task.out, names, overwrite=task.overwrite)
    for name in names:  # before hours of training
        _checked(name, task, None, task.out / name)
    experiments = []
    for name in names:
        experiments.append(run_model(name, task, out=task.out / name))
        progress(experiments[-1], task.out / name)
    tests = {split: compared(experiments, split) for split in experiments[0].outcomes}
    scores = {
        "models": {e.model.name: e.as_dict() for e in experiments},
        "mcnemar": tests,
        "warnings": [*experiments[0].leaks, *experiments[0].warnings()],
    }
    write_json(task.out / "scores.json", scores)
    return Comparison(experiments, tests)


def by_score(found: Comparison, split: str) -> list[Experiment]:
    """Return the experiments by MCC on a split, the best first; of ties the first one trained."""

    def mcc(experiment: Experiment) -> float:
        value = experiment.outcomes[split].scores["mcc"]["value"]
        return -2.0 if value is None else value

    return sorted(found.experiments, key=mcc, reverse=True)


def takes_hours(name: str, splits: Splits) -> bool:
    """Say whether a model compares every two sentences, and the splits are too large for that."""
    held_out = sum(len(part) for _, part in splits.held_out())
    return name in _SQUARE and len(splits.train) * held_out > _MOST_PAIRS


def _check_installed(name: str, names: Sequence[str]) -> None:
    missing = registry.ESTIMATORS[name].missing()
    if missing:
        others = ",".join(other for other in names if other != name)
        raise UsageError(f"{missing} (or leave it out: --models {others})")

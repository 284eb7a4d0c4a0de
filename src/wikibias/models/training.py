"""What `wikibias classify` does: one model, a grid search, or all models side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import counted
from wikibias.models import artifacts
from wikibias.models.constants import RESAMPLES
from wikibias.models.estimators import registry
from wikibias.models.estimators.fasttext import MISSING, FastText, is_installed
from wikibias.models.evaluation.experiment import (
    Experiment,
    compared,
    cross_validated,
    over_seeds,
    pairwise_accuracy,
    train_and_judge,
)
from wikibias.models.evaluation.metrics import always_biased, score
from wikibias.models.examples import Splits
from wikibias.models.search import grid_search
from wikibias.models.search.journal import Journal, Row
from wikibias.models.search.space import Grid, Parameters
from wikibias.rendering import figures, html
from wikibias.reports import classifier_page
from wikibias.storage.atomic import disk_errors, whole_file, write_text


@dataclass(frozen=True, slots=True)
class Task:
    """Everything but the model: data, language, where to write, and what to ask.

    `cv` is one of `names.GROUPINGS` or None; `seeds` over 1 repeats the training; `pairs` asks
    which side of an edit is the biased one.
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


def run_model(
    name: str, task: Task, parameters: Mapping[str, Any] | None = None, out: Path | None = None
) -> Experiment:
    """Train one model on train, judge it on dev and test, and write its folder.

    Raises:
        UsageError: unknown model or parameter, or what was asked does not fit the data.
        WikibiasError: the data cannot be learnt from.
        DiskError: the folder cannot be written.
    """

    def make(seed: int = task.seed) -> registry.Model:
        return registry.create(name, stopwords=task.stopwords, seed=seed, **(parameters or {}))

    experiment = train_and_judge(make(), task.splits, resamples=task.resamples, seed=task.seed)
    outcomes, details = dict(experiment.outcomes), dict(experiment.details)
    if task.cv is not None:
        outcomes["cv"] = cross_validated(
            make, task.splits, task.cv, task.folds, resamples=task.resamples, seed=task.seed
        )
        details["cv_grouped_by"] = task.cv
    if task.seeds > 1:
        details["seeds"] = over_seeds(make, task.splits, range(task.seed, task.seed + task.seeds))
    experiment = Experiment(experiment.model, outcomes, details)
    if task.pairs:
        details["pairs"] = pairwise_accuracy(experiment, seed=task.seed)
    stopwords = f"{len(task.stopwords)} of {task.lang}" if task.stopwords else None
    normalised = task.splits.train.pages is not None or task.splits.lang is not None
    facts = {"lang": task.lang, "stopwords": stopwords, "normalised": normalised}
    artifacts.write(experiment, task.splits, out or task.out, facts)
    return experiment


def run_grid(
    grid: Grid, permutations: Sequence[Parameters], task: Task, jobs: int
) -> Iterator[int]:
    """Try all permutations on dev, yielding how many are done; then write the table and figure.

    What an interrupted search of the same data and space has done is not done again.

    Raises:
        UsageError: there is no dev split to choose on, or the space has a wrong parameter.
        WikibiasError: train lacks a class.
    """
    if "dev" not in task.splits.by_name:
        raise UsageError(
            "a grid search chooses on dev, and there is none; give --dev FILE, or a corpus whose "
            "dev is not empty"
        )
    train, dev = task.splits.train, task.splits.by_name["dev"]
    train.need_both_labels()
    mark = grid_search.fingerprint(grid, permutations, (train, dev), task.stopwords, task.seed)
    with disk_errors(task.out):
        task.out.mkdir(parents=True, exist_ok=True)
        journal = Journal(task.out / "grid.jsonl", mark)
    yield len(journal.rows)
    for rows in grid_search.search(
        grid,
        permutations,
        train,
        dev,
        stopwords=task.stopwords,
        seed=task.seed,
        jobs=jobs,
        skip=journal.rows,
    ):
        journal.add(rows)
        yield len(journal.rows)
    share = float(train.biased.mean())
    constant = score(dev.biased, always_biased(dev.biased, share))[grid.choose]
    _write_grid(grid, journal.table(), constant, task.out)


def grid_winner(grid: Grid, out: Path) -> tuple[Parameters, float | None, float | None]:
    """Return the parameters that a finished grid search chose, by which score on dev.

    Last comes what the constant classifier has there.
    """
    found = artifacts.read_json(out / "grid.json")
    best = found["winner"]
    return {name: best[name] for name in grid.space}, best[grid.choose], found["constant"]


def run_comparison(names: Sequence[str], task: Task) -> Iterator[Experiment]:
    """Run several models, yielding each; then write the table, figure and page of them all."""
    if task.cv is None and not any(task.splits.held_out()):
        raise WikibiasError(
            "there is no dev or test to compare the models on; give --test FILE, a corpus where "
            "they are not empty, or --cv near-duplicate"
        )
    experiments = []
    for name in names:
        if name == FastText.name and not is_installed():
            raise UsageError(f"{MISSING} (or leave it out: --models {_without(names)})")
        experiments.append(run_model(name, task, out=task.out / name))
        yield experiments[-1]
    _write_comparison(experiments, task.out)


def _without(names: Sequence[str]) -> str:
    return ",".join(name for name in names if name != FastText.name)


def _write_grid(grid: Grid, rows: Sequence[Row], constant: float | None, out: Path) -> None:
    best = grid_search.winner(rows, grid.choose)
    table = pd.DataFrame(list(rows))
    with whole_file(out / "grid.parquet") as path:
        table.to_parquet(path, index=False)
    with whole_file(out / "grid.csv") as path:
        table.to_csv(path, index=False, lineterminator="\n")
    picture = figures.grid(rows, best, list(grid.space), grid.choose)
    artifacts.write_png(out / "figures" / "grid.png", picture)
    summary = {"chosen_by": grid.choose, "winner": best, "constant": constant}
    artifacts.write_json(out / "grid.json", summary)


def _write_comparison(experiments: Sequence[Experiment], out: Path) -> None:
    parts: list[str] = []
    scores: dict[str, Any] = {"models": {}, "mcnemar": {}}
    for split, first in experiments[0].outcomes.items():
        tables = {e.model.name: e.outcomes[split].scores for e in experiments}
        picture = figures.comparison(tables, first.constant, f"{split}, 95 % intervals")
        tests = compared(experiments, split)
        scores["mcnemar"][split] = tests
        artifacts.write_png(out / "figures" / f"{split}-comparison.png", picture)
        parts += [
            html.heading(f"{split}: {counted(len(first.examples), 'sentence')}"),
            classifier_page.models_table({**tables, "always “biased”": first.constant}),
            html.images({f"{split}: models": picture}),
            html.paragraph("McNemar's exact test between each two models:"),
            classifier_page.mcnemar_table(tests),
        ]
    scores["models"] = {e.model.name: e.as_dict() for e in experiments}
    artifacts.write_json(out / "scores.json", scores)
    lead = "Same training data, same held-out sentences; intervals: bootstrap, 95 %."
    write_text(out / "report.html", html.page("wikibias classify: models", lead, parts))

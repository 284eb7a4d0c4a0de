"""What `wikibias classify` does: options to a task, and its results to the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from wikibias.cli.score_tables import show, show_experiment, show_models
from wikibias.cli.warnings import warn
from wikibias.config.languages import load_language
from wikibias.errors import UsageError
from wikibias.messages import counted
from wikibias.models import training
from wikibias.models.constants import METRICS, MODELS
from wikibias.models.estimators.fasttext import FastText, is_installed
from wikibias.models.evaluation.experiment import Experiment, compared
from wikibias.models.examples import (
    Splits,
    parse_labels,
    read_corpus,
    read_tsv,
    warn_of_one_class,
    warn_of_overlap,
)
from wikibias.models.search.space import read_grid
from wikibias.rendering.numbers import chance, number, with_interval


def run(corpus: Path | None, options: dict[str, Any]) -> None:
    """Do what was asked and show the result.

    Raises:
        WikibiasError: what the user can mend; see `models.classify`.
    """
    if options["compare"] == bool(options["name"]):
        raise UsageError("say which model with --model NAME, or --compare for all of them")
    task = _task(corpus, options)
    if options["compare"]:
        _compare(task, options)
    elif options["grid"] or options["grid_file"]:
        _grid(task, options)
    else:
        _report(training.run_model(options["name"], task), task)
    click.echo(f"Written to {task.out} (open report.html there)")


def _task(corpus: Path | None, options: dict[str, Any]) -> training.Task:
    splits = _splits(corpus, options)
    warn_of_one_class(splits, warn)
    warn_of_overlap(splits, warn)
    lang = options["lang"] or splits.lang
    name = "comparison" if options["compare"] else options["name"]
    return training.Task(
        splits=splits,
        out=options["out"] or (corpus or Path()) / "models" / name,
        lang=lang,
        stopwords=load_language(lang).stopwords if lang else (),
        seed=options["seed"],
        resamples=options["resamples"],
        cv=options["cv"],
        folds=options["folds"],
        seeds=options["seeds"],
        pairs=options["task"] == "pairs",
    )


def _splits(corpus: Path | None, options: dict[str, Any]) -> Splits:
    files = {name: options[name] for name in ("train", "dev", "test") if options[name]}
    if corpus is not None:
        if files:
            raise UsageError(f"give either a corpus directory or --{next(iter(files))}, not both")
        return read_corpus(corpus, warn)
    if "train" not in files:
        raise UsageError("nothing to train on: give a corpus directory, or --train FILE")
    labels = parse_labels(options["labels"])
    return Splits({name: read_tsv(path, labels, warn) for name, path in files.items()})


def _grid(task: training.Task, options: dict[str, Any]) -> None:
    grid = read_grid(options["name"], options["grid_file"], options["choose"])
    permutations = (
        grid.sample(options["sample"], task.seed) if options["sample"] else grid.permutations()
    )
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task(f"{grid.model} grid", total=len(permutations))
        for done in training.run_grid(grid, permutations, task, options["jobs"] or -1):
            progress.update(bar, completed=done)
    best, value, constant = training.grid_winner(grid, task.out)
    chosen = ", ".join(f"{name}={setting}" for name, setting in best.items())
    click.echo(
        f"Best {grid.choose} on dev of {counted(len(permutations), 'permutation')}: "
        f"{number(value)} with {chosen}"
    )
    if value is not None and constant is not None and value <= constant:
        warn(
            f"none has a better {grid.choose} on dev than calling everything biased "
            f"({number(constant)}); --choose mcc does not reward that"
        )
    _report(training.run_model(grid.model, task, best), task)


def _compare(task: training.Task, options: dict[str, Any]) -> None:
    if options["models"]:
        names = [name.strip() for name in options["models"].split(",")]
    else:
        names = [name for name in MODELS if name != FastText.name or is_installed()]
        if len(names) < len(MODELS):
            warn("fasttext is left out: pip install 'wikibias[fasttext]'")
    experiments = []
    for experiment in training.run_comparison(names, task):
        click.echo(f"{experiment.model.name} done", err=True)
        experiments.append(experiment)
    for split, first in experiments[0].outcomes.items():
        tables = {e.model.name: e.outcomes[split].scores for e in experiments}
        show_models(
            f"{split} ({counted(len(first.examples), 'sentence')})",
            {**tables, "always biased": first.constant},
        )
        rows = [
            [t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}", chance(t["p"])]
            for t in compared(experiments, split)
        ]
        show(
            f"McNemar on {split}",
            ["first", "second", "only first right", "only second right", "p"],
            rows,
            left=2,
        )


def _report(experiment: Experiment, task: training.Task) -> None:
    show_experiment(experiment)
    seeds = experiment.details.get("seeds", {})
    for split in (name for name in seeds if name != "count"):
        rows = [
            [metric, *(number(seeds[split][metric][key]) for key in ("mean", "sd", "low", "high"))]
            for metric in METRICS
        ]
        title = f"{split}, {counted(task.seeds, 'seed')}"
        show(title, ["", "mean", "sd", "lowest", "highest"], rows)
    for split, scores in experiment.details.get("pairs", {}).items():
        rows = [
            ["model", with_interval(scores["accuracy"])],
            ["the longer side", with_interval(scores["longer_side"])],
            ["a coin", number(0.5)],
        ]
        title = f"{split}: which side of {counted(scores['edits'], 'edit')} is biased"
        show(title, ["", "accuracy"], rows)

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
from wikibias.models.evaluation.experiment import Experiment
from wikibias.models.examples import (
    Splits,
    parse_labels,
    read_corpus,
    read_tsv,
    warn_of_one_class,
    warn_of_overlap,
)
from wikibias.models.search.space import Parameters, read_grid
from wikibias.rendering.numbers import number, p_value, with_interval
from wikibias.reports import classifier_page


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
        _model(options["name"], task)
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


def _model(name: str, task: training.Task, parameters: Parameters | None = None) -> None:
    experiment = training.run_model(name, task, parameters)
    classifier_page.write_experiment(experiment, task.out)
    _report(experiment, task)


def _grid(task: training.Task, options: dict[str, Any]) -> None:
    grid = read_grid(options["name"], options["grid_file"], options["choose"])
    combinations = (
        grid.sample(options["sample"], task.seed) if options["sample"] else grid.combinations()
    )
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as bars:
        bar = bars.add_task(f"{grid.model} grid", total=len(combinations))
        found = training.run_grid(
            grid,
            combinations,
            task,
            jobs=options["jobs"] or -1,
            progress=lambda done: bars.update(bar, completed=done),
        )
    classifier_page.write_grid(found, task.out)
    value = found.best[grid.choose]
    chosen = ", ".join(f"{name}={setting}" for name, setting in found.parameters.items())
    click.echo(
        f"Best {grid.choose} on dev of {counted(len(combinations), 'parameter combination')}: "
        f"{number(value)} with {chosen}"
    )
    if value is not None and found.constant is not None and value <= found.constant:
        warn(
            f"none has a better {grid.choose} on dev than calling everything biased "
            f"({number(found.constant)}); --choose mcc does not reward that"
        )
    _model(grid.model, task, found.parameters)


def _compare(task: training.Task, options: dict[str, Any]) -> None:
    if options["models"]:
        names = [name.strip() for name in options["models"].split(",")]
    else:
        names = [name for name in MODELS if name != FastText.name or is_installed()]
        if len(names) < len(MODELS):
            warn("fasttext is left out: pip install 'wikibias[fasttext]'")

    def done(experiment: Experiment, out: Path) -> None:
        classifier_page.write_experiment(experiment, out)
        click.echo(f"{experiment.model.name} done", err=True)

    found = training.run_comparison(names, task, done)
    classifier_page.write_comparison(found, task.out)
    for split, first in found.experiments[0].outcomes.items():
        tables = {e.model.name: e.outcomes[split].scores for e in found.experiments}
        show_models(
            f"{split} ({counted(len(first.examples), 'sentence')})",
            {**tables, "always biased": first.constant},
        )
        rows = [
            [t["first"], t["second"], f"{t['only_first']}", f"{t['only_second']}", p_value(t["p"])]
            for t in found.mcnemar[split]
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

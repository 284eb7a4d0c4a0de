"""Runs `wikibias classify --task labels`: several labels of each sentence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError
from wikibias.kits.command import warn
from wikibias.kits.terminal import echo, show_table
from wikibias.messages import counted

if TYPE_CHECKING:
    from wikibias.models.examples import LabelledExamples, LabelledSplits
    from wikibias.models.training import LabelExperiment, LabelTask

_NOT_WITH_LABELS = {
    "compare": "--compare",
    "models": "--models",
    "grid": "--grid",
    "grid_file": "--grid-file",
    "choose": "--choose",
    "sample": "--sample",
    "labels": "--labels",
    "source": "--source",
    "target": "--target",
    "group": "--group",
    "exclude": "--exclude",
}


def classify_labels(corpus: Path | None, options: dict[str, Any]) -> None:
    """Train a model of several labels, show and write its scores.

    Raises:
        UsageError: an option does not go with several labels; or see `run_labels`.
        WikibiasError: see `run_labels`.
    """
    from wikibias.models.training import run_labels
    from wikibias.reports.classifier_page import write_label_page

    for name, option in _NOT_WITH_LABELS.items():
        if options[name]:
            raise UsageError(f"{option} is not for --task labels; leave it out")
    if options["seeds"] > 1:
        raise UsageError("--seeds is not for --task labels; leave it out")
    task = _task(corpus, options)
    experiment = run_labels(options["name"], task)
    write_label_page(experiment, task)
    _show(experiment)
    for line in experiment.warnings():
        warn(line)
    echo(f"Written to {task.out} (open report.html there)")


def _task(corpus: Path | None, options: dict[str, Any]) -> LabelTask:
    from wikibias.config.languages import load_language
    from wikibias.models.estimators.registry import Run
    from wikibias.models.examples import warn_of_overlap, warn_of_shared_pages
    from wikibias.models.reading import read_label_files
    from wikibias.models.training import LabelTask

    splits = _splits(corpus, options)
    warn_of_overlap(splits.plain, warn)
    warn_of_shared_pages(splits.plain, warn)
    lang = options["lang"] or splits.lang
    first: LabelledExamples | None = None
    if options["train_first"] is not None:
        found = read_label_files({"train": options["train_first"]}, warn, splits.names)
        first = without_known(found.by_name["train"], splits)
    return LabelTask(
        splits=splits,
        out=options["out"] or (corpus or Path()) / "models" / f"{options['name']}-labels",
        first=first,
        lang=lang,
        stopwords=load_language(lang).stopwords if lang else (),
        parameters=_parameters(options),
        seed=options["seed"],
        resamples=options["resamples"],
        cv=options["cv"],
        folds=options["folds"],
        overwrite=options["overwrite"],
        run=Run(options["device"], None, options["overwrite"], lambda line: echo(line, err=True)),
    )


def _parameters(options: dict[str, Any]) -> dict[str, Any]:
    from wikibias.models.training import parse_settings, with_options

    given = {"vectors": options["vectors"], "base": options["base"]}
    return with_options(parse_settings(options["settings"]), given, [options["name"]])


def _splits(corpus: Path | None, options: dict[str, Any]) -> LabelledSplits:
    from wikibias.models.reading import read_label_files, read_result

    files = {name: options[name] for name in ("train", "dev", "test") if options[name]}
    if corpus is not None:
        if files:
            raise UsageError(f"give either a corpus directory or --{next(iter(files))}, not both")
        return read_result(corpus, warn)
    if len(files.get("train", ())) != 1:
        raise UsageError("give one --train FILE, or the folder of a result")
    return read_label_files({**files, "train": files["train"][0]}, warn)


def without_known(first: LabelledExamples, splits: LabelledSplits) -> LabelledExamples:
    """Return sentences to learn first without those of any split; tell how many were left out."""
    from wikibias.models.examples import places_of_new

    kept = places_of_new(first.examples, splits.plain, warn)
    return first.rows(kept)


def _show(experiment: LabelExperiment) -> None:
    from wikibias.kits.document import with_interval
    from wikibias.models.results import label_table

    for split, outcome in experiment.outcomes.items():
        header, rows = label_table(outcome, brief=True)
        sentences = counted(len(outcome.sentences), "sentence")
        show_table(f"{experiment.model.name} on {split} ({sentences})", header, rows)
        echo(f"All judged labels of a sentence right: {with_interval(outcome.subset_accuracy)}")

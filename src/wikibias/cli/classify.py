"""`wikibias classify`: train classifiers, judge them, show the scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.cli.corpus_folder import FOLDER, corpus_or_newest
from wikibias.cli.options import MOST_WORKERS, config_dir_option
from wikibias.cli.terminal import echo
from wikibias.cli.warnings import warn
from wikibias.errors import UsageError
from wikibias.messages import counted, printable
from wikibias.models.constants import CHOICES, GROUPINGS, METRICS, MOST_SEED, RESAMPLES
from wikibias.models.estimators.registry import ESTIMATORS, OWN
from wikibias.rendering.numbers import number, p_value, with_interval
from wikibias.storage.folders import refuse_links

if TYPE_CHECKING:
    from wikibias.models.evaluation.experiment import Experiment
    from wikibias.models.examples import Splits
    from wikibias.models.search.space import Grid, Parameters
    from wikibias.models.training import GridResult, Task

_FILES = ("train", "dev", "test")
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_INTERRUPTED = "Interrupted; the same command goes on with the combinations that are left."


@click.command(name="classify")
@click.argument("corpus", required=False, type=FOLDER)
@click.option(
    "--model", "name", metavar="NAME", help=f"{', '.join(OWN)}, or one that a package adds."
)
@click.option("--compare", is_flag=True, help="Compare models: tables, figures, one page.")
@click.option("--models", metavar="A,B", help="The models to compare.  [default: all]")
@click.option("--grid", is_flag=True, help="Choose the parameters on dev first (see --choose).")
@click.option(
    "--grid-file",
    type=FILE,
    help="Your own space instead of that shipped; see `wikibias docs classify`.",
)
@click.option(
    "--choose",
    type=click.Choice(CHOICES),
    help="Metric on dev to choose by.  [default: the one that the space names]",
)
@click.option(
    "--sample", type=click.IntRange(min=1), help="Try only so many parameter combinations."
)
@click.option("--train", type=FILE, help="Training file in place of a corpus: TSV, CSV, JSONL, ...")
@click.option("--dev", type=FILE, help="Dev file, to choose on.")
@click.option("--test", type=FILE, help="Test file.")
@click.option("--labels", metavar="A=biased,B=neutral", help="Names of the labels in the files.")
@click.option("--lang", help="Language of the stop words.  [default: the corpus's, else none]")
@click.option(
    "--cv", type=click.Choice(GROUPINGS), help="Also cross-validate; what stays in one fold."
)
@click.option(
    "--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Folds of --cv."
)
@click.option(
    "--task",
    type=click.Choice(["sentences", "pairs"]),
    default="sentences",
    show_default=True,
    help="pairs: also predict which side of an edit is the biased one.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=0,
    show_default=True,
    help="Seed of training, folds, intervals and --sample.",
)
@click.option(
    "--seeds", type=click.IntRange(1, 1000), default=1, help="Also train with so many seeds."
)
@click.option(
    "--resamples",
    type=click.IntRange(1, 1_000_000),
    default=RESAMPLES,
    show_default=True,
    help="Bootstrap resamples for the confidence intervals.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_WORKERS),
    help="Processes of the grid search.  [default: all cores]",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the result.  [default: models/NAME in the corpus, else here]",
)
@config_dir_option
def command(corpus: Path | None, **options: Any) -> None:
    """Train a classifier of biased sentences and judge it on held-out sentences.

    CORPUS is a directory made by `wikibias extract`, by default the newest in ./corpora; or give
    --train and --test. Scores come with 95 % confidence intervals, beside those of the constant
    classifier "everything is biased". Files hold label<TAB>sentence lines or those of fastText, or
    are CSV, JSON Lines or Parquet with columns label and text; one may hold all splits.

    \b
    Examples:
      wikibias classify --model sgd
      wikibias classify --model sgd corpora/fr
      wikibias classify --model lr --train a.tsv --test c.tsv --labels rem=biased,add=neutral
      wikibias classify --model fasttext --grid --sample 50 corpora/fr
      wikibias classify --compare --cv near-duplicate corpora/fr
    """
    if options["compare"] == bool(options["name"]):
        raise UsageError("say which model with --model NAME, or --compare for all of them")
    if not any(options[name] for name in _FILES):
        corpus = corpus_or_newest(corpus, instead=", or files: --train FILE")
    task = _task(corpus, options)
    if options["compare"]:
        _compare(task, options["models"])
    elif options["grid"] or options["grid_file"]:
        try:
            _grid(task, options)
        except KeyboardInterrupt:
            echo(_INTERRUPTED, err=True)
            raise SystemExit(130) from None
    else:
        _model(options["name"], task)
    echo(f"Written to {task.out} (open report.html there)")


def _task(corpus: Path | None, options: dict[str, Any]) -> Task:
    from wikibias.config.languages import load_language
    from wikibias.models.examples import warn_of_one_class, warn_of_overlap, warn_of_shared_pages
    from wikibias.models.reading import result_folder
    from wikibias.models.training import Task

    splits = _splits(corpus, options)
    warn_of_one_class(splits, warn)
    warn_of_overlap(splits, warn)
    warn_of_shared_pages(splits, warn)
    lang = options["lang"] or splits.lang
    name = "comparison" if options["compare"] else options["name"]
    # Not among the files of the corpus, which other programs read as a whole.
    folder = Path() if corpus is None else result_folder(corpus)
    if corpus is not None and options["out"] is None:
        refuse_links(folder, ["models", f"models/{name}"])
    return Task(
        splits=splits,
        out=options["out"] or folder / "models" / name,
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
    from wikibias.models.reading import read_corpus, read_files
    from wikibias.models.sentence_lines import parse_labels

    files = {name: options[name] for name in _FILES if options[name]}
    if corpus is not None:
        if files:
            raise UsageError(f"give either a corpus directory or --{next(iter(files))}, not both")
        return read_corpus(corpus, warn)
    if "train" not in files:
        raise UsageError(f"nothing to train on: beside --{next(iter(files))} give --train FILE")
    return read_files(files, parse_labels(options["labels"]), warn)


def _model(name: str, task: Task, parameters: Parameters | None = None) -> None:
    from wikibias.models.training import run_model
    from wikibias.reports import classifier_page

    experiment = run_model(name, task, parameters)
    classifier_page.write_experiment(experiment, task.out)
    _show(experiment, task)


def _grid(task: Task, options: dict[str, Any]) -> None:
    from wikibias.models.search.space import read_grid
    from wikibias.reports import classifier_page

    grid = read_grid(options["name"], options["grid_file"], options["choose"])
    combinations = (
        grid.sample(options["sample"], task.seed) if options["sample"] else grid.combinations()
    )
    found = _searched(grid, combinations, task, options["jobs"])
    classifier_page.write_grid(found, task.out)
    value = found.best[grid.choose]
    chosen = ", ".join(f"{name}={setting}" for name, setting in found.parameters.items())
    echo(
        f"Best {grid.choose} on dev of {counted(len(combinations), 'parameter combination')}: "
        f"{number(value)} with {chosen}"
    )
    if value is not None and found.constant is not None and value <= found.constant:
        warn(
            f"none has a better {grid.choose} on dev than calling everything biased "
            f"({number(found.constant)}); --choose mcc does not reward that"
        )
    _model(grid.model, task, found.parameters)


def _searched(
    grid: Grid, combinations: list[Parameters], task: Task, jobs: int | None
) -> GridResult:
    """Run a grid search under a progress bar; without a terminal, say only how much there is."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from wikibias.cli.console import Console
    from wikibias.models.training import run_grid

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as bars:
        bar = bars.add_task(printable(f"{grid.model} grid"), total=len(combinations))
        tried = f"Trying {len(combinations):,} of {counted(grid.size, 'parameter combination')}"
        started = False

        def progress(done: int) -> None:
            nonlocal started
            if not started:
                known = f"; {done:,} already done" if done else ""
                bars.console.print(f"{tried} on dev{known}", soft_wrap=True)
                started = True
            bars.update(bar, completed=done)

        return run_grid(grid, combinations, task, jobs=jobs or -1, progress=progress)


def _compare(task: Task, models: str | None) -> None:
    from wikibias.cli.score_tables import show, show_models
    from wikibias.models.training import run_comparison
    from wikibias.reports import classifier_page

    def done(experiment: Experiment, out: Path) -> None:
        classifier_page.write_experiment(experiment, out)
        echo(f"{experiment.model.name} done", err=True)

    names = (
        [name.strip() for name in models.split(",")]
        if models
        else _quick_enough(_installed_models(), task)
    )
    found = run_comparison(names, task, done)
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
        header = ["first", "second", "only first right", "only second right", "p"]
        show(f"McNemar on {split}", header, rows, left=2)


def _installed_models() -> list[str]:
    """Return all models; leave out, with a warning, those that lack a library."""
    names = []
    for name in ESTIMATORS.names():
        missing = ESTIMATORS[name].missing()
        if missing:
            warn(f"left out {name}: {missing}")
        else:
            names.append(name)
    return names


def _quick_enough(names: list[str], task: Task) -> list[str]:
    """Leave out, with a warning, models that would take hours."""
    from wikibias.models.training import takes_hours

    slow = [name for name in names if takes_hours(name, task.splits)]
    for name in slow:
        warn(
            f"left out {name}: it compares every sentence with all "
            f"{len(task.splits.train):,} of train; --models takes it in"
        )
    return [name for name in names if name not in slow]


def _show(experiment: Experiment, task: Task) -> None:
    from wikibias.cli.score_tables import show, show_experiment

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
            ["random guess", number(0.5)],
        ]
        title = f"{split}: which side of {counted(scores['edits'], 'edit')} is biased"
        show(title, ["", "accuracy"], rows)

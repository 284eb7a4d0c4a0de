"""`wikibias classify`: train classifiers, judge them, show the scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikibias.cli.options import MOST_WORKERS, config_dir_option
from wikibias.cli.pairs import pair_columns_options
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import MOST_SEED
from wikibias.kits.command import FOLDER, corpus_or_newest, resamples_option, warn
from wikibias.kits.folders import refuse_links
from wikibias.kits.terminal import echo
from wikibias.models.constants import CHOICES, GROUPINGS
from wikibias.models.estimators.registry import DEVICES, OWN

if TYPE_CHECKING:
    from wikibias.models.examples import Examples, Splits
    from wikibias.models.training import GridResult, Task

_FILES = ("train", "dev", "test")
_OF_PAIRS = ("source", "target", "group", "exclude")
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
PAIRS = click.Path(exists=True, path_type=Path)  # a folder, too, that `wikibias pairs` made
_INTERRUPTED = "Interrupted; the same command goes on with the combinations that are left."


@click.command(name="classify")
@click.argument("corpus", required=False, type=FOLDER)
@click.option(
    "--model", "name", metavar="NAME", help=f"{', '.join(OWN)}, or one that a package adds."
)
@click.option("--compare", is_flag=True, help="Compare models: tables, figures, one page.")
@click.option("--models", metavar="A,B", help="The models to compare.  [default: all]")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A parameter of the model, with --compare MODEL.NAME=VALUE; may be given again.",
)
@click.option(
    "--vectors",
    type=FILE,
    help="Word vectors for --model gru: a text file of word2vec, GloVe or fastText.",
)
@click.option(
    "--base",
    metavar="PATH_OR_NAME",
    help="Model to begin with for --model encoder: a folder, or the name of an installed package.",
)
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
@click.option(
    "--train",
    type=PAIRS,
    multiple=True,
    help="Training file in place of a corpus: TSV, CSV, JSONL, ... Pairs may be in several.",
)
@click.option(
    "--train-first",
    type=FILE,
    help="Sentences with noisier labels, which an encoder learns before those of train.",
)
@click.option("--dev", type=PAIRS, help="Dev file, to choose on.")
@click.option("--test", type=PAIRS, help="Test file.")
@pair_columns_options
@click.option(
    "--exclude",
    type=PAIRS,
    multiple=True,
    help="Pairs whose sentences train must not have; may be given again.",
)
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
    type=click.Choice(["sentences", "pairs", "labels"]),
    default="sentences",
    show_default=True,
    help="pairs: also predict which side of an edit, or of a sentence pair, is the biased one. "
    "labels: predict several labels of each sentence.",
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
    "--device",
    type=click.Choice(DEVICES),
    default="auto",
    show_default=True,
    help="Where neural models train; auto: on the GPU if there is one.",
)
@resamples_option
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_WORKERS),
    help="Processes of the grid search.  [default: all cores]",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the result.  [default: models/NAME in the corpus, else here; with --task "
    "labels models/NAME-labels]",
)
@click.option(
    "--overwrite", is_flag=True, help="Replace a model of other data or settings in that folder."
)
@config_dir_option
def command(corpus: Path | None, **options: Any) -> None:
    """Train a classifier of biased sentences and judge it on held-out sentences.

    CORPUS is a directory made by `wikibias extract`, by default the newest in ./corpora; or give
    --train and --test. Scores come with 95 % confidence intervals, beside those of the constant
    classifier "everything is biased". Files hold label<TAB>sentence lines or those of fastText, or
    are CSV, JSON Lines or Parquet with columns label and text; one may hold all splits. With --task
    pairs they may hold sentence pairs: the source of each is biased, its target neutral.

    \b
    Examples:
      wikibias classify --model sgd
      wikibias classify --model sgd corpora/fr
      wikibias classify --model lr --train a.tsv --test c.tsv --labels rem=biased,add=neutral
      wikibias classify --model fasttext --grid --sample 50 corpora/fr
      wikibias classify --task pairs --model pair-lr --train pairs/en --cv group
      wikibias classify --task labels --model nb-lr corpora/en
      wikibias classify --model encoder --base models/minilm --set frozen=true corpora/en
      wikibias classify --compare --cv near-duplicate corpora/fr
    """
    if options["compare"] and options["name"]:
        raise UsageError("give --model or --compare, not both; --models A,B compares some")
    if not (options["compare"] or options["name"]):
        raise UsageError("say which model with --model NAME, or --compare for all of them")
    fixed = options["settings"] or options["vectors"] or options["base"]
    if fixed and (options["grid"] or options["grid_file"]):
        raise UsageError(
            "--set, --vectors and --base fix a parameter and --grid tries several; put it into the "
            "grid"
        )
    if not any(options[name] for name in _FILES):
        corpus = corpus_or_newest(corpus, instead=", or files: --train FILE")
    if options["task"] == "labels":
        from wikibias.cli.label_run import classify_labels

        classify_labels(corpus, options)
        return
    task = _task(corpus, options)
    if options["compare"]:
        from wikibias.cli.model_comparison import compare

        compare(task, options["models"])
    elif options["grid"] or options["grid_file"]:
        from wikibias.cli.grid_run import search

        try:
            found = search(task, options)
            _model(found.grid.model, task, found)
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
        overwrite=options["overwrite"],
        parameters=_parameters(options),
        first=_first(splits, options),
        device=options["device"],
        say=_said,
    )


def _first(splits: Splits, options: dict[str, Any]) -> Examples | None:
    from wikibias.models.examples import places_of_new, some_of
    from wikibias.models.reading import parse_labels, read_files

    if options["train_first"] is None:
        return None
    labels = parse_labels(options["labels"])
    found = read_files({"train": options["train_first"]}, labels, warn).train
    return some_of(found, places_of_new(found, splits, warn))


def _said(line: str) -> None:
    echo(line, err=True)


def _parameters(options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    from wikibias.models.estimators.registry import ESTIMATORS
    from wikibias.models.training import of_models, parse_settings, with_options

    names = ESTIMATORS.names() if options["compare"] else [options["name"]]
    own = {"vectors": options["vectors"], "base": options["base"]}
    given = with_options(parse_settings(options["settings"]), own, names)
    if options["compare"]:
        return of_models(given, names)
    return {options["name"]: given}


def _splits(corpus: Path | None, options: dict[str, Any]) -> Splits:
    from wikibias.models.reading import parse_labels, read_corpus, read_files

    files = {name: options[name] for name in _FILES if options[name]}
    pairs = [name for name in _OF_PAIRS if options[name]]
    if pairs and (corpus is not None or options["task"] != "pairs"):
        raise UsageError(f"--{pairs[0]} is for files of pairs: --task pairs --train FILE")
    if corpus is not None:
        if files:
            raise UsageError(f"give either a corpus directory or --{next(iter(files))}, not both")
        return read_corpus(corpus, warn)
    if "train" not in files:
        raise UsageError(f"nothing to train on: beside --{next(iter(files))} give --train FILE")
    if options["task"] == "pairs" and (pairs or _hold_pairs(files)):
        return _pair_splits(files, options)
    several = files.pop("train")
    if len(several) > 1:
        raise UsageError("give one --train; several are for --task pairs alone")
    one = {"train": several[0], **files}
    try:
        return read_files(one, parse_labels(options["labels"]), warn)
    except WikibiasError as error:
        if options["task"] != "pairs":
            raise
        hint = "if it holds pairs, give --source and --target, by name or number from 1"
        raise UsageError(f"{error}; {hint}") from error


def _hold_pairs(files: dict[str, Any]) -> bool:
    from wikibias.corpus.sentence_pairs.reading import holds_pairs

    return all(map(holds_pairs, files["train"]))


def _pair_splits(files: dict[str, Any], options: dict[str, Any]) -> Splits:
    from wikibias.models.pair_examples import PairFiles, pair_splits

    held_out = {name: (path,) for name, path in files.items() if name != "train"}
    found = PairFiles(
        {"train": files["train"], **held_out},
        options["exclude"],
        source=options["source"],
        target=options["target"],
        group=options["group"],
    )
    return pair_splits(found, warn)


def _model(name: str, task: Task, found: GridResult | None = None) -> None:
    from wikibias.cli.experiment_tables import show_experiment
    from wikibias.models.training import run_model
    from wikibias.reports import classifier_page

    experiment = run_model(name, task, found.parameters if found else None)
    classifier_page.write_experiment(experiment, task.splits, task.out, found)
    show_experiment(experiment)
    for line in experiment.warnings():
        warn(line)
    if not (experiment.outcomes or task.splits.corpus):
        warn("nothing says how good it is; give --test FILE, or --cv near-duplicate")

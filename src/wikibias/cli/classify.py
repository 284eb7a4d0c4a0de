"""`wikibias classify`: train classifiers, search grids, compare models, show the scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from wikibias.cli.ending import interruptible
from wikibias.config.languages import load_language
from wikibias.errors import UsageError, WikibiasError, counted, printable
from wikibias.kits import MOST_SEED, document, folders
from wikibias.kits import command as commands
from wikibias.kits.checked import Meta, Setting
from wikibias.kits.command import is_quiet, takes, warn
from wikibias.kits.terminal import echo, show
from wikibias.models.estimators.registry import CHOICES, DEVICES, ESTIMATORS, GROUPINGS, OWN, Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikibias.models import examples, grid_search, training

_PAIRS = click.Path(exists=True, path_type=Path)  # a folder, too, that `wikibias pairs` made
_OF_PAIRS = ("source", "target", "group")
_NOT_WITH_LABELS = ("compare", "grid", "choose", "sample", "labels", *_OF_PAIRS)
_Text = str | None
_File = Path | None
_Count = Annotated[int, Meta(ge=1)] | None


@dataclass(frozen=True, slots=True)
class Options:
    """What `wikibias classify` is given.

    Attributes:
        compare: Compare all models on one page.
        settings: Parameter NAME=VALUE; of several models MODEL.NAME=VALUE; repeatable.
        base: Short for --set base=, the model that an encoder begins with.
        vectors: Short for --set vectors=, the word vectors of gru.
        grid: Choose the parameters on dev first.
        choose: Metric on dev.
        sample: Try only so many combinations.
        train: Training file in place of a corpus; sentence pairs may be in several.
        train_first: Noisier sentences, which an encoder learns first.
        dev: Dev file, to choose on.
        test: Test file.
        source: Column of biased sentences, by name or number.
        target: Column of the neutral ones, likewise.
        group: Column of pages or revisions of sentence pairs.
        weighted: Let surer sentences count more in training, by their confidence.
        labels: Labels in the files.
        lang: Language of stop words.
        cv: Also cross-validate, by folds of these.
        folds: Folds of --cv.
        task: pairs: also which side of an edit is biased; labels: several labels.
        seed: Seed of all draws.
        device: Where neural models train.
        out: Folder of the result.
        overwrite: Replace a model of other data or settings there.
    """

    corpus: Annotated[Path | None, commands.FOLDER, Setting(commands.ARGUMENT)] = None
    model: Annotated[
        _Text,
        Setting("--model", doc=f"{', '.join(OWN)}, or one of a package; some to compare: A,B."),
    ] = None
    compare: Annotated[bool, Setting("--compare")] = False
    settings: Annotated[tuple[str, ...], Setting("--set")] = ()
    base: Annotated[_Text, Setting("--base", hidden=True)] = None
    vectors: Annotated[_Text, Setting("--vectors", hidden=True)] = None
    grid: Annotated[bool, Setting("--grid")] = False
    choose: Annotated[_Text, click.Choice(CHOICES), Setting("--choose", "that of the space")] = None
    sample: Annotated[_Count, Setting("--sample")] = None
    train: Annotated[tuple[Path, ...], _PAIRS, Setting("--train")] = ()
    train_first: Annotated[_File, commands.FILE, Setting("--train-first")] = None
    dev: Annotated[_File, _PAIRS, Setting("--dev")] = None
    test: Annotated[_File, _PAIRS, Setting("--test")] = None
    source: Annotated[_Text, Setting("--source", "by name")] = None
    target: Annotated[_Text, Setting("--target")] = None
    group: Annotated[_Text, Setting("--group")] = None
    labels: Annotated[_Text, Setting("--label-names", metavar="A=biased,B=neutral")] = None
    weighted: Annotated[bool, Setting("--weighted")] = False
    lang: Annotated[_Text, Setting("--lang", "the corpus's")] = None
    cv: Annotated[_Text, click.Choice(GROUPINGS), Setting("--cv")] = None
    folds: Annotated[int, Meta(ge=2), Setting("--folds")] = 5
    task: Annotated[Literal["sentences", "pairs", "labels"], Setting("--task")] = "sentences"
    seed: Annotated[int, Meta(ge=0, le=MOST_SEED), Setting("--seed")] = 0
    device: Annotated[str, click.Choice(DEVICES), Setting("--device")] = "auto"
    out: Annotated[
        _File, commands.OUT_FOLDER, Setting("-o --out", "models/NAME in the corpus, else here")
    ] = None
    overwrite: Annotated[bool, Setting("--overwrite")] = False

    @property
    def files(self) -> dict[str, Any]:
        """The files of the splits that are given; of train a tuple."""
        found = {"train": self.train, "dev": self.dev, "test": self.test}
        return {name: path for name, path in found.items() if path}

    @property
    def names(self) -> list[str]:
        """The names of the models that are given; all that there are to compare them."""
        if self.compare:
            return list(ESTIMATORS.names())
        return list(dict.fromkeys(name.strip() for name in str(self.model).split(",")))

    @property
    def assignments(self) -> list[str]:
        """The parameters that are given, as NAME=VALUE."""
        short = {"base": self.base, "vectors": self.vectors}
        more = (f"{name}={value}" for name, value in short.items() if value is not None)
        return [*self.settings, *more]

    @property
    def several(self) -> bool:
        """Whether models are compared."""
        return self.compare or len(self.names) > 1


@click.command(
    name="classify",
    cls=commands.BriefHelp,
    common=(
        *("--model", "--compare", "--set", "--grid", "--train", "--dev", "--test", "--label-names"),
        *("--cv", "--task", "--seed", "--out", "--overwrite"),
    ),
    panels={
        "Models": ("--model", "--compare", "--set", "--grid", "--choose", "--sample", "--device"),
        "Sentences": (
            *("--task", "--train", "--train-first", "--dev", "--test", "--label-names", "--lang"),
            *("--source", "--target", "--group", "--weighted"),
        ),
        "Evaluation": ("--cv", "--folds", "--seed"),
        "The result": ("--out", "--overwrite"),
    },
)
@takes(Options)
def command(options: Options) -> Path:
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
      wikibias classify --model lr --train a.tsv --test c.tsv --label-names rem=biased,add=neutral
      wikibias classify --model fasttext --grid --sample 50 corpora/fr
      wikibias classify --task pairs --model pair-lr --train pairs/en --cv group
      wikibias classify --task labels --model nb-lr corpora/en
      wikibias classify --model encoder --set base=models/minilm --set frozen=true corpora/en
      wikibias classify --model sgd,nb-lr --cv near-duplicate corpora/fr
    """
    _check(options)
    corpus = options.corpus
    if not options.files:
        corpus = commands.corpus_or_newest(corpus, instead=", or files: --train FILE")
    task = _task(corpus, options)
    if options.several:
        _compare(task, _usable_models(task) if options.compare else options.names)
    else:
        _train(task, options)
    echo(f"Written to {task.out} (open report.html there)")
    return task.out


def _check(options: Options) -> None:
    """Refuse options that do not go together."""
    if options.compare and options.model:
        raise UsageError("give --model or --compare, not both; --model A,B compares some")
    if not (options.compare or options.model):
        raise UsageError("say which model with --model NAME, or --compare for all of them")
    if options.grid and (options.assignments or options.several):
        raise UsageError(
            "--grid tries several values of the parameters of one model; leave out --set, and "
            "name one model"
        )
    if options.weighted and (options.grid or options.task != "sentences"):
        beside = "--grid" if options.grid else f"--task {options.task}"
        raise UsageError(f"--weighted is not for {beside}; leave one of the two out")
    if options.corpus is not None and options.files:
        raise UsageError(
            f"give either a corpus directory or --{next(iter(options.files))}, not both"
        )
    if options.task == "labels":
        others = (name for name in _NOT_WITH_LABELS if getattr(options, name))
        if other := next(others, "model" if options.several else None):
            raise UsageError(f"--{other} {'A,B ' * (other == 'model')}is not for --task labels")
    if options.files and not options.train:
        raise UsageError(
            f"nothing to train on: beside --{next(iter(options.files))} give --train FILE"
        )
    of_pairs = [name for name in _OF_PAIRS if getattr(options, name)]
    if of_pairs and (not options.files or options.task != "pairs"):
        raise UsageError(f"--{of_pairs[0]} is for sentence pairs: --task pairs --train FILE")


def _task(corpus: Path | None, options: Options) -> training.Task:
    from wikibias.models import examples, reading, training

    splits = _splits(corpus, options)
    splits = examples.weighted(splits) if options.weighted else splits
    lang = options.lang or splits.lang
    name = "comparison" if options.several else str(options.model)
    name += "-labels" if options.task == "labels" else ""
    # Not among the files of the corpus, which other programs read as a whole.
    folder = Path() if corpus is None else reading.result_folder(corpus)
    if corpus is not None and options.out is None:
        folders.refuse_links(folder, ["models", f"models/{name}"])
    task = training.Task(
        splits=splits,
        out=options.out or folder / "models" / name,
        lang=lang,
        stopwords=load_language(lang).stopwords if lang else (),
        seed=options.seed,
        cv=options.cv,
        folds=options.folds,
        pairs=options.task == "pairs",
        overwrite=options.overwrite,
        parameters=training.of_models(training.parse_settings(options.assignments), options.names),
        first=_first(splits, options),
        run=Run(options.device, None, options.overwrite, lambda line: echo(line, err=True)),
    )
    if options.task != "labels":
        examples.warn_of_one_class(task.splits, warn)
    examples.warn_of_overlap(task.splits, warn)
    examples.warn_of_shared_pages(task.splits, warn)
    return task


def _first(splits: examples.Splits, options: Options) -> examples.Examples | None:
    """Return the sentences to learn first, without those of any split."""
    from wikibias.models import examples, reading

    if options.train_first is None:
        return None
    files = {"train": options.train_first}
    if splits.names:
        noisy = reading.read_label_files(files, warn, splits.names)
    else:
        noisy = reading.read_files(files, reading.parse_labels(options.labels), warn)
    return examples.without_known(noisy.train, splits, warn)


def _splits(corpus: Path | None, options: Options) -> examples.Splits:
    from wikibias.corpus.sentence_pairs.reading import holds_pairs
    from wikibias.models import examples, reading

    several = options.task == "labels"
    if corpus is not None:
        return (reading.read_result if several else reading.read_corpus)(corpus, warn)
    of_pairs = any(getattr(options, name) for name in _OF_PAIRS)
    if options.task == "pairs" and (of_pairs or all(map(holds_pairs, options.train))):
        held_out = {name: (path,) for name, path in options.files.items() if name != "train"}
        columns = {name: getattr(options, name) for name in _OF_PAIRS}
        files = examples.PairFiles({"train": options.train, **held_out}, **columns)
        return examples.pair_splits(files, warn)
    if len(options.train) > 1:
        raise UsageError("give one --train; several are for --task pairs alone")
    one = {**options.files, "train": options.train[0]}
    if several:
        return reading.read_label_files(one, warn)
    try:
        return reading.read_files(one, reading.parse_labels(options.labels), warn)
    except WikibiasError as error:
        if options.task != "pairs":
            raise
        hint = "if it holds sentence pairs, give --source and --target, by name or number from 1"
        raise UsageError(f"{error}; {hint}") from error


def _train(task: training.Task, options: Options) -> None:
    """Train one model, after a grid search where one is asked for; show its scores."""
    from wikibias.models import report, training

    found = _search(task, options) if options.grid else None
    experiment = training.run_model(str(options.model), task, found)
    if not is_quiet():
        show(*report.score_tables(experiment, brief=True))
    for line in experiment.warnings():
        warn(line)
    if not (experiment.outcomes or task.splits.corpus or options.task == "labels"):
        warn("nothing says how good it is; give --test FILE, or --cv near-duplicate")


def _search(task: training.Task, options: Options) -> grid_search.GridResult:
    """Find the best parameters on dev."""
    from rich import progress

    from wikibias.kits.console import Console
    from wikibias.models import grid_search, training

    grid = grid_search.read_grid(str(options.model), options.choose)
    combinations = grid.sample(options.sample, task.seed) if options.sample else grid.combinations()
    tried = f"{len(combinations):,} of {counted(grid.size, 'parameter combination')}"
    console = Console(stderr=True)

    def track(rows: Iterator[list[grid_search.Row]], done: int) -> Iterable[list[grid_search.Row]]:
        echo(f"Trying {tried} on dev" + f"; {done:,} already done" * bool(done), err=True)
        name = printable(f"{grid.model} grid")
        return progress.track(rows, name, console=console, disable=not console.is_terminal)

    with interruptible():
        found = training.run_grid(grid, combinations, task, track=track)
    value = found.best[grid.choose]
    chosen = ", ".join(f"{name}={setting}" for name, setting in found.parameters.items())
    echo(
        f"Best {grid.choose} on dev of {counted(len(combinations), 'parameter combination')}: "
        f"{document.number(value)} with {chosen}"
    )
    if found.too_few:
        warn(f"dev: too few sentences to choose parameters by ({found.too_few})")
    if value is not None and found.constant is not None and value <= found.constant:
        warn(
            f"none has a better {grid.choose} on dev than calling everything biased "
            f"({document.number(found.constant)}); --choose mcc does not reward that"
        )
    return found


def _compare(task: training.Task, names: list[str]) -> None:
    """Train and judge models; show their scores."""
    from wikibias.models import report, training

    found = training.run_comparison(names, task, lambda name: echo(f"{name} done", err=True))
    if not is_quiet():
        for split in found.experiments[0].outcomes:
            show(*report.comparison_tables(found, split))
    for line in found.experiments[0].warnings():
        warn(line)


def _usable_models(task: training.Task) -> list[str]:
    """Return all models but those, with a warning, that lack something."""
    names = []
    for name in ESTIMATORS.names():
        estimator = ESTIMATORS[name]
        lacking = {*getattr(estimator, "needs", ())} - {*task.parameters.get(name, ())}
        reason = estimator.missing()
        if reason is None and lacking:
            reason = f"it needs --set {name}.{min(lacking)}=..."
        if reason is None:
            names.append(name)
        else:
            warn(f"left out {name}: {reason}")
    return names

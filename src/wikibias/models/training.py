"""Training and evaluation of one model, a grid search, several models, or several labels."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import load_config
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits import RESAMPLES
from wikibias.kits.evaluation import always_biased, score
from wikibias.kits.files import disk_errors, write_json
from wikibias.messages import counted, nearest
from wikibias.models import grid_search, model_folder, results
from wikibias.models import results as label_artifacts
from wikibias.models.estimators import label_models, registry
from wikibias.models.estimators.label_models import need_both
from wikibias.models.estimators.registry import HERE, LabelModel, Neural, Run, TwoStageLearner
from wikibias.models.evaluation import cross_validation
from wikibias.models.evaluation.experiment import (
    Experiment,
    LabelOutcome,
    as_dict,
    compared,
    cross_validated,
    judge,
    over_seeds,
    pairwise_accuracy,
    shortage,
    train_and_evaluate,
    training_of,
)
from wikibias.models.examples import (
    Examples,
    LabelledExamples,
    LabelledSplits,
    Splits,
    pooled,
    warn_of_shared_pages,
)
from wikibias.models.grid_search import Grid, Parameters
from wikibias.models.model_folder import JOURNAL, Journal, Row

_OPTIONS = {"vectors": "gru", "base": "encoder"}
_CHECKPOINTS = ".checkpoints"  # hidden: a folder with nothing else in it counts as empty


def parse_settings(given: Sequence[str]) -> dict[str, Any]:
    """Parse `name=value` texts: true, false, numbers and quoted texts as in TOML, else plain texts.

    Raises:
        UsageError: one is not NAME=VALUE, or a name is given twice.
    """
    found: dict[str, Any] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set: {each[:60]!r} is not NAME=VALUE, such as rate=2e-5")
        if name.strip() in found:
            raise UsageError(f"--set: {name.strip()[:60]!r} is given twice")
        found[name.strip()] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    try:
        found = tomllib.loads(f"value = {text}")["value"] if "\n" not in text else text
    except tomllib.TOMLDecodeError:
        return text
    return found if isinstance(found, (bool, int, float, str)) else text


def of_models(settings: Mapping[str, Any], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the parameters of each of several models, given as MODEL.NAME.

    Raises:
        UsageError: one names no model of them.
    """
    found: dict[str, dict[str, Any]] = {}
    for key, value in settings.items():
        model, dot, name = key.partition(".")
        if not dot or model not in names:
            raise UsageError(
                f"--set {key[:60]}: of several models give MODEL.NAME=VALUE{nearest(model, names)}"
            )
        found.setdefault(model, {})[name] = value
    return found


def with_options(
    settings: Mapping[str, Any], given: Mapping[str, Path | str | None], names: Sequence[str]
) -> dict[str, Any]:
    """Return settings with those that are options of their own, each a parameter of one model.

    Args:
        settings: what `parse_settings` returns.
        given: "vectors" for `gru`, "base" for `encoder`; None where the option is not given.
        names: the models of the command; of several, settings bear the name of theirs.

    Raises:
        UsageError: an option is given, and its model is not among them.
    """
    found = {}
    for option, value in given.items():
        model = _OPTIONS[option]
        if value is not None and model not in names:
            raise UsageError(
                f"--{option} is for --model {model}; {', '.join(names)[:100]} takes none"
            )
        if value is not None:
            found[option if len(names) == 1 else f"{model}.{option}"] = str(value)
    return {**found, **settings}


def placed(model: registry.Model, run: Run) -> registry.Model:
    """Say where a model is to be trained, if it trains as neural ones do.

    Raises:
        UsageError: a device is named, and the model knows none.
    """
    if isinstance(model, Neural):
        model.run = run
    elif run.device != HERE.device:
        raise UsageError(
            f"--device {run.device}: {model.name} knows no devices; leave the option out"
        )
    return model


class Maker:
    """Makes untrained models of one kind, each with a checkpoint of its own.

    The same command makes them in the same order, and so finds the checkpoints of a killed one.
    """

    def __init__(
        self,
        name: str,
        out: Path,
        parameters: Mapping[str, Any],
        *,
        stopwords: Sequence[str] = (),
        run: Run = HERE,
    ) -> None:
        """Make a maker.

        Args:
            name: of the estimator.
            out: the folder of the result, in which checkpoints lie.
            parameters: of the estimator.
            stopwords: see `registry.create`.
            run: where and how to train; only the first model says so.
        """
        self.name, self.out, self.parameters, self.stopwords = name, out, parameters, stopwords
        self._run, self._made = run, 0

    def make(self, seed: int) -> registry.Model:
        """Return an untrained model.

        Raises:
            UsageError: see `registry.create`.
        """
        model = registry.create(self.name, stopwords=self.stopwords, seed=seed, **self.parameters)
        return self.prepared(model)

    def prepared(self, model: registry.Model) -> registry.Model:
        """Say where a model is to be trained, if it trains as neural ones do."""
        checkpoint = self.out / _CHECKPOINTS / f"{self._made}"
        say = self._run.say if self._made == 0 else HERE.say
        self._made += 1
        return placed(model, replace(self._run, checkpoint=checkpoint, say=say))

    def restart(self) -> None:
        """Forget the models made, which were not to be trained."""
        self._made = 0

    def clear(self) -> None:
        """Remove the checkpoints, which a finished result needs no more.

        Raises:
            DiskError: they cannot be removed.
        """
        with disk_errors(self.out):
            if (self.out / _CHECKPOINTS).is_dir():
                shutil.rmtree(self.out / _CHECKPOINTS)


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
    results.write_experiment(experiment, task.splits, out or task.out, facts)
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
    results.check_folder(out)
    model = _beginning_with(task.first, _maker(name, task, parameters, out).make(task.seed))
    first = {} if task.first is None else results.data(Splits({"first": task.first}))
    facts = {
        "lang": task.lang,
        "stopwords": f"{len(task.stopwords)} of {task.lang}" if task.stopwords else None,
        "normalised": task.splits.train.normalised,
        "corpus": dict(task.splits.corpus),
        "data": {**results.data(task.splits), **first},
        "evaluation": {
            "cv": f"{task.cv}, {task.folds} folds" if task.cv else None,
            "seeds": task.seeds if task.seeds > 1 else None,
            "task": "pairs" if task.pairs else None,
        },
    }
    own = {"model": model.name, "seed": model.seed, "parameters": dict(model.parameters)}
    # Parameters come from a grid search, whose tables are in the folder by then.
    model_folder.check_model(
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
    results.check_folder(task.out)
    train, dev = task.splits.train, task.splits.by_name["dev"]
    train.need_both_labels()
    mark = grid_search.fingerprint(grid, combinations, (train, dev), task.stopwords, task.seed)
    model_folder.check_search(task.out, mark, overwrite=task.overwrite)
    with disk_errors(task.out):
        task.out.mkdir(parents=True, exist_ok=True)
        journal = Journal(task.out / JOURNAL, mark)
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
    results.write_grid(table, summary, task.out)
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
    results.check_folder(task.out)
    model_folder.check_comparison(task.out, names, overwrite=task.overwrite)
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


@dataclass(frozen=True, slots=True)
class LabelTask:
    """What to train on, how, and where to write it.

    Attributes:
        splits: the sentences.
        out: the folder of the result.
        first: sentences with noisier labels, to be learnt before those of train.
        lang: of the sentences.
        stopwords: of this language.
        parameters: of the model.
        seed: of training, folds and intervals.
        resamples: of the bootstrap.
        cv: one of `constants.GROUPINGS`, or None.
        folds: of it.
        overwrite: whether a model of other data or settings may be replaced.
        run: where to train.
    """

    splits: LabelledSplits
    out: Path
    first: LabelledExamples | None = None
    lang: str | None = None
    stopwords: Sequence[str] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    resamples: int = RESAMPLES
    cv: str | None = None
    folds: int = 5
    overwrite: bool = False
    run: Run = HERE


@dataclass(frozen=True, slots=True)
class LabelExperiment:
    """A trained model of several labels, its outcome for each split, and what to be warned of."""

    model: LabelModel
    names: Sequence[str]
    outcomes: Mapping[str, LabelOutcome]
    leaks: Sequence[str]
    few: Sequence[str]

    def warnings(self) -> list[str]:
        """Return what keeps scores from being a verdict, a line for each label of a split."""
        unscored = (
            "neither dev nor test has a sentence, so the model was not scored; --cv page scores it"
        )
        return [
            *self.few,
            *([] if self.outcomes else [unscored]),
            *(
                f"{split}, {name}: no sentence is judged by it"
                for split, outcome in self.outcomes.items()
                for name in outcome.names
                if name not in outcome.by_label
            ),
            *(
                f"{split}, {name}: too few sentences to judge by ({of.too_few})"
                for split, outcome in self.outcomes.items()
                for name, of in outcome.by_label.items()
                if of.too_few
            ),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the content of `scores.json`."""
        return {
            "model": self.model.name,
            "seed": self.model.seed,
            "task": "labels",
            "labels": list(self.names),
            **{name: as_dict(outcome) for name, outcome in self.outcomes.items()},
            **training_of(self.model),
            "warnings": [*self.leaks, *self.warnings()],
        }


def run_labels(name: str, task: LabelTask) -> LabelExperiment:
    """Train one model of several labels, judge it on dev and test, and write its folder.

    Raises:
        UsageError: unknown model or parameter, or the folder holds another model.
        WikibiasError: the model cannot learn from the data.
        DiskError: the folder cannot be written.
    """
    splits, train = task.splits, task.splits.by_name["train"]
    few = few_to_learn(train, splits.names)
    maker = Maker(name, task.out, task.parameters, stopwords=task.stopwords, run=task.run)
    facts = _checked_training(name, task, maker)
    shares = [float(train.of(column).biased.mean()) for column in range(len(splits.names))]
    options: dict[str, Any] = {"resamples": task.resamples, "seed": task.seed}
    model = _fitted(task, maker, train)
    outcomes = {
        split: judge(
            part, model.predict_labels(part.examples.texts), splits.names, shares, **options
        )
        for split, part in splits.held_out().items()
        if part.judged.any()
    }
    if task.cv is not None:
        outcomes["cv"] = _cross_validated(task, maker, shares, options)
    leaks: list[str] = []
    warn_of_shared_pages(splits.plain, leaks.append)
    experiment = LabelExperiment(model, splits.names, outcomes, leaks, few)
    label_artifacts.write_labels(model, experiment.as_dict(), outcomes, task.out, facts)
    maker.clear()
    return experiment


def few_to_learn(train: LabelledExamples, names: Sequence[str]) -> list[str]:
    """Return a warning for each label of which train has few sentences.

    Raises:
        WikibiasError: it has none with a label, or none without.
    """
    enough = load_config().scores.min_per_class
    found = []
    for column, name in enumerate(names):
        truth = train.of(column).biased
        need_both(name, truth)
        if int(truth.sum()) < enough:
            found.append(
                f"train, {name}: {counted(int(truth.sum()), 'sentence')} to learn it from; under "
                f"{enough} a model says little"
            )
    return found


def data(parts: Mapping[str, LabelledExamples]) -> dict[str, dict[str, Any]]:
    """Return each split's source, size and digest of sentences and labels."""
    return {
        name: {
            "source": part.examples.name,
            "sentences": len(part),
            "biased": int(part.examples.biased.sum()),
            "sha256": sha256(
                "\n".join(part.examples.texts).encode("utf-8", "surrogatepass")
                + part.labels.tobytes()
                + part.judged.tobytes()
            ).hexdigest(),
        }
        for name, part in parts.items()
    }


def _checked_training(name: str, task: LabelTask, maker: Maker) -> dict[str, Any]:
    """Return what the description says beside the model; make sure that it may be written."""
    results.check_folder(task.out)
    model = registry.create(name, stopwords=task.stopwords, seed=task.seed, **task.parameters)
    maker.prepared(model)
    maker.restart()
    if task.first is not None and not isinstance(model, TwoStageLearner):
        raise UsageError(f"--train-first: {name} learns in one stage; leave the option out")
    first = {} if task.first is None else {"first": task.first}
    facts = {
        "labels": list(task.splits.names),
        "lang": task.lang,
        "stopwords": f"{len(task.stopwords)} of {task.lang}" if task.stopwords else None,
        "normalised": False,
        "corpus": dict(task.splits.corpus),
        "data": data({**task.splits.by_name, **first}),
        "evaluation": {
            "cv": f"{task.cv}, {task.folds} folds" if task.cv else None,
            "task": "labels",
        },
    }
    own = {"model": model.name, "seed": model.seed, "parameters": dict(model.parameters)}
    model_folder.check_model(task.out, {**facts, **own}, overwrite=task.overwrite)
    return facts


def _fitted(task: LabelTask, maker: Maker, sentences: LabelledExamples) -> LabelModel:
    def prepare(model: registry.Model) -> registry.Model:
        maker.prepared(model)
        if task.first is not None and isinstance(model, TwoStageLearner):
            first = task.first
            model.begin_with(first.examples.texts, first.labels, first.judged)
        return model

    model = label_models.create(
        maker.name, stopwords=task.stopwords, seed=task.seed, prepare=prepare, **task.parameters
    )
    names = task.splits.names
    model.fit_labels(sentences.examples.texts, sentences.labels, sentences.judged, names)
    return model


def _cross_validated(
    task: LabelTask, maker: Maker, shares: Sequence[float], options: Mapping[str, Any]
) -> LabelOutcome:
    """Judge on all splits together, each sentence by a model that has not seen its group."""
    everything = pooled(task.splits, cross_validation.pooled(task.splits.plain))
    groups = cross_validation.grouping(everything.examples, str(task.cv))
    stratified = replace(everything.examples, biased=_most_even(everything))
    probabilities = np.zeros(everything.labels.shape)
    parts = cross_validation.folds(stratified, groups, task.folds, task.seed, str(task.cv))
    for train, held_out in parts:
        model = _fitted(task, maker, everything.rows(train))
        texts = [everything.examples.texts[row] for row in held_out.tolist()]
        probabilities[held_out] = model.predict_labels(texts)
    return judge(everything, probabilities, task.splits.names, shares, groups=groups, **options)


def _most_even(sentences: LabelledExamples) -> NDArray[np.bool_]:
    """Return by what to stratify folds: any label, or where all or few have one, the evenest."""
    columns = [sentences.examples.biased, *sentences.labels.T]
    return np.asarray(min(columns, key=lambda truth: abs(float(truth.mean()) - 0.5)))

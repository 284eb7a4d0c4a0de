"""Trains a model of several labels, judges it on held-out sentences, and writes its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.thresholds import load_config
from wikibias.errors import UsageError
from wikibias.kits import RESAMPLES
from wikibias.messages import counted
from wikibias.models import artifacts, replacing
from wikibias.models.estimators import label_models, registry
from wikibias.models.estimators.label_models import need_both
from wikibias.models.estimators.registry import LabelModel, TwoStageLearner
from wikibias.models.evaluation import cross_validation
from wikibias.models.evaluation.experiment import training_of
from wikibias.models.examples import warn_of_shared_pages
from wikibias.models.labels import artifacts as label_artifacts
from wikibias.models.labels.examples import LabelledExamples, LabelledSplits, pooled
from wikibias.models.labels.judging import LabelOutcome, as_dict, judge
from wikibias.models.making import Maker
from wikibias.research.neural.runs import HERE, Run


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
    facts = _checked(name, task, maker)
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
    label_artifacts.write(model, experiment.as_dict(), outcomes, task.out, facts)
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


def _checked(name: str, task: LabelTask, maker: Maker) -> dict[str, Any]:
    """Return what the description says beside the model; make sure that it may be written."""
    artifacts.check_folder(task.out)
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
    replacing.check_model(task.out, {**facts, **own}, overwrite=task.overwrite)
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

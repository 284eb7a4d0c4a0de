"""Finds estimators by name; creates, saves and loads models.

Imports no heavy library, so that the command line can list the names at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, cast, get_args, runtime_checkable

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.checked import bounds, hints_of, unannotated
from wikibias.kits.folders import ResultFolder
from wikibias.kits.plugins import Registry
from wikibias.messages import nearest
from wikibias.models.trained import Trainable, TrainedModels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wikibias.models.examples import Examples

MODEL = ResultFolder("model", 1, "wikibias classify")
OWN: Mapping[str, str] = {
    "sgd": "wikibias.models.estimators.pipelines:Sgd",
    "lr": "wikibias.models.estimators.pipelines:Lr",
    "char-lr": "wikibias.models.estimators.pipelines:CharLr",
    "nb-lr": "wikibias.models.estimators.pipelines:NbLr",
    "pair-lr": "wikibias.models.estimators.pair_lr:PairLr",
    "majority": "wikibias.models.estimators.pipelines:Majority",
    "fasttext": "wikibias.models.estimators.fasttext:FastText",
    "encoder": "wikibias.research.neural.encoder:Encoder",
    "gru": "wikibias.research.neural.gru_model:Gru",
}
"""The estimators of this package, in the order in which `--compare` shows them."""


class Model(Trainable, Protocol):
    """A classifier of biased sentences; `docs/how-to/extend.md` shows how to add one.

    Its class is called with `stopwords`, `seed` and the parameters, all by name.
    """

    def fit(self, texts: Sequence[str], biased: NDArray[np.bool_]) -> Self:
        """Learn from sentences and whether each is biased."""
        ...

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 is the decision."""
        ...


@runtime_checkable
class PairLearner(Protocol):
    """What a model has that can learn from which side of an edit is the biased one."""

    def fit_pairs(
        self, texts: Sequence[str], biased: NDArray[np.bool_], edits: NDArray[np.int64]
    ) -> Self:
        """Learn from sentences, whether each is biased, and the number of the edit of each."""
        ...


@runtime_checkable
class TwoStageLearner(Protocol):
    """What a model has that can learn many noisy labels first, then few clean ones."""

    def begin_with(
        self, texts: Sequence[str], labels: NDArray[np.bool_], judged: NDArray[np.bool_]
    ) -> Self:
        """Take sentences to learn before those of `fit` or `fit_labels`; see there.

        Of `fit` there is one label.
        """
        ...


@runtime_checkable
class LabelLearner(Protocol):
    """What a model has that learns several labels at once.

    Any other model learns one label after another: see `label_models`.
    """

    def fit_labels(
        self,
        texts: Sequence[str],
        labels: NDArray[np.bool_],
        judged: NDArray[np.bool_],
        names: Sequence[str],
    ) -> Self:
        """Learn from sentences.

        Args:
            texts: the sentences.
            labels: which labels each has, sentences by labels.
            judged: of which labels that is known, likewise; nothing is to be learnt of the others.
            names: of the labels.
        """
        ...

    def predict_labels(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability of each label, sentences by labels."""
        ...


class LabelModel(LabelLearner, Trainable, Protocol):
    """A classifier of sentences by several labels: a `LabelLearner`, or several models."""


AnyModel = Model | LabelModel


CLASSIFIERS: TrainedModels[Model] = TrainedModels(MODEL, "wikibias.estimators", OWN)
ESTIMATORS: Registry[type[Model]] = CLASSIFIERS.registry


def create(name: str, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> Model:
    """Return an untrained model.

    Raises:
        UsageError: no such model, it has no such parameter, or a library that it needs is missing.
    """
    estimator = CLASSIFIERS.installed(name)
    try:
        inspect.signature(estimator).bind(stopwords=stopwords, seed=seed, **parameters)
    except TypeError as error:
        raise UsageError(f"model {name!r}: {error}") from error
    return estimator(stopwords=stopwords, seed=seed, **parameters)  # type: ignore[call-arg]


def fit(model: AnyModel, examples: Examples) -> AnyModel:
    """Train a model: on several labels where there are, by pairs where it can and edits are known.

    Returns the model.
    """
    texts, biased = examples.texts, examples.biased
    if examples.names:
        labels, judged = examples.labels, examples.judged
        cast(LabelModel, model).fit_labels(texts, labels, judged, examples.names)
    elif examples.edits is not None and isinstance(model, PairLearner):
        model.fit_pairs(texts, biased, examples.edits)
    else:
        cast(Model, model).fit(texts, biased)
    return model


def probabilities(
    model: AnyModel, texts: Sequence[str], *, several: bool = False
) -> NDArray[np.float64]:
    """Return the probability of bias of each sentence; of several labels, sentences by labels."""
    if several:
        return cast(LabelModel, model).predict_labels(texts)
    return cast(Model, model).predict_proba(texts)


def load(folder: Path) -> Model:
    """Read a model of one label.

    Raises:
        UsageError: a library that the model needs is missing.
        WikibiasError: it is one of several labels; or see `TrainedModels.load`.
    """
    if labels_of(MODEL.describe(folder)):
        raise WikibiasError(f"{folder}: a model of several labels, not of one")
    return CLASSIFIERS.load(folder)[0]


def labels_of(described: Mapping[str, Any]) -> list[str]:
    """Return the labels of a model of several by its description; none of a model of one."""
    found = described.get("labels")
    return [str(label) for label in found] if isinstance(found, list) else []


def check_parameters(name: str, function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Check that the function of the model `name` takes all `given` parameters.

    Raises:
        UsageError: it lacks one; the message names the nearest.
    """
    every = inspect.signature(function).parameters.values()
    known = [each.name for each in every if each.kind is each.KEYWORD_ONLY]
    for key in given:
        if key not in known:
            raise UsageError(f"model {name!r} has no parameter {key!r}{nearest(key, known)}")


def check_values(name: str, declared: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Check that all `given` parameters are declared, and their values as their types say.

    Args:
        name: of the model.
        declared: a dataclass or function whose parameters have types, numbers with bounds.
        given: value of each parameter.

    Raises:
        UsageError: one is not; the message says what it may be.
    """
    check_parameters(name, declared, given)
    for key, value in given.items():
        hint = hints_of(declared)[key]
        kind, (low, high) = unannotated(hint)[0], bounds(hint)
        choices = (False, True) if kind is bool else get_args(kind)
        if choices and value not in choices:
            known = ", ".join(str(one).lower() for one in choices)
            raise UsageError(f"{name}: {key} must be one of {known}")
        if low is not None and (type(value) not in {int, kind} or not low <= value <= high):
            raise UsageError(f"{name}: {key} must be a number from {low:,g} to {high:,g}")
        if kind is str and not isinstance(value, str):
            raise UsageError(f"{name}: {key} must be a text")


DEVICES = ("auto", "cpu", "cuda")
"""What `--device` takes; auto is the GPU where there is one."""


def _silent(line: str) -> None:
    del line


@dataclass(frozen=True, slots=True)
class Run:
    """Where and how a model is trained.

    Attributes:
        device: one of `DEVICES`.
        checkpoint: the folder of its checkpoint, from which a killed training goes on; None keeps
            none.
        overwrite: whether a checkpoint of other data or settings may be replaced.
        say: takes a line for people: what it trains on, from where it goes on.
    """

    device: str = "auto"
    checkpoint: Path | None = None
    overwrite: bool = False
    say: Callable[[str], None] = _silent

    def part(self, name: str) -> Run:
        """Return the run of one of several trainings, with a checkpoint of its own."""
        if self.checkpoint is None:
            return self
        return replace(self, checkpoint=self.checkpoint / name)


HERE = Run()
"""The best device, without a checkpoint."""


@runtime_checkable
class Neural(Protocol):
    """What an estimator has that trains in `training_loop`.

    Attributes:
        run: where and how to train; the command sets it before `fit`.
        trained: how the training went, as JSON, with at least `device` and `precision`; empty
            before `fit`.
    """

    run: Run
    trained: Mapping[str, Any]

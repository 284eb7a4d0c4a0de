"""Finds estimators by name; creates, saves and loads models.

Imports no heavy library, so that the command line can list the names at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import disk_errors
from wikibias.kits.folders import ResultFolder, is_file_name
from wikibias.kits.plugins import Registry
from wikibias.messages import nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = ResultFolder("model", 1, "wikibias classify")
DESCRIPTION = MODEL.description
OWN: Mapping[str, str] = {
    "sgd": "wikibias.models.estimators.pipelines:Sgd",
    "lr": "wikibias.models.estimators.pipelines:Lr",
    "char-lr": "wikibias.models.estimators.pipelines:CharLr",
    "nb-lr": "wikibias.models.estimators.pipelines:NbLr",
    "pair-lr": "wikibias.models.estimators.pair_lr:PairLr",
    "majority": "wikibias.models.estimators.pipelines:Majority",
    "nearest": "wikibias.models.estimators.pipelines:Nearest",
    "fasttext": "wikibias.models.estimators.fasttext:FastText",
    "encoder": "wikibias.research.neural.encoder:Encoder",
    "gru": "wikibias.research.neural.gru_model:Gru",
}
"""The estimators of this package, in the order in which `--compare` shows them."""


class Model(Protocol):
    """A classifier of biased sentences; `docs/how-to/extend.md` shows how to add one.

    Its class is called with `stopwords`, `seed` and the parameters, all by name.
    """

    name: str
    seed: int
    parameters: dict[str, Any]

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        ...

    def fit(self, texts: Sequence[str], biased: NDArray[np.bool_]) -> Self:
        """Learn from sentences and whether each is biased."""
        ...

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 is the decision."""
        ...

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the model; return what else `load` needs, as JSON."""
        ...

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read the model that `save` wrote, given its description."""
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


@runtime_checkable
class Attentive(Protocol):
    """What a model has that says how much it attends to each word."""

    def attention(self, texts: Sequence[str]) -> list[list[tuple[tuple[int, int], float]]]:
        """Return where the words of each sentence stand, and their shares, which add up to 1."""
        ...


class LabelModel(LabelLearner, Protocol):
    """A classifier of sentences by several labels: a `LabelLearner`, or several models."""

    name: str
    seed: int
    parameters: dict[str, Any]

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the model; return what else is needed to load it, as JSON."""
        ...


ESTIMATORS: Registry[type[Model]] = Registry("model", "wikibias.estimators", OWN)


def installed(name: str) -> type[Model]:
    """Return the estimator of a name.

    Raises:
        UsageError: nobody has registered the name, or a library that it needs is missing.
    """
    estimator = ESTIMATORS[name]
    missing = estimator.missing()
    if missing:
        raise UsageError(missing)
    return estimator


def create(name: str, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> Model:
    """Return an untrained model.

    Raises:
        UsageError: no such model, it has no such parameter, or a library that it needs is missing.
    """
    estimator = installed(name)
    try:
        inspect.signature(estimator).bind(stopwords=stopwords, seed=seed, **parameters)
    except TypeError as error:
        raise UsageError(f"model {name!r}: {error}") from error
    return estimator(stopwords=stopwords, seed=seed, **parameters)  # type: ignore[call-arg]


def fit(
    model: Model,
    texts: Sequence[str],
    biased: NDArray[np.bool_],
    edits: NDArray[np.int64] | None = None,
) -> Model:
    """Train a model: by pairs where it can, and the edit of each sentence is known."""
    if edits is not None and isinstance(model, PairLearner):
        model.fit_pairs(texts, biased, edits)
    else:
        model.fit(texts, biased)
    return model


def save(model: Model | LabelModel, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write a model and its description to a folder, with further `facts` about its training.

    The files of a model that stood there before go, unless the new one has files of these names.

    Raises:
        DiskError: the description cannot be written.
    """
    before: set[Any] = set()
    with suppress(WikibiasError, TypeError):
        before = set(MODEL.describe(folder).get("files", ()))
    own = {"model": model.name, "seed": model.seed, "parameters": dict(model.parameters)}
    MODEL.save(folder, lambda scratch: {**own, **model.save(scratch)}, facts)
    with disk_errors(folder):
        for name in filter(is_file_name, before - {*MODEL.describe(folder)["files"], DESCRIPTION}):
            (folder / name).unlink(missing_ok=True)


def describe(folder: Path) -> dict[str, Any]:
    """Read a model's description.

    Raises:
        WikibiasError: the folder holds no model, one of another version, or a damaged one.
    """
    below = [
        str(path.parent)
        for pattern in ("*", "models/*", "models/*/*")
        for path in sorted(folder.glob(f"{pattern}/{DESCRIPTION}"))
    ]
    if below and not (folder / DESCRIPTION).exists():
        raise WikibiasError(
            f"{folder}: no {DESCRIPTION} in it; give a model's folder: {', '.join(below[:5])}"
        )
    return MODEL.describe(folder)


def is_model(folder: Path) -> bool:
    """Return whether a folder holds a model, of any version, or what is left of one."""
    return MODEL.is_ours(folder)


def load(folder: Path) -> Model:
    """Read a model that `save` wrote.

    Raises:
        UsageError: a library that the model needs is missing.
        WikibiasError: the package that adds the model is missing; or see `describe`.
    """
    described = describe(folder)
    if labels_of(described):
        raise WikibiasError(f"{folder}: a model of several labels, not of one")
    with damage_named(folder):
        return estimator_of(folder, described).load(folder, described)


def labels_of(described: Mapping[str, Any]) -> list[str]:
    """Return the labels of a model of several by its description; none of a model of one."""
    found = described.get("labels")
    return [str(label) for label in found] if isinstance(found, list) else []


def estimator_of(folder: Path, described: Mapping[str, Any]) -> type[Model]:
    """Return the estimator that a description names.

    Raises:
        UsageError: a library that it needs is missing.
        WikibiasError: the package that adds it is missing.
    """
    name = str(described["model"])
    if name not in ESTIMATORS:
        raise WikibiasError(
            f"{folder / DESCRIPTION}: nothing installed adds a model {name!r}; install the package "
            "that does"
        )
    return installed(name)


@contextmanager
def damage_named(folder: Path) -> Iterator[None]:
    """Turn what a model raises whose description is damaged into a WikibiasError."""
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:
        raise WikibiasError(
            f"{folder / DESCRIPTION}: damaged ({type(error).__name__}: {error})"
        ) from error


def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the parameters that a function takes, with their defaults."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def check_parameters(name: str, function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Check that the function of the model `name` takes all `given` parameters.

    Raises:
        UsageError: it lacks one; the message names the nearest.
    """
    known = defaults(function)
    for key in given:
        if key not in known:
            raise UsageError(f"model {name!r} has no parameter {key!r}{nearest(key, known)}")


def check_values(
    name: str,
    given: Mapping[str, Any],
    limits: Mapping[str, tuple[float, float]],
    choices: Mapping[str, Sequence[Any]],
) -> None:
    """Check the values of the parameters that are given.

    Args:
        name: of the model.
        given: value of each parameter.
        limits: lowest and highest number; those with whole limits take whole numbers only.
        choices: values that a parameter takes.

    Raises:
        UsageError: a value is none of them; texts without choices are not checked.
    """
    for key, value in given.items():
        if key in choices and not any(value is one or value == one for one in choices[key]):
            known = ", ".join(str(one).lower() for one in choices[key])
            raise UsageError(f"{name}: {key} must be one of {known}")
        if key in limits:
            low, high = limits[key]
            kinds = (int,) if isinstance(low, int) else (int, float)
            if type(value) not in kinds or not low <= value <= high:
                raise UsageError(f"{name}: {key} must be a number from {low:,g} to {high:,g}")


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

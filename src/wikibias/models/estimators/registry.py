"""Models by name: what is asked of them, created, saved to folders of their own, and loaded.

Imports no heavy library, so that the command line can list the names at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Protocol,
    Self,
    TypeVar,
    cast,
    get_args,
    runtime_checkable,
)

from wikibias.errors import UsageError, WikibiasError, nearest
from wikibias.kits import document, files
from wikibias.kits.checked import bounds, hints_of, unannotated
from wikibias.kits.folders import CARD, ResultFolder
from wikibias.kits.plugins import Registry, check_arguments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wikibias.models.examples import Examples


class Trainable(Protocol):
    """A model whose class is called with `seed` and its parameters, all by name.

    What is defined here is that of a model that needs no library and has no file.
    """

    name: str
    seed: int
    parameters: dict[str, Any]

    @classmethod
    def missing(cls) -> str | None:
        """Return what to install and how, or None where everything needed is installed."""
        return None

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the model; return what else `load` needs, as JSON."""
        return {}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote, given its description."""


M = TypeVar("M", bound=Trainable)


class TrainedModels(Generic[M]):
    """Models of one kind: found by name, created, saved to a folder of their own, and loaded.

    Args:
        folder: what their folders hold.
        group: the group of entry points in which other packages add theirs.
        own: name -> "module:class" of our own, imported only when asked for.
    """

    def __init__(self, folder: ResultFolder, group: str, own: Mapping[str, str]) -> None:
        self.folder = folder
        self.registry = Registry[type[M]](folder.kind, group, own, "name missing save load")

    def installed(self, name: str) -> type[M]:
        """Return the class of a name.

        Raises:
            UsageError: nobody has registered the name, or a library that it needs is missing.
        """
        model = self.registry[name]
        if missing := model.missing():
            raise UsageError(missing)
        return model

    def create(self, name: str, **parameters: Any) -> M:
        """Return an untrained model.

        Raises:
            UsageError: no such model, it has no such parameter, or a library is missing.
        """
        model = self.installed(name)
        check_arguments(f"{self.folder.kind} {name!r}", model, {*parameters})
        return model(**parameters)

    def save(
        self,
        model: Trainable,
        folder: Path,
        facts: Mapping[str, Any],
        card: Callable[[Mapping[str, Any]], document.Document] | None = None,
    ) -> dict[str, Any]:
        """Write a model in place of another, with further `facts`; return its description.

        Args:
            model: what to write.
            folder: where to.
            facts: for the description.
            card: returns the card, given the description.

        Raises:
            DiskError: the folder cannot be written.
        """

        def save(temporary: Path) -> dict[str, Any]:
            known = {
                self.folder.kind: model.name,
                "seed": model.seed,
                "parameters": dict(model.parameters),
            }
            return known | model.save(temporary)

        self.folder.save(folder, save, facts)
        described = self.folder.describe(folder)
        if card is not None:
            files.write_text(folder / CARD, document.markdown(card(described)))
        return described

    def load(
        self, folder: Path, read: Callable[[Path, Mapping[str, Any]], M] | None = None
    ) -> tuple[M, dict[str, Any]]:
        """Read a model that `save` wrote, and its description, once its files are as they were.

        Args:
            folder: of the model.
            read: reads the files, given the description; by default the model's class does.

        Raises:
            UsageError: a library that it needs is missing.
            WikibiasError: a file is not the one whose checksum the description has; the package
                that adds the model is missing; or see `ResultFolder.describe`.
        """
        described = self.folder.describe(folder)
        with self.folder.naming_damage(folder):
            self.folder.verify(folder, described.get("files", {}))  # older ones noted none
            found = (read or self.of(folder, described).load)(folder, described)
        return found, described

    def of(self, folder: Path, described: Mapping[str, Any]) -> type[M]:
        """Return the class of a model by its description.

        Raises:
            UsageError: a library that it needs is missing.
            WikibiasError: the package that adds it is missing.
        """
        what = self.folder.kind
        name = str(described[what])
        if name not in self.registry:
            raise WikibiasError(
                f"{folder / self.folder.description}: nothing installed adds a {what} {name!r}; "
                "install the package that does"
            )
        return self.installed(name)


MODEL = ResultFolder("model", 1, "wikibias classify")
OWN: Mapping[str, str] = {
    "sgd": "wikibias.models.estimators.pipelines:Sgd",
    "lr": "wikibias.models.estimators.pipelines:Lr",
    "char-lr": "wikibias.models.estimators.pipelines:CharLr",
    "nb-lr": "wikibias.models.estimators.pipelines:NbLr",
    "pair-lr": "wikibias.models.estimators.pipelines:PairLr",
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

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence is biased; over 0.5 is the decision."""


@runtime_checkable
class WeightedLearner(Protocol):
    """What a model has that can learn more of some sentences than of others."""

    def fit_weighted(
        self, texts: Sequence[str], biased: NDArray[np.bool_], weights: NDArray[np.float64]
    ) -> Self:
        """Learn from sentences, whether each is biased, and how much each counts."""


@runtime_checkable
class PairLearner(Protocol):
    """What a model has that can learn from which side of an edit is the biased one."""

    def fit_pairs(
        self, texts: Sequence[str], biased: NDArray[np.bool_], edits: NDArray[np.int64]
    ) -> Self:
        """Learn from sentences, whether each is biased, and the number of the edit of each."""


@runtime_checkable
class TwoStageLearner(Protocol):
    """What a model has that can learn many noisy labels first, then few clean ones."""

    def begin_with(
        self, texts: Sequence[str], labels: NDArray[np.bool_], judged: NDArray[np.bool_]
    ) -> Self:
        """Take sentences to learn before those of `fit` or `fit_labels`; see there.

        Of `fit` there is one label.
        """


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

    def predict_labels(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability of each label, sentences by labels."""


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
    elif examples.weights is not None:
        cast(WeightedLearner, model).fit_weighted(texts, biased, examples.weights)
    elif examples.edits is not None and isinstance(model, PairLearner):
        model.fit_pairs(texts, biased, examples.edits)
    else:
        cast(Model, model).fit(texts, biased)
    return model


def probabilities(
    model: AnyModel, texts: Sequence[str], *, several: bool = False
) -> NDArray[np.float64]:
    """Return the probability of bias of each sentence; of several labels, sentences by labels.

    Raises:
        WikibiasError: a model of another package gives something else.
    """
    import numpy as np

    if several:
        return cast(LabelModel, model).predict_labels(texts)
    found = np.asarray(cast(Model, model).predict_proba(texts), np.float64)
    if found.shape != (len(texts),) or not np.all((found >= 0) & (found <= 1)):
        raise WikibiasError(
            f"the model {model.name!r} gives no probability from 0 to 1 for each sentence; mend "
            "its predict_proba"
        )
    return found


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


METRIC_TITLES: Mapping[str, str] = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "accuracy": "Accuracy",
    "mcc": "MCC",
    "roc_auc": "ROC-AUC",
    "average_precision": "Average precision",
    "brier": "Brier score (lower is better)",
}
METRICS = tuple(METRIC_TITLES)
"""Precision, recall and F1 are those of the biased class; see `evaluation.metrics`."""
CHOICES = tuple(metric for metric in METRICS if metric != "brier")
"""Metrics that a grid search can choose by. A margin has no Brier score; see `search`."""
GROUPINGS = ("page", "group", "pair", "near-duplicate", "random")
"""What stays in one fold of a cross-validation: a page, a group of pairs (what their column --group
says), an edit (both sides), near-duplicates, or nothing."""
ORDER_ONLY = frozenset({"pair-lr"})
"""Models whose scores, learnt from edits, put sentences in an order and are no probabilities."""

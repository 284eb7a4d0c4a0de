"""Models of several labels: one that learns them at once, else a model for each label."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError
from wikibias.kits.folders import is_file_name
from wikibias.messages import counted
from wikibias.models.estimators import registry
from wikibias.models.estimators.registry import LabelLearner, LabelModel, Model


def create(
    name: str,
    *,
    stopwords: Sequence[str] = (),
    seed: int = 0,
    prepare: Callable[[Model], Model] = lambda model: model,
    **parameters: Any,
) -> LabelModel:
    """Return an untrained model of several labels.

    Args:
        name: of the estimator.
        stopwords: see `registry.create`.
        seed: see `registry.create`.
        prepare: what to do with each model before it is trained.
        parameters: of the estimator.

    Raises:
        UsageError: see `registry.create`.
    """

    def make() -> Model:
        return registry.create(name, stopwords=stopwords, seed=seed, **parameters)

    if issubclass(registry.installed(name), LabelLearner):
        return cast(LabelModel, prepare(make()))
    return OneByOne(make(), lambda: prepare(make()))


def load(folder: Path) -> LabelModel:
    """Read a model of several labels that `registry.save` wrote.

    Raises:
        UsageError: a library that the model needs is missing.
        WikibiasError: it is a model of one label; or see `registry.load`.
    """
    described = registry.describe(folder)
    if not registry.labels_of(described):
        raise WikibiasError(f"{folder}: a model of one label, not of several")
    with registry.damage_named(folder):
        estimator = registry.estimator_of(folder, described)
        if issubclass(estimator, LabelLearner):
            return cast(LabelModel, estimator.load(folder, described))
        return OneByOne.load(folder, described, estimator)


class OneByOne:
    """A model for each label, trained on the sentences that are judged by it."""

    def __init__(self, like: Model, make: Callable[[], Model]) -> None:
        """Make one of models like that given, which `make` makes."""
        self.name, self.seed, self.parameters = like.name, like.seed, like.parameters
        self._make = make
        self._models: list[Model] = []

    def fit_labels(
        self,
        texts: Sequence[str],
        labels: NDArray[np.bool_],
        judged: NDArray[np.bool_],
        names: Sequence[str],
    ) -> Self:
        """Learn the labels of sentences; see `registry.LabelLearner`."""
        self._models = []
        for column, name in enumerate(names):
            rows = np.flatnonzero(judged[:, column]).tolist()
            truth = labels[rows, column]
            need_both(name, truth)
            self._models.append(self._make().fit([texts[row] for row in rows], truth))
        return self

    def predict_labels(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability of each label for each sentence."""
        columns = [model.predict_proba(texts) for model in self._models]
        return np.stack(columns, axis=1) if columns else np.zeros((len(texts), 0))

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the files of each model, with its number before their names."""
        described = []
        for number, model in enumerate(self._models):
            with tempfile.TemporaryDirectory(dir=folder) as temporary:
                facts = model.save(Path(temporary))
                files = sorted(path.name for path in Path(temporary).iterdir())
                for name in files:
                    (Path(temporary) / name).replace(folder / f"{number}-{name}")
            described.append({"files": files, **facts})
        return {"models": described}

    @classmethod
    def load(cls, folder: Path, described: Mapping[str, Any], estimator: type[Model]) -> OneByOne:
        """Read what `save` wrote.

        Raises:
            WikibiasError: a file is missing or damaged.
        """
        seed, parameters = int(described["seed"]), described["parameters"]

        def make() -> Model:
            return estimator(seed=seed, **parameters)  # type: ignore[call-arg]

        found = cls(make(), make)
        for number, facts in enumerate(described["models"]):
            with tempfile.TemporaryDirectory() as temporary:
                for name in facts["files"]:
                    _copy(folder, f"{number}-{name}", Path(temporary) / name)
                found._models.append(estimator.load(Path(temporary), {**described, **facts}))
        return found


def need_both(name: str, truth: NDArray[np.bool_]) -> None:
    """Raise WikibiasError if a label is there in none of the sentences to learn from, or in all."""
    held = int(truth.sum())
    if held in (0, len(truth)):
        which = "none" if not held else "every one"
        raise WikibiasError(
            f"label {name}: {which} of {counted(len(truth), 'sentence')} that train judges by it "
            "has it; training needs some with it and some without"
        )


def _copy(folder: Path, name: str, target: Path) -> None:
    if not is_file_name(name) or not is_file_name(target.name):
        raise WikibiasError(f"{folder}: its description names no file of it: {name[:80]!r}")
    try:
        shutil.copyfile(folder / name, target)
    except OSError as error:
        raise WikibiasError(f"{folder / name}: cannot be read ({error.strerror})") from error

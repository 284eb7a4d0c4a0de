"""Models of several labels that learn one label after the other: a model for each."""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import WikibiasError, counted
from wikibias.models.estimators import registry


def load(folder: Path) -> tuple[registry.AnyModel, dict[str, Any]]:
    """Read a model of one label or of several, and its description; see `TrainedModels.load`."""

    def read(folder: Path, described: Mapping[str, Any]) -> Any:
        estimator = registry.CLASSIFIERS.of(folder, described)
        at_once = not registry.labels_of(described) or issubclass(estimator, registry.LabelLearner)
        return (estimator if at_once else OneByOne).load(folder, described)

    return registry.CLASSIFIERS.load(folder, read)


class OneByOne(registry.Trainable):
    """A model for each label, trained on the sentences that are judged by it.

    Args:
        like: a model as those for the labels.
        make: makes them.
    """

    def __init__(self, like: registry.Model, make: Callable[[], registry.Model]) -> None:
        self.name, self.seed, self.parameters = like.name, like.seed, like.parameters
        self._make = make
        self._models: list[registry.Model] = []

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
    def load(cls, folder: Path, described: Mapping[str, Any]) -> Self:
        """Read what `save` wrote.

        Raises:
            WikibiasError: the description names a file that is not the model's.
        """
        like = registry.create(
            described["model"], seed=int(described["seed"]), **described["parameters"]
        )
        found = cls(like, lambda: like)
        for number, facts in enumerate(described["models"]):
            with tempfile.TemporaryDirectory() as temporary:
                for name in facts["files"]:
                    if (own := f"{number}-{name}") not in described["files"]:
                        raise WikibiasError(
                            f"{folder}: its description names no file of it: {own[:80]!r}"
                        )
                    shutil.copyfile(folder / own, Path(temporary) / name)
                found._models.append(type(like).load(Path(temporary), {**described, **facts}))
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

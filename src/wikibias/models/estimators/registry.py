"""The models by name, and how one is described on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import nearest
from wikibias.models.constants import MODELS
from wikibias.models.estimators.fasttext import FastText
from wikibias.models.estimators.linear import Linear
from wikibias.models.estimators.pipelines import RECIPES

DESCRIPTION = "model.json"
FORMAT = "wikibias-model/1"


class Model(Protocol):
    """A classifier of biased sentences. To add one, see `docs/classify.md`."""

    name: str
    seed: int
    parameters: dict[str, Any]

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


def create(name: str, *, stopwords: Sequence[str] = (), seed: int = 0, **parameters: Any) -> Model:
    """Return an untrained model.

    Raises:
        UsageError: no such model, or it has no such parameter; the message names the nearest.
    """
    if name == FastText.name:
        return FastText(seed=seed, **parameters)
    if name not in RECIPES:
        raise UsageError(f"unknown model {name!r}{nearest(name, MODELS)}")
    return Linear(name, stopwords=stopwords, seed=seed, **parameters)


def save(model: Model, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write a model and its description to a folder, with further `facts` about its making."""
    folder.mkdir(parents=True, exist_ok=True)
    description = {
        "format": FORMAT,
        "model": model.name,
        "seed": model.seed,
        "parameters": dict(model.parameters),
        **model.save(folder),
        **facts,
    }
    text = json.dumps(description, ensure_ascii=False, indent=2) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def describe(folder: Path) -> dict[str, Any]:
    """Read a model's description.

    Raises:
        WikibiasError: the folder holds no model, one of another version, or a damaged one.
    """
    path = folder / DESCRIPTION
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise WikibiasError(
            f"{folder}: no {DESCRIPTION} in it; give the folder that `wikibias classify --out` made"
        ) from error
    except ValueError as error:
        raise WikibiasError(f"{path}: damaged ({error})") from error
    if not isinstance(described, dict) or described.get("format") != FORMAT:
        raise WikibiasError(f"{path}: not the description of a model of this version ({FORMAT})")
    return described


def load(folder: Path) -> Model:
    """Read a model that `save` wrote.

    Raises:
        WikibiasError: see `describe`.
    """
    described = describe(folder)
    try:
        if described["model"] == FastText.name:
            return FastText.load(folder, described)
        return Linear.load(folder, described)
    except (ValueError, KeyError, TypeError) as error:
        raise WikibiasError(
            f"{folder / DESCRIPTION}: damaged ({type(error).__name__}: {error})"
        ) from error

"""Makes the models of one command: with their parameters, on its device, with their checkpoints."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.kits.files import disk_errors
from wikibias.messages import nearest
from wikibias.models.estimators import registry
from wikibias.research.neural.runs import HERE, Neural, Run

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

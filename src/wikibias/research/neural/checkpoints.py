"""Checkpoints: the whole state of a training in one file, from which a killed one goes on.

The file is safetensors: weights, those of the best pass, the state of AdamW, and random states;
what is no tensor is JSON in its header. It is written whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import save_file

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import atomic_file

FILE = "checkpoint.safetensors"
_FORMAT = "wikibias-checkpoint/1"
Tensors = Mapping[str, torch.Tensor]


@dataclass(slots=True)
class Progress:
    """How far a training has come.

    Attributes:
        epoch: the pass it is in, from 1.
        learnt: examples of this pass that are learnt.
        steps: in all.
        total: sum of the losses of those examples.
        losses: see `training_loop.Training`.
        dev_losses: likewise.
        best: likewise; 0 before the first pass is over.
        finished: whether nothing is left to do.
    """

    epoch: int = 1
    learnt: int = 0
    steps: int = 0
    total: float = 0.0
    losses: list[float] = field(default_factory=list)
    dev_losses: list[float] = field(default_factory=list)
    best: int = 0
    finished: bool = False


@dataclass(slots=True)
class State:
    """All that a training goes on from.

    Attributes:
        progress: how far it has come.
        weights: of the model.
        best: its weights after the best pass on dev; None where there is none yet.
        optimiser: the state of the optimiser, by number of parameter and name.
        random: the random state of torch, and as "order" that of the order of examples, at the
            beginning of the pass.
    """

    progress: Progress
    weights: Tensors
    best: Tensors | None
    optimiser: Mapping[int, Tensors]
    random: dict[str, torch.Tensor]


def write(folder: Path, state: State, mark: Mapping[str, str]) -> None:
    """Write a checkpoint to a folder, in place of an older one.

    Args:
        folder: where to.
        state: of the training.
        mark: digests of what the training depends on, by what a message calls it.

    Raises:
        DiskError: the folder cannot be written.
    """
    parts: dict[str, Tensors] = {"weights": state.weights, "random": state.random}
    if state.best is not None:
        parts["best"] = state.best
    parts |= {f"optimiser.{number}": of for number, of in state.optimiser.items()}
    # Cloned: safetensors refuses tensors that share their memory.
    tensors = {
        f"{part}/{name}": tensor.detach().cpu().clone().contiguous()
        for part, of in parts.items()
        for name, tensor in of.items()
    }
    header = {"format": _FORMAT, "mark": dict(mark), "progress": asdict(state.progress)}
    with atomic_file(folder / FILE, keep=True) as path:
        save_file(tensors, path, {"wikibias": json.dumps(header)})


def read(folder: Path, mark: Mapping[str, str], *, overwrite: bool = False) -> State | None:
    """Read the checkpoint of a folder.

    Returns:
        None where there is none, or with `overwrite` one of other data or settings.

    Raises:
        UsageError: it is of other data or settings.
        WikibiasError: it is damaged.
    """
    path = folder / FILE
    if not path.exists():
        return None
    try:
        with safetensors.safe_open(path, "pt") as file:
            header = json.loads(file.metadata()["wikibias"])
            if header["format"] != _FORMAT:
                raise ValueError(f"its format is {header['format']!r}")
            differs = [what for what in mark if header["mark"].get(what) != mark[what]]
            if differs and overwrite:
                return None
            if differs:
                raise UsageError(
                    f"{path}: a checkpoint of a training with {_named(differs)}; --overwrite "
                    "begins anew, --out names another folder"
                )
            return _state(header, {name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118
    except (OSError, ValueError, KeyError, TypeError, safetensors.SafetensorError) as error:
        if overwrite:
            return None
        raise WikibiasError(
            f"{path}: damaged ({' '.join(str(error).split()):.100}); remove it to begin anew"
        ) from error


def _named(differs: list[str]) -> str:
    return f"other {' and '.join(differs)}"


def _state(header: Mapping[str, Any], tensors: Tensors) -> State:
    parts: dict[str, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        part, _, rest = name.partition("/")
        parts.setdefault(part, {})[rest] = tensor
    return State(
        progress=Progress(**header["progress"]),
        weights=parts["weights"],
        best=parts.get("best"),
        optimiser={
            int(part.partition(".")[2]): of
            for part, of in parts.items()
            if part.startswith("optimiser.")
        },
        random=parts["random"],
    )

"""Where a neural model is trained and what of it outlasts a kill, not what it learns.

Imports no torch, so that the command line can name these things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

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

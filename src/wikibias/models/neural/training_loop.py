"""A training loop for any model whose output has a loss: seed, warm-up, early stopping, device.

It trains in bfloat16 on a GPU that has it, else in 32 bits. On a CPU the same seed and data give
the same model; a GPU may add numbers in another order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar

import torch

from wikibias.errors import WikibiasError

T = TypeVar("T")
Collate = Callable[[Sequence[T]], Mapping[str, torch.Tensor]]
"""Makes what a model is called with of some examples; `labels` must be in it to train."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How to train.

    Attributes:
        epochs: passes over the data at most.
        batch: examples at once.
        rate: highest learning rate, which is reached after `warm_up` of all steps, then falls to 0.
        warm_up: share of the steps.
        decay: weight decay of AdamW.
        clip: longest gradient.
        patience: passes without a lower loss on dev after which to stop.
        seed: of the order of examples and of dropout.
    """

    epochs: int = 5
    batch: int = 16
    rate: float = 5e-5
    warm_up: float = 0.1
    decay: float = 0.01
    clip: float = 1.0
    patience: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Training:
    """How a training went.

    Attributes:
        device: what it ran on, as "cpu" or the name of the GPU.
        precision: "float32" or "bfloat16".
        losses: mean loss on train after each pass.
        dev_losses: likewise on dev; empty without dev.
        best: the pass, from 1, whose weights the model has now.
    """

    device: str
    precision: str
    losses: tuple[float, ...]
    dev_losses: tuple[float, ...]
    best: int


def best_device() -> torch.device:
    """Return the GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def device_name(device: torch.device) -> str:
    """Return what a device is called."""
    return str(torch.cuda.get_device_name(device) if device.type == "cuda" else device.type)


def train(
    model: Any,
    examples: Sequence[T],
    collate: Collate[T],
    schedule: Schedule,
    dev: Sequence[T] = (),
) -> Training:
    """Train a model in place, on the best device; it keeps the weights of its best pass on dev.

    Without dev the last pass is the best.

    Raises:
        WikibiasError: there is nothing to train on, or the loss is no number any more.
    """
    if not examples:
        raise WikibiasError("nothing to train on: no example is left")
    device = best_device()
    steps = schedule.epochs * math.ceil(len(examples) / schedule.batch)
    losses: list[float] = []
    dev_losses: list[float] = []
    kept: Mapping[str, torch.Tensor] | None = None
    best = 0
    with _seeded(schedule.seed, device):
        model.to(device)
        optimiser = torch.optim.AdamW(
            model.parameters(), lr=schedule.rate, weight_decay=schedule.decay
        )
        pace = torch.optim.lr_scheduler.LambdaLR(optimiser, _pace(steps, schedule.warm_up))
        order = torch.Generator().manual_seed(schedule.seed)
        for epoch in range(1, schedule.epochs + 1):
            shuffled = torch.randperm(len(examples), generator=order).tolist()
            losses.append(
                _pass(model, [examples[i] for i in shuffled], collate, schedule, optimiser, pace)
            )
            if not dev:
                best = epoch
                continue
            dev_losses.append(mean_loss(model, dev, collate, schedule.batch))
            if dev_losses[-1] == min(dev_losses):
                best, kept = epoch, _copied(model)
            elif epoch - best >= schedule.patience:
                break
    if kept is not None:
        model.load_state_dict(kept)
    model.train(False)
    return Training(device_name(device), _precision(device), tuple(losses), tuple(dev_losses), best)


def mean_loss(model: Any, examples: Sequence[T], collate: Collate[T], batch: int = 32) -> float:
    """Return the mean loss of a model on examples."""
    total = 0.0
    for some, output in outputs(model, examples, collate, batch):
        total += float(output.loss) * len(some)
    return total / len(examples)


def outputs(
    model: Any, examples: Sequence[T], collate: Collate[T], batch: int = 32
) -> Iterator[tuple[Sequence[T], Any]]:
    """Yield examples, some at a time, with what the model makes of them.

    The model stays on its device; tensors of the output are there, too.
    """
    model.train(False)
    device = next(model.parameters()).device
    for start in range(0, len(examples), batch):
        some = examples[start : start + batch]
        with torch.inference_mode(), _autocast(device):
            yield some, model(**_moved(collate(some), device))


def _pass(
    model: Any,
    examples: Sequence[T],
    collate: Collate[T],
    schedule: Schedule,
    optimiser: torch.optim.Optimizer,
    pace: torch.optim.lr_scheduler.LRScheduler,
) -> float:
    """Train once on all examples; return the mean loss."""
    model.train()
    device = next(model.parameters()).device
    total = 0.0
    for start in range(0, len(examples), schedule.batch):
        some = examples[start : start + schedule.batch]
        with _autocast(device):
            loss = model(**_moved(collate(some), device)).loss
        if not bool(torch.isfinite(loss)):
            raise WikibiasError("training diverged: the loss is no number; try a lower rate")
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), schedule.clip)
        optimiser.step()
        pace.step()
        optimiser.zero_grad()
        total += loss.item() * len(some)
    return total / len(examples)


def _pace(steps: int, warm_up: float) -> Callable[[int], float]:
    """Return the share of the highest rate at each step."""
    rising = max(1, round(steps * warm_up))
    return lambda step: min((step + 1) / rising, max(0.0, (steps - step) / (steps - rising + 1)))


def _copied(model: Any) -> Mapping[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in model.state_dict().items()}


def _moved(batch: Mapping[str, torch.Tensor], device: torch.device) -> dict[str, torch.Tensor]:
    return {name: value.to(device) for name, value in batch.items()}


def _in_bfloat16(device: torch.device) -> bool:
    return bool(device.type == "cuda" and torch.cuda.is_bf16_supported())


def _precision(device: torch.device) -> str:
    return "bfloat16" if _in_bfloat16(device) else "float32"


def _autocast(device: torch.device) -> AbstractContextManager[Any]:
    lower: AbstractContextManager[Any] = nullcontext()
    if _in_bfloat16(device):
        lower = torch.autocast("cuda", dtype=torch.bfloat16)
    return lower


@contextmanager
def _seeded(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch for the block, and give its random state back after it."""
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices):
        torch.manual_seed(seed)
        yield

"""A training loop for any model whose output has a loss: seed, warm-up, early stopping, device.

It trains in bfloat16 on a GPU that has it, else in 32 bits. On a CPU the same seed and data give
the same model, also where the training was killed and goes on from its checkpoint; a GPU may add
numbers in another order.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Generic, TypeVar

import torch

from wikibias.errors import WikibiasError
from wikibias.research.neural import checkpoints
from wikibias.research.neural.checkpoints import Progress, State
from wikibias.research.neural.devices import (
    autocast,
    device_name,
    device_of,
    precision,
    random_state,
    seeded,
    set_random_state,
)
from wikibias.research.neural.runs import HERE, Run

T = TypeVar("T")
Collate = Callable[[Sequence[T]], Mapping[str, torch.Tensor]]
"""Makes what a model is called with of some examples; `labels` must be in it to train."""
_TOGETHER = 50  # batches whose examples are sorted by length
_TOLD = 100  # steps after which a line says how far a pass has come


@dataclass(frozen=True, slots=True)
class Schedule:
    """How to train.

    Attributes:
        epochs: passes over the data at most.
        batch: examples at once.
        accumulate: batches whose gradients are added up for one step: one batch of so many times
            the examples, in the memory of one.
        rate: highest learning rate, which is reached after `warm_up` of all steps, then falls to 0.
        warm_up: share of the steps.
        decay: weight decay of AdamW.
        clip: longest gradient.
        patience: passes without a lower loss on dev after which to stop.
        seed: of the order of examples and of dropout.
        save_every: steps after which to write a checkpoint, beside that after each pass; where the
            run keeps one.
    """

    epochs: int = 5
    batch: int = 16
    accumulate: int = 1
    rate: float = 5e-5
    warm_up: float = 0.1
    decay: float = 0.01
    clip: float = 1.0
    patience: int = 1
    seed: int = 0
    save_every: int = 500


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


def train(
    model: Any,
    examples: Sequence[T],
    collate: Collate[T],
    schedule: Schedule,
    dev: Sequence[T] = (),
    *,
    run: Run = HERE,
    length: Callable[[T], int] | None = None,
) -> Training:
    """Train a model in place; it keeps the weights of its best pass on dev.

    Without dev the last pass is the best.

    Args:
        model: what to train; called with what `collate` makes, its output has a `loss`.
        examples: what to learn.
        collate: makes a batch.
        schedule: how to train.
        dev: what says when to stop.
        run: on which device, and from which checkpoint to go on, if there is one.
        length: of an example; those of about one length are then learnt together, with less
            padding.

    Raises:
        UsageError: there is no such device, or the checkpoint is of other data or settings.
        WikibiasError: there is nothing to train on, or the loss is no number any more.
        DiskError: the checkpoint cannot be written.
    """
    if not examples:
        raise WikibiasError("nothing to train on: no example is left")
    device = device_of(run.device)
    mark = {} if run.checkpoint is None else _mark(model, examples, collate, schedule, dev, device)
    with seeded(schedule.seed, device):
        model.to(device)
        loop = _Loop(model, examples, collate, schedule, dev, run, length, mark)
        run.say(f"trains on {device_name(device)} in {precision(device)}")
        loop.go_on()
    model.train(False)
    done = loop.progress
    return Training(
        device=device_name(device),
        precision=precision(device),
        losses=tuple(done.losses),
        dev_losses=tuple(done.dev_losses),
        best=done.best,
    )


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
        with torch.inference_mode(), autocast(device):
            yield some, model(**_moved(collate(some), device))


class _Loop(Generic[T]):
    """One training: what it works with, and how far it has come."""

    def __init__(
        self,
        model: Any,
        examples: Sequence[T],
        collate: Collate[T],
        schedule: Schedule,
        dev: Sequence[T],
        run: Run,
        length: Callable[[T], int] | None,
        mark: Mapping[str, str],
    ) -> None:
        self.model, self.examples, self.collate, self.dev = model, examples, collate, dev
        self.schedule, self.run, self.mark = schedule, run, mark
        self.lengths = None if length is None else [length(each) for each in examples]
        self.device = next(model.parameters()).device
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=schedule.rate, weight_decay=schedule.decay
        )
        self.together = schedule.batch * schedule.accumulate
        self.steps = schedule.epochs * math.ceil(len(examples) / self.together)
        self.pace = _pace(self.steps, schedule.warm_up)
        self.order = torch.Generator().manual_seed(schedule.seed)
        self.progress = Progress()
        self.best: Mapping[str, torch.Tensor] | None = None

    def go_on(self) -> None:
        """Train from where a checkpoint leaves off, or from the beginning, to the end."""
        self._restore()
        if self.progress.finished:
            return
        while not self.progress.finished:
            self._pass()
        if self.best is not None:
            self.model.load_state_dict(self.best)
        # What is done needs no more than its weights.
        self.best = None
        self.optimiser = torch.optim.AdamW(self.model.parameters())
        self._save(self.order.get_state())

    def _pass(self) -> None:
        """Train on the examples of one pass that are not learnt yet; then judge on dev."""
        at, began = self.progress, self.order.get_state()
        order = _order(len(self.examples), self.schedule.batch, self.lengths, self.order)
        self.model.train()
        while at.learnt < len(order):
            places = order[at.learnt : at.learnt + self.together]
            at.total += self._step([self.examples[place] for place in places])
            at.learnt += len(places)
            at.steps += 1
            if at.steps % _TOLD == 0 and at.learnt < len(order):
                self.run.say(
                    f"step {at.steps:,} of at most {self.steps:,}: loss {at.total / at.learnt:.4f}"
                )
            if at.steps % self.schedule.save_every == 0 and at.learnt < len(order):
                self._save(began)
        at.losses.append(at.total / len(order))
        self._judge()
        at.epoch, at.learnt, at.total = at.epoch + 1, 0, 0.0
        at.finished = at.finished or at.epoch > self.schedule.epochs
        if not at.finished:
            self._save(self.order.get_state())

    def _step(self, some: Sequence[T]) -> float:
        """Learn some examples in one step; return the sum of their losses."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.schedule.rate * self.pace(self.progress.steps)
        total = 0.0
        for start in range(0, len(some), self.schedule.batch):
            batch = some[start : start + self.schedule.batch]
            with autocast(self.device):
                loss = self.model(**_moved(self.collate(batch), self.device)).loss
            if not bool(torch.isfinite(loss)):
                raise WikibiasError("training diverged: the loss is no number; try a lower rate")
            (loss * (len(batch) / len(some))).backward()
            total += float(loss.item()) * len(batch)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.schedule.clip)
        self.optimiser.step()
        self.optimiser.zero_grad()
        return total

    def _judge(self) -> None:
        """Keep the weights of a pass that is the best on dev; see whether to stop."""
        at = self.progress
        told = f"pass {at.epoch} of at most {self.schedule.epochs}: loss {at.losses[-1]:.4f}"
        if not self.dev:
            at.best = at.epoch
        else:
            at.dev_losses.append(mean_loss(self.model, self.dev, self.collate, self.schedule.batch))
            told += f", held out {at.dev_losses[-1]:.4f}"
            if at.dev_losses[-1] == min(at.dev_losses):
                at.best, self.best = at.epoch, _copied(self.model)
            at.finished = at.epoch - at.best >= self.schedule.patience
        self.run.say(told)

    def _save(self, order: torch.Tensor) -> None:
        if self.run.checkpoint is None:
            return
        state = State(
            progress=self.progress,
            weights=self.model.state_dict(),
            best=self.best,
            optimiser=self.optimiser.state_dict()["state"],
            random={"order": order, **random_state(self.device)},
        )
        checkpoints.write(self.run.checkpoint, state, self.mark)

    def _restore(self) -> None:
        if self.run.checkpoint is None:
            return
        found = checkpoints.read(self.run.checkpoint, self.mark, overwrite=self.run.overwrite)
        if found is None:
            return
        self.progress, self.best = found.progress, found.best
        self.model.load_state_dict(found.weights)
        groups = self.optimiser.state_dict()["param_groups"]
        self.optimiser.load_state_dict({"state": dict(found.optimiser), "param_groups": groups})
        self.order.set_state(found.random["order"])
        set_random_state(found.random, self.device)
        self.run.say(f"goes on after {self.progress.steps:,} steps, from {self.run.checkpoint}")


def _order(
    count: int, batch: int, lengths: Sequence[int] | None, random: torch.Generator
) -> list[int]:
    """Return the examples in the order of a pass; batches of about one length where it is known."""
    shuffled: list[int] = torch.randperm(count, generator=random).tolist()
    if lengths is None:
        return shuffled
    batches = []
    for start in range(0, count, _TOGETHER * batch):
        some = sorted(shuffled[start : start + _TOGETHER * batch], key=lengths.__getitem__)
        batches += [some[at : at + batch] for at in range(0, len(some), batch)]
    # The last batch may be smaller, and stays the last: a checkpoint counts examples.
    full = batches[:-1] if len(batches[-1]) < batch else batches
    places = torch.randperm(len(full), generator=random).tolist()
    return [each for some in (*(full[at] for at in places), *batches[len(full) :]) for each in some]


def _mark(
    model: Any,
    examples: Sequence[T],
    collate: Collate[T],
    schedule: Schedule,
    dev: Sequence[T],
    device: torch.device,
) -> dict[str, str]:
    """Return digests of all that a training depends on, by what a message calls it."""
    data = sha256()
    for part in (examples, dev):
        for start in range(0, len(part), schedule.batch):
            _digest(data, collate(part[start : start + schedule.batch]))
        data.update(b"end")
    weights = sha256()
    _digest(weights, model.state_dict())
    learns = [name for name, value in model.named_parameters() if value.requires_grad]
    settings = json.dumps({**asdict(schedule), "learns": learns})
    return {
        "data": data.hexdigest(),
        "settings": sha256(settings.encode()).hexdigest(),
        "weights to begin with": weights.hexdigest(),
        "device": f"{device.type} {precision(device)}",
    }


def _digest(into: Any, tensors: Mapping[str, torch.Tensor]) -> None:
    for name, tensor in tensors.items():
        into.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode())
        into.update(tensor.detach().cpu().contiguous().numpy().tobytes())


def _pace(steps: int, warm_up: float) -> Callable[[int], float]:
    """Return the share of the highest rate at each step."""
    rising = max(1, round(steps * warm_up))
    return lambda step: min((step + 1) / rising, max(0.0, (steps - step) / (steps - rising + 1)))


def _copied(model: Any) -> Mapping[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in model.state_dict().items()}


def _moved(batch: Mapping[str, torch.Tensor], device: torch.device) -> dict[str, torch.Tensor]:
    return {name: value.to(device) for name, value in batch.items()}

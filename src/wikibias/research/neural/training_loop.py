"""A training loop for any model whose output has a loss: seed, warm-up, early stopping, device.

It trains in bfloat16 on a GPU that has it, else in 32 bits. On a CPU the same seed and data give
the same model, also where the training was killed and goes on from its checkpoint; a GPU may add
numbers in another order.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

import safetensors
import torch
from safetensors.torch import save_file

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import atomic_file
from wikibias.models.estimators.registry import HERE, Run

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


def device_of(name: str) -> torch.device:
    """Return the device that `--device` names; "auto" is the GPU where there is one.

    Raises:
        UsageError: a GPU is asked for that is not there.
    """
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise UsageError(
            "--device cuda: torch finds no GPU here; leave the option out, or install a build of "
            "torch for the GPU"
        )
    return torch.device("cuda" if there and name != "cpu" else "cpu")


def device_name(device: torch.device) -> str:
    """Return what a device is called."""
    return str(torch.cuda.get_device_name(device) if device.type == "cuda" else device.type)


def precision(device: torch.device) -> str:
    """Return in what numbers a model is trained on a device: "bfloat16" or "float32"."""
    return "bfloat16" if _in_bfloat16(device) else "float32"


def autocast(device: torch.device) -> AbstractContextManager[Any]:
    """Return a context in which a model calculates in that precision; its weights keep theirs."""
    lower: AbstractContextManager[Any] = nullcontext()
    if _in_bfloat16(device):
        lower = torch.autocast("cuda", dtype=torch.bfloat16)
    return lower


@contextmanager
def seeded(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch for the block, and give its random state back after it."""
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices):
        torch.manual_seed(seed)
        yield


def random_state(device: torch.device) -> dict[str, torch.Tensor]:
    """Return the random state of torch, as tensors by name."""
    found = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        found["cuda"] = torch.cuda.get_rng_state(device)
    return found


def set_random_state(state: dict[str, torch.Tensor], device: torch.device) -> None:
    """Set the random state of torch to one that `random_state` gave."""
    torch.set_rng_state(state["cpu"])
    if device.type == "cuda":
        torch.cuda.set_rng_state(state["cuda"], device)


def _in_bfloat16(device: torch.device) -> bool:
    return bool(device.type == "cuda" and torch.cuda.is_bf16_supported())


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
        write(self.run.checkpoint, state, self.mark)

    def _restore(self) -> None:
        if self.run.checkpoint is None:
            return
        found = read(self.run.checkpoint, self.mark, overwrite=self.run.overwrite)
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

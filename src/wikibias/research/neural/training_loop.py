"""Training of any model whose output has a loss, by transformers' Trainer: early stopping, device.

It trains in bfloat16 on a GPU that has it, else in 32 bits. On a CPU the same seed and data give
the same model, also where the training was killed and goes on from its last whole pass; a GPU may
add numbers in another order.
"""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
import safetensors
import torch
import transformers
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from transformers.trainer_callback import PrinterCallback
from transformers.trainer_pt_utils import LengthGroupedSampler

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.files import ascii_json, atomic_file, read_json, write_json
from wikibias.models.estimators.registry import HERE, Run

MARK, FINISHED = "training.json", "finished.safetensors"
_STATE = "trainer_state.json"  # the last file of a checkpoint of transformers
_DAMAGE = (OSError, ValueError, KeyError, TypeError, RuntimeError, safetensors.SafetensorError)


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
    lower = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return "bfloat16" if lower else "float32"


def _autocast(device: torch.device) -> AbstractContextManager[Any]:
    """Return a context in which a model calculates in that precision; its weights keep theirs."""
    lower = precision(device) == "bfloat16"
    found: AbstractContextManager[Any] = torch.autocast(device.type, torch.bfloat16, enabled=lower)
    return found


@contextmanager
def _random_states_kept(device: torch.device) -> Iterator[None]:
    """Give all random states back after the block: the Trainer seeds those of the process."""
    python, numpy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        yield
    random.setstate(python)
    np.random.set_state(numpy)


T = TypeVar("T")
Collate = Callable[[Sequence[T]], Mapping[str, torch.Tensor]]
"""Makes what a model is called with of some examples; `labels` must be in it to train.

What comes first has a row for each example.
"""
_TOLD = 100  # steps after which a line says how far a training has come


@dataclass(frozen=True, slots=True)
class Schedule:
    """How to train.

    Attributes:
        epochs: passes over the data at most.
        batch: examples at once.
        accumulate: batches whose gradients are added up for one step: one batch of so many times
            the examples, in the memory of one.
        rate: highest learning rate, which is reached after a tenth of all steps, then falls to 0.
        patience: passes without a lower loss on dev after which to stop.
        seed: of the order of examples and of dropout.
    """

    epochs: int = 5
    batch: int = 16
    accumulate: int = 1
    rate: float = 5e-5
    patience: int = 1
    seed: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, Any], seed: int) -> Self:
        """Return the schedule of a model's parameters; those that it lacks are the defaults."""
        names = {each.name for each in fields(cls)} & settings.keys()
        return cls(**{"seed": seed, **{name: settings[name] for name in names}})

    def arguments(self, folder: Path, device: torch.device, **more: Any) -> Any:
        """Return this as the Trainer takes it."""
        return transformers.TrainingArguments(
            str(folder),
            num_train_epochs=self.epochs,
            per_device_train_batch_size=self.batch,
            per_device_eval_batch_size=self.batch,
            gradient_accumulation_steps=self.accumulate,
            learning_rate=self.rate,
            warmup_steps=0.1,
            weight_decay=0.01,
            seed=self.seed,
            use_cpu=device.type == "cpu",
            bf16=precision(device) == "bfloat16",
            dataloader_pin_memory=device.type == "cuda",
            logging_strategy="epoch",
            logging_nan_inf_filter=False,
            save_total_limit=1,
            remove_unused_columns=False,
            prediction_loss_only=True,
            report_to="none",
            disable_tqdm=True,
            log_level="error",
            **more,
        )


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
    losses: Sequence[float]
    dev_losses: Sequence[float]
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
    folder = run.checkpoint
    last, mark = None, dict[str, str]()
    if folder is not None:
        mark = _mark(model, examples, dev, schedule, device)
        if finished := _finished(folder, mark, model, overwrite=run.overwrite):
            model.to(device).train(False)
            return finished
        last = _last_checkpoint(folder)
    with tempfile.TemporaryDirectory() as scratch, _random_states_kept(device):
        arguments = schedule.arguments(
            folder or Path(scratch),
            device,
            eval_strategy="epoch" if dev else "no",
            save_strategy="epoch" if dev or folder else "no",
            save_only_model=folder is None,
            load_best_model_at_end=bool(dev),
            restore_callback_states_from_checkpoint=True,
        )
        callbacks: list[Any] = [lines := _Lines(run, watched=bool(dev))]
        if dev:
            callbacks.append(transformers.EarlyStoppingCallback(schedule.patience))
        lengths = None if length is None else [length(each) for each in examples]
        trainer = _Trainer(
            lengths, model, arguments, collate, examples, dev or None, callbacks=callbacks
        )
        run.say(f"trains on {device_name(device)} in {precision(device)}")
        try:
            trainer.train(resume_from_checkpoint=str(last) if last else None)
        except Exception as error:  # a damaged file has many
            if last is None or lines.steps:
                raise
            raise _damaged(last, error) from error
        trainer.accelerator.unwrap_model(model, keep_fp32_wrapper=False)
    model.train(False)
    losses, dev_losses = (
        [entry[name] for entry in trainer.state.log_history if name in entry]
        for name in ("loss", "eval_loss")
    )
    best = int(np.argmin(dev_losses)) + 1 if dev else len(losses)
    training = Training(device_name(device), precision(device), losses, dev_losses, best)
    if folder is not None:
        _finish(folder, mark, model, training)
    return training


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
        inputs = {name: value.to(device) for name, value in collate(some).items()}
        with torch.inference_mode(), _autocast(device):
            yield some, model(**inputs)


def output_rows(
    model: Any,
    examples: Sequence[T],
    collate: Collate[T],
    name: str,
    width: int,
    length: Callable[[T], int],
) -> NDArray[np.float32]:
    """Return one output of a model, examples by numbers.

    Args:
        model: what to ask.
        examples: about what.
        collate: makes a batch.
        name: of the output.
        width: numbers of an example.
        length: of an example; those of about one length go together, or most would be padding.
    """
    found = np.zeros((len(examples), width), dtype=np.float32)
    order = sorted(range(len(examples)), key=lambda row: length(examples[row]))
    places = iter(order)
    for some, output in outputs(model, [examples[row] for row in order], collate):
        rows = [next(places) for _ in some]
        found[rows] = getattr(output, name).float().cpu().numpy()
    return found


class _Trainer(transformers.Trainer):  # type: ignore[misc]
    """The Trainer of transformers, with batches of about one length."""

    def __init__(self, lengths: list[int] | None, model: Any, *given: Any, **more: Any) -> None:
        model.accepts_loss_kwargs = False  # its loss is the mean of a batch
        super().__init__(model, *given, **more)
        self.remove_callback(PrinterCallback)
        self._lengths = lengths

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        if self._lengths is None:
            return super()._get_train_sampler(train_dataset)
        return LengthGroupedSampler(self.args.train_batch_size, lengths=self._lengths)

    def training_step(self, *arguments: Any, **more: Any) -> torch.Tensor:
        """Learn a batch; return its loss.

        Raises:
            WikibiasError: it is no number.
        """
        loss: torch.Tensor = super().training_step(*arguments, **more)
        if not bool(torch.isfinite(loss)):
            raise WikibiasError("training diverged: the loss is no number; try a lower rate")
        return loss


class _Lines(transformers.TrainerCallback):  # type: ignore[misc]
    """Lines for people on how far a training has come.

    Attributes:
        steps: how many were made here.
    """

    def __init__(self, run: Run, *, watched: bool) -> None:
        self.steps, self._say, self._watched = 0, run.say, watched

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Say from where it goes on."""
        if state.global_step:
            self._say(f"goes on after {state.global_step:,} steps, from {args.output_dir}")

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Say now and then how many steps are made."""
        self.steps += 1
        if state.global_step % _TOLD == 0:
            self._say(f"step {state.global_step:,} of at most {state.max_steps:,}")

    def on_log(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Say the losses of a pass."""
        if ("eval_loss" if self._watched else "loss") not in state.log_history[-1]:
            return
        loss = next(entry["loss"] for entry in reversed(state.log_history) if "loss" in entry)
        line = f"pass {round(state.epoch)} of at most {args.num_train_epochs}: loss {loss:.4f}"
        if self._watched:
            line += f", held out {state.log_history[-1]['eval_loss']:.4f}"
        self._say(line)


def _finished(
    folder: Path, mark: Mapping[str, str], model: Any, *, overwrite: bool
) -> Training | None:
    """Give a model the weights of a training that is done; None where it is not.

    What the training depends on is noted in the folder, for one that goes on.

    Raises:
        UsageError: the folder is of another training, and may not be replaced.
        WikibiasError: it is damaged.
    """
    path = folder / MARK
    try:
        found = read_json(path) if path.exists() else {"mark": mark}
        differs = [what for what in mark if found["mark"].get(what) != mark[what]]
        if not differs and "training" in found:
            model.load_state_dict(load_file(folder / FINISHED))
            return Training(**found["training"])
    except (*_DAMAGE, AttributeError) as error:
        if not overwrite:
            raise _damaged(path, error) from error
        differs = ["data"]
    if differs and not overwrite:
        raise UsageError(
            f"{folder}: a checkpoint of a training with other {' and '.join(differs)}; --overwrite "
            "begins anew, --out names another folder"
        )
    if differs:
        shutil.rmtree(folder)
    write_json(path, {"mark": mark})
    return None


def _last_checkpoint(folder: Path) -> Path | None:
    """Return the folder of the last checkpoint that was written whole, if there is one."""
    whole = [path.parent for path in folder.glob(f"checkpoint-*/{_STATE}")]
    return max(whole, key=lambda path: int(path.name.partition("-")[2]), default=None)


def _finish(folder: Path, mark: Mapping[str, str], model: Any, training: Training) -> None:
    """Keep the weights of a training that is done, in place of its checkpoints."""
    # Cloned: safetensors refuses tensors that share their memory.
    weights = {name: each.cpu().clone() for name, each in model.state_dict().items()}
    with atomic_file(folder / FINISHED, keep=True) as path:
        save_file(weights, path)
    write_json(folder / MARK, {"mark": mark, "training": asdict(training)})
    for path in folder.glob("checkpoint-*"):
        shutil.rmtree(path, ignore_errors=True)


def _damaged(path: Path, error: Exception) -> WikibiasError:
    reason = " ".join(str(error).split())
    return WikibiasError(f"{path}: damaged ({reason:.100}); remove it to begin anew")


def _mark(
    model: Any, examples: Sequence[T], dev: Sequence[T], schedule: Schedule, device: torch.device
) -> dict[str, str]:
    """Return digests of all that a training depends on, by what a message calls it."""
    weights = sha256()
    for name, tensor in model.state_dict().items():
        weights.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode())
        weights.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    learns = [name for name, value in model.named_parameters() if value.requires_grad]
    data = sha256(repr([len(examples)]).encode())
    for each in (*examples, *dev):
        data.update(repr(each).encode("utf-8", "surrogatepass"))
    return {
        "data": data.hexdigest(),
        "settings": sha256(ascii_json({**asdict(schedule), "learns": learns}).encode()).hexdigest(),
        "weights to begin with": weights.hexdigest(),
        "device": f"{device.type} {precision(device)}",
    }

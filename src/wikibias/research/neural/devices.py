"""The device that a model is trained on, its precision, and its random state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch

from wikibias.errors import UsageError


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

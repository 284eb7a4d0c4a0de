"""Devices: what is asked for is there, or one line says what to do."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from wikibias.errors import UsageError
from wikibias.research.neural.training_loop import device_name, device_of, precision

pytestmark = pytest.mark.neural


def test_a_cpu_trains_in_32_bits() -> None:
    device = device_of("cpu")
    assert (device_name(device), precision(device)) == ("cpu", "float32")


def test_auto_takes_what_there_is() -> None:
    assert device_of("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_said() -> None:
    with pytest.raises(UsageError, match="--device cuda: torch finds no GPU here; leave"):
        device_of("cuda")

"""A training that is stopped anywhere goes on from its checkpoint, to the same weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

import tiny_encoders
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators.registry import Run
from wikibias.research.neural import sentence_network
from wikibias.research.neural.training_loop import FINISHED, MARK, Schedule, Training, train

pytestmark = pytest.mark.neural

PLACES = ("mill", "barn", "tower", "bridge", "chapel", "harbour", "abbey")
EXAMPLES = [(f"The splendid {place} of the town stood here", 1) for place in PLACES] + [
    (f"The {place} stood", 0) for place in PLACES
]
SCHEDULE = Schedule(epochs=4, batch=4, rate=5e-3, patience=9)
A_PASS = 4
DEV = EXAMPLES[:2]
Example = tuple[str, int]


class KilledError(Exception):
    """Stands for the end of the process."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), [text for text, _ in EXAMPLES])


def trained(
    folder: Path,
    run: Run,
    stop_after: int | None = None,
    schedule: Schedule = SCHEDULE,
    examples: Sequence[Example] = EXAMPLES,
) -> tuple[Training, Mapping[str, Any]]:
    """Train a new model; the process ends at the batch after `stop_after` of them."""
    model = sentence_network.load_model(folder, "ForSequenceClassification", labels=["no", "yes"])
    tokenizer = sentence_network.load_tokenizer(folder)
    steps = 0

    def batch(some: Sequence[Example]) -> Mapping[str, Any]:
        nonlocal steps
        steps += [*some] != DEV
        if stop_after is not None and steps > stop_after:
            raise KilledError
        pieces = sentence_network.text_pieces(tokenizer, [text for text, _ in some], None, 64)
        return {**pieces, "labels": torch.tensor([label for _, label in some])}

    went = train(model, examples, batch, schedule, DEV, run=run, length=lambda each: len(each[0]))
    return went, model.state_dict()


@pytest.mark.parametrize("stops", [[2], [3], [4], [5], [7, 4], [15]])
def test_a_stopped_training_ends_alike(folder: Path, tmp_path: Path, stops: Sequence[int]) -> None:
    unbroken, wanted = trained(folder, Run("cpu"))
    said: list[str] = []
    run = Run("cpu", tmp_path / "checkpoint", say=said.append)
    for stop in stops:
        with pytest.raises(KilledError):
            trained(folder, run, stop)
    resumed, found = trained(folder, run)
    assert resumed == unbroken
    for name, weights in wanted.items():
        assert torch.equal(weights, found[name]), name
    assert sum(line.startswith("goes on after") for line in said) == sum(
        stop >= A_PASS for stop in stops
    )


def test_a_finished_training_is_not_done_again(folder: Path, tmp_path: Path) -> None:
    run = Run("cpu", tmp_path)
    went, wanted = trained(folder, run)
    again, found = trained(folder, run, stop_after=0)
    assert again == went
    assert all(torch.equal(weights, found[name]) for name, weights in wanted.items())


@pytest.mark.parametrize(
    ("schedule", "examples", "what"),
    [
        (SCHEDULE, EXAMPLES[1:], "other data;"),
        (replace(SCHEDULE, rate=1e-3), EXAMPLES, "other settings;"),
        (replace(SCHEDULE, seed=1), EXAMPLES[:-1], "other data and settings;"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused_or_replaced(
    folder: Path, tmp_path: Path, schedule: Schedule, examples: Sequence[Example], what: str
) -> None:
    run = Run("cpu", tmp_path)
    with pytest.raises(KilledError):
        trained(folder, run, 4)
    with pytest.raises(UsageError, match=what):
        trained(folder, run, None, schedule, examples)
    anew = trained(folder, replace(run, overwrite=True), None, schedule, examples)
    assert anew[0] == trained(folder, Run("cpu"), None, schedule, examples)[0]


@pytest.mark.parametrize("content", [b"", b"\x08\0\0\0\0\0\0\0{}      ", b"x" * 200, b"[]"])
@pytest.mark.parametrize("name", [MARK, FINISHED, "checkpoint-4/optimizer.pt"])
def test_a_damaged_checkpoint(folder: Path, tmp_path: Path, name: str, content: bytes) -> None:
    run = Run("cpu", tmp_path)
    if name == FINISHED:
        trained(folder, run)
    else:
        with pytest.raises(KilledError):
            trained(folder, run, A_PASS + 1)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(WikibiasError, match=f"{tmp_path}.*: damaged"):
        trained(folder, run)

"""Training: it learns, repeats itself, stops in time, and goes on from a checkpoint."""

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
from wikibias.research.neural import sentence_network, training_loop

pytestmark = pytest.mark.neural

PLACES = ("mill", "barn", "tower", "bridge", "chapel", "harbour")
EXAMPLES = [(["The", "splendid", place, "stood", "here"], [0, 1, 0, 0, 0]) for place in PLACES] + [
    (["The", place, "stood", "here"], [0, 0, 0, 0]) for place in PLACES
]
FAST = training_loop.Schedule(epochs=12, batch=4, rate=5e-3, patience=3)
Example = tuple[list[str], list[int]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [" ".join(words) for words, _ in EXAMPLES]
    return tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), texts)


def collate(folder: Path) -> Any:
    tokenizer = sentence_network.load_tokenizer(folder)

    def batch(some: Sequence[Example]) -> Mapping[str, Any]:
        pieces = sentence_network.word_pieces(tokenizer, [words for words, _ in some], 64)
        labels = sentence_network.word_labels(pieces, [labels for _, labels in some])
        return {**pieces, "labels": labels}

    return batch


def mean_loss(model: Any, examples: Sequence[Example], batch: Any, at_once: int = 32) -> float:
    outputs = training_loop.outputs(model, examples, batch, at_once)
    return float(sum(len(some) * output.loss for some, output in outputs)) / len(examples)


def test_a_model_learns_and_the_same_seed_gives_the_same_weights(folder: Path) -> None:
    batch = collate(folder)
    made = []
    for _ in range(2):
        model = sentence_network.load_model(folder, "ForTokenClassification", labels=["O", "B"])
        before = mean_loss(model, EXAMPLES, batch)
        training = training_loop.train(model, EXAMPLES, batch, FAST)
        assert mean_loss(model, EXAMPLES, batch) < before / 4
        assert training.best == FAST.epochs
        made.append(training)
    assert made[0] == made[1]


def test_training_stops_where_dev_gets_worse_and_keeps_the_best(folder: Path) -> None:
    batch = collate(folder)
    wrong = [(words, [1 - label for label in labels]) for words, labels in EXAMPLES]
    model = sentence_network.load_model(folder, "ForTokenClassification", labels=["O", "B"])
    training = training_loop.train(model, EXAMPLES, batch, FAST, dev=wrong)
    assert len(training.losses) < FAST.epochs
    assert training.dev_losses[training.best - 1] == min(training.dev_losses)
    assert mean_loss(model, wrong, batch, FAST.batch) == pytest.approx(
        min(training.dev_losses), rel=1e-4
    )


def test_small_batches_added_up_are_as_good_as_a_large_one(folder: Path) -> None:
    batch = collate(folder)
    alike = [example for example in EXAMPLES if len(example[0]) == 5]
    made = {}
    for schedule in (
        training_loop.Schedule(epochs=4, batch=6, rate=5e-3),
        training_loop.Schedule(epochs=4, batch=2, accumulate=3, rate=5e-3),
        training_loop.Schedule(epochs=4, batch=2, rate=5e-3),
    ):
        model = sentence_network.load_model(folder, "ForTokenClassification", labels=["O", "B"])
        # Without dropout, which is drawn anew for each batch.
        for layer in model.modules():
            if hasattr(layer, "p"):
                layer.p = 0.0
        made[schedule] = training_loop.train(model, alike, batch, schedule).losses
    large, added, small = made.values()
    assert added == pytest.approx(large, rel=1e-3)
    assert small != pytest.approx(large, rel=1e-2)


def test_a_long_pass_says_how_far_it_has_come(folder: Path) -> None:
    said: list[str] = []
    model = sentence_network.load_model(folder, "ForTokenClassification", labels=["O", "B"])
    schedule = training_loop.Schedule(epochs=1, batch=1)
    training_loop.train(
        model, EXAMPLES * 9, collate(folder), schedule, run=Run("cpu", say=said.append)
    )
    wanted = ["step 100 of at most 108", "pass 1 of at most 1"]
    assert [line.split(":")[0] for line in said[1:]] == wanted


def test_outputs_come_in_the_order_of_the_examples(folder: Path) -> None:
    model = sentence_network.load_model(folder, "ForTokenClassification", labels=["O", "B"])
    some = [len(part) for part, _ in training_loop.outputs(model, EXAMPLES, collate(folder), 5)]
    assert some == [5, 5, 2]


def test_nothing_to_train_on_is_said(folder: Path) -> None:
    model = sentence_network.load_model(folder, "ForTokenClassification", labels=["O", "B"])
    with pytest.raises(WikibiasError, match="nothing to train on"):
        training_loop.train(model, [], collate(folder), FAST)


def test_a_cpu_trains_in_32_bits_and_auto_takes_what_there_is() -> None:
    device = training_loop.device_of("cpu")
    assert training_loop.device_name(device) == "cpu"
    assert training_loop.precision(device) == "float32"
    assert training_loop.device_of("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_said() -> None:
    with pytest.raises(UsageError, match="--device cuda: torch finds no GPU here; leave"):
        training_loop.device_of("cuda")


SEVEN = (*PLACES, "abbey")
SENTENCES = [(f"The splendid {place} of the town stood here", 1) for place in SEVEN]
SENTENCES += [(f"The {place} stood", 0) for place in SEVEN]
RESUMED = training_loop.Schedule(epochs=4, batch=4, rate=5e-3, patience=9)
A_PASS = 4
HELD_OUT = SENTENCES[:2]
Sentence = tuple[str, int]


class KilledError(Exception):
    """Stands for the end of the process."""


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoders.encoder(tmp_path_factory.mktemp("tiny"), [text for text, _ in SENTENCES])


def trained(
    encoder: Path,
    run: Run,
    stop_after: int | None = None,
    schedule: training_loop.Schedule = RESUMED,
    examples: Sequence[Sentence] = SENTENCES,
) -> tuple[training_loop.Training, Mapping[str, Any]]:
    """Train a new model; the process ends at the batch after `stop_after` of them."""
    model = sentence_network.load_model(encoder, "ForSequenceClassification", labels=["no", "yes"])
    tokenizer = sentence_network.load_tokenizer(encoder)
    steps = 0

    def batch(some: Sequence[Sentence]) -> Mapping[str, Any]:
        nonlocal steps
        steps += [*some] != HELD_OUT
        if stop_after is not None and steps > stop_after:
            raise KilledError
        pieces = sentence_network.text_pieces(tokenizer, [text for text, _ in some], None, 64)
        return {**pieces, "labels": torch.tensor([label for _, label in some])}

    went = training_loop.train(
        model, examples, batch, schedule, HELD_OUT, run=run, length=lambda each: len(each[0])
    )
    return went, model.state_dict()


@pytest.mark.parametrize("stops", [[2], [3], [4], [5], [7, 4], [15]])
def test_a_stopped_training_ends_alike(encoder: Path, tmp_path: Path, stops: Sequence[int]) -> None:
    unbroken, wanted = trained(encoder, Run("cpu"))
    said: list[str] = []
    run = Run("cpu", tmp_path / "checkpoint", say=said.append)
    for stop in stops:
        with pytest.raises(KilledError):
            trained(encoder, run, stop)
    resumed, found = trained(encoder, run)
    assert resumed == unbroken
    for name, weights in wanted.items():
        assert torch.equal(weights, found[name]), name
    assert sum(line.startswith("goes on after") for line in said) == sum(
        stop >= A_PASS for stop in stops
    )


def test_a_finished_training_is_not_done_again(encoder: Path, tmp_path: Path) -> None:
    run = Run("cpu", tmp_path)
    went, wanted = trained(encoder, run)
    again, found = trained(encoder, run, stop_after=0)
    assert again == went
    assert all(torch.equal(weights, found[name]) for name, weights in wanted.items())


@pytest.mark.parametrize(
    ("schedule", "examples", "what"),
    [
        (RESUMED, SENTENCES[1:], "other data;"),
        (replace(RESUMED, rate=1e-3), SENTENCES, "other settings;"),
        (replace(RESUMED, seed=1), SENTENCES[:-1], "other data and settings;"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused_or_replaced(
    encoder: Path,
    tmp_path: Path,
    schedule: training_loop.Schedule,
    examples: Sequence[Sentence],
    what: str,
) -> None:
    run = Run("cpu", tmp_path)
    with pytest.raises(KilledError):
        trained(encoder, run, 4)
    with pytest.raises(UsageError, match=what):
        trained(encoder, run, None, schedule, examples)
    anew = trained(encoder, replace(run, overwrite=True), None, schedule, examples)
    assert anew[0] == trained(encoder, Run("cpu"), None, schedule, examples)[0]


@pytest.mark.parametrize("content", [b"", b"\x08\0\0\0\0\0\0\0{}      ", b"x" * 200, b"[]"])
@pytest.mark.parametrize(
    "name", [training_loop.MARK, training_loop.FINISHED, "checkpoint-4/optimizer.pt"]
)
def test_a_damaged_checkpoint(encoder: Path, tmp_path: Path, name: str, content: bytes) -> None:
    run = Run("cpu", tmp_path)
    if name == training_loop.FINISHED:
        trained(encoder, run)
    else:
        with pytest.raises(KilledError):
            trained(encoder, run, A_PASS + 1)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(WikibiasError, match=f"{tmp_path}.*: damaged"):
        trained(encoder, run)

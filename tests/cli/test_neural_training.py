"""`wikibias classify --model encoder` from the command line: killed, resumed, repeated, refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

import tiny_encoders
from exports import wikibias
from sample_sentences import made_up, written

pytestmark = pytest.mark.neural

SAME = ("model.safetensors", "head.safetensors", "model.json", "scores.json")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    written(folder, train=(200, 1), dev=(40, 5), noisy=(60, 9))
    tiny_encoders.encoder(folder / "base", [text for _, text in made_up(200, 1)])
    return folder


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def command(files: Path, out: Path, *more: str, epochs: int = 12) -> list[str]:
    return [
        *("classify", "--model", "encoder"),
        *(f"--set=base={files / 'base'}", f"--set=epochs={epochs}"),
        *("--set=patience=99", "--set=rate=1e-3", "-o", str(out)),
        *(f"--train={files / 'train.tsv'}", f"--dev={files / 'dev.tsv'}", *more),
    ]


def kill(arguments: Sequence[str]) -> None:
    """Run the command in a process of its own, and kill that in its fourth pass or later."""
    with subprocess.Popen(
        [sys.executable, "-m", "wikibias", *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("pass 4 "):
                break
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL


def test_a_killed_training_goes_on_to_the_same_model(files: Path, tmp_path: Path) -> None:
    unbroken, broken = tmp_path / "unbroken", tmp_path / "broken"
    kill(command(files, broken))
    assert [*broken.rglob("trainer_state.json")]
    assert not (broken / "model.json").exists()

    ended = wikibias(*command(files, broken, epochs=9))
    ended.refused("a checkpoint of a training with other settings; --overwrite begins anew")
    told = wikibias(*command(files, broken)).well().err
    assert "goes on after" in told
    assert "trains on cpu in float32" in told
    wikibias(*command(files, unbroken)).well()
    for name in SAME:
        assert (unbroken / name).read_bytes() == (broken / name).read_bytes(), name
    assert not (broken / ".checkpoints").exists()
    training = json.loads((broken / "scores.json").read_text(encoding="utf-8"))["training"]
    assert (training["device"], training["precision"]) == ("cpu", "float32")
    assert "training: on cpu in float32" in (broken / "README.md").read_text(encoding="utf-8")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_one_line(files: Path, tmp_path: Path) -> None:
    ended = wikibias(*command(files, tmp_path, "--device", "cuda"))
    ended.refused("Error: --device cuda: torch finds no GPU here; leave the option out")


def test_noisy_sentences_are_learnt_first(files: Path, tmp_path: Path) -> None:
    first = f"--train-first={files / 'noisy.tsv'}"
    wikibias(*command(files, tmp_path, first, epochs=2)).well()
    described = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert described["data"]["first"]["sentences"] == 60
    assert len(described["training"]["first"]["losses"]) == 2
    ended = wikibias(*command(files, tmp_path, f"--train-first={files / 'train.tsv'}"))
    ended.refused("every sentence of it is in train, dev or test, too", code=1)
    one_stage = ["classify", "--model", "lr", first, f"--train={files / 'train.tsv'}"]
    wikibias(*one_stage, "-o", tmp_path / "lr").refused("--train-first: lr learns in one stage")


def test_batches_are_added_up_and_a_missing_model_is_one_line(files: Path, tmp_path: Path) -> None:
    wikibias(*command(files, tmp_path, "--set=batch=4", "--set=accumulate=4", epochs=2)).well()
    described = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert described["parameters"]["base"] == str(files / "base")
    assert described["parameters"]["accumulate"] == 4
    train = f"--train={files / 'train.tsv'}"
    nowhere = ["classify", "--model", "encoder", "--base=no-such-model", train]
    ended = wikibias(*nowhere, "-o", tmp_path / "none")
    ended.refused("no-such-model: there is no such folder, and no package of that name")

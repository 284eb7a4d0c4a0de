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
from sample_sentences import made_up
from wikibias.cli import main

pytestmark = pytest.mark.neural

SAME = ("model.safetensors", "head.safetensors", "model.json", "scores.json")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for name, count, seed in (("train", 200, 1), ("dev", 40, 5), ("noisy", 60, 9)):
        lines = [f"{label}\t{text}\n" for label, text in made_up(count, seed)]
        (folder / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")
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
        *(
            "classify",
            "--model",
            "encoder",
            f"--set=base={files / 'base'}",
            f"--set=epochs={epochs}",
        ),
        *("--set=patience=99", "--set=rate=1e-3", "-o", str(out)),
        *(f"--train={files / 'train.tsv'}", f"--dev={files / 'dev.tsv'}", *more),
    ]


def run(arguments: Sequence[str]) -> int:
    """Run the real command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as done:
        main([*arguments])
    return int(done.value.code or 0)


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


def test_a_killed_training_goes_on_to_the_same_model(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unbroken, broken = tmp_path / "unbroken", tmp_path / "broken"
    kill(command(files, broken))
    assert [*broken.rglob("trainer_state.json")]
    assert not (broken / "model.json").exists()

    assert run(command(files, broken, epochs=9)) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert "a checkpoint of a training with other settings; --overwrite begins anew" in line

    assert run(command(files, broken)) == 0
    told = capsys.readouterr().err
    assert "goes on after" in told
    assert "trains on cpu in float32" in told
    assert run(command(files, unbroken)) == 0
    for name in SAME:
        assert (unbroken / name).read_bytes() == (broken / name).read_bytes(), name
    assert not (broken / ".checkpoints").exists()
    training = json.loads((broken / "scores.json").read_text(encoding="utf-8"))["training"]
    assert (training["device"], training["precision"]) == ("cpu", "float32")
    assert "training: on cpu in float32" in (broken / "README.md").read_text(encoding="utf-8")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_one_line(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command(files, tmp_path, "--device", "cuda")) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Error: --device cuda: torch finds no GPU here; leave the option out")


def test_noisy_sentences_are_learnt_first(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = f"--train-first={files / 'noisy.tsv'}"
    assert run(command(files, tmp_path, first, epochs=2)) == 0
    described = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert described["data"]["first"]["sentences"] == 60
    assert len(described["training"]["first"]["losses"]) == 2
    assert run(command(files, tmp_path, f"--train-first={files / 'train.tsv'}")) == 1
    assert "every sentence of it is in train, dev or test, too" in capsys.readouterr().err
    one_stage = ["classify", "--model", "lr", first, f"--train={files / 'train.tsv'}"]
    assert run([*one_stage, "-o", str(tmp_path / "lr")]) == 2
    assert "--train-first: lr learns in one stage" in capsys.readouterr().err


def test_batches_are_added_up_and_a_model_that_is_not_there_is_one_line(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--set=batch=4", "--set=accumulate=4")
    assert run(command(files, tmp_path, *more, epochs=2)) == 0
    described = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert described["parameters"]["base"] == str(files / "base")
    assert described["parameters"]["accumulate"] == 4
    capsys.readouterr()
    train = f"--train={files / 'train.tsv'}"
    nowhere = ["classify", "--model", "encoder", "--base=no-such-model", train]
    assert run([*nowhere, "-o", str(tmp_path / "none")]) == 2
    (line,) = capsys.readouterr().err.splitlines()[-1:]
    assert "no-such-model: there is no such folder, and no package of that name" in line

"""fastText behind the protocol of models."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exports import wikibias
from sample_examples import examples
from wikibias.cli import model_comparison
from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import how_to_install
from wikibias.models.estimators import registry
from wikibias.models.examples import Splits
from wikibias.models.training import Task

TRAIN = examples("train", 240, 1)


def test_a_label_inside_a_sentence_does_not_reach_fasttext() -> None:
    model = registry.create("fasttext").fit(
        ["__label__biased the river\nx"] * 20 + TRAIN.texts, np.r_[[False] * 20, TRAIN.biased]
    )
    assert 0 <= model.predict_proba(["the river"])[0] <= 1


def test_without_the_extra_each_command_says_what_to_type(
    tsv: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.save(registry.create("fasttext").fit(TRAIN.texts, TRAIN.biased), tmp_path, {})
    monkeypatch.setitem(sys.modules, "fasttext", None)
    files = ["--train", tsv["train"], "--test", tsv["test"], "-o", tmp_path / "out"]
    advice = f"Error: fastText is not installed; run: {how_to_install('fasttext')}"
    done = wikibias("classify", "--model", "fasttext", *files)
    assert (done.code, done.errors) == (2, [advice])
    done = wikibias("predict", tmp_path, stdin=b"one\n")
    assert (done.code, done.errors) == (2, [advice])
    done = wikibias("classify", "--compare", "--models", "majority,fasttext", *files)
    assert (done.code, done.errors) == (2, [f"{advice} (or leave it out: --models majority)"])
    found = model_comparison._usable_models(Task(Splits(), tmp_path))
    assert {*registry.OWN} - {*found} - {"encoder", "gru"} == {"fasttext"}


@pytest.mark.parametrize(
    "parameters",
    [{"ngrams": -1}, {"dim": 10**12}, {"epoch": "x"}, {"rate": float("nan")}, {"loss": "evil"}],
)
def test_values_that_would_end_the_process_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"fasttext: {next(iter(parameters))} must be"):
        registry.create("fasttext", **parameters)


def test_a_damaged_model_is_not_given_to_fasttext(tmp_path: Path) -> None:
    """It does not notice, and may end the process."""
    registry.save(registry.create("fasttext", dim=2).fit(TRAIN.texts, TRAIN.biased), tmp_path, {})
    content = bytearray((tmp_path / "model.bin").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(WikibiasError, match=r"model\.bin: damaged"):
        registry.load(tmp_path)

"""fastText behind the protocol of models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sample_examples import examples
from wikibias.errors import UsageError, WikibiasError
from wikibias.models.estimators import registry

TRAIN = examples("train", 240, 1)


def test_a_label_inside_a_sentence_does_not_reach_fasttext() -> None:
    model = registry.create("fasttext").fit(
        ["__label__biased the river\nx"] * 20 + TRAIN.texts, np.r_[[False] * 20, TRAIN.biased]
    )
    assert 0 <= model.predict_proba(["the river"])[0] <= 1


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

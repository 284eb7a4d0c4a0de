"""The bias that a classifier of ours finds in texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import wikibias
from wikibias.errors import WikibiasError
from wikibias.research.neutralising.bias_left import bias_by


def test_texts_get_the_probability_of_the_classifier(tmp_path: Path) -> None:
    lines = [f"biased\tthe truly great mill {n}\nneutral\tthe mill of {n}" for n in range(40)]
    (tmp_path / "train.tsv").write_text("\n".join(lines) + "\n")
    out = tmp_path / "m"
    assert (
        wikibias("classify", "--model", "lr", "--train", tmp_path / "train.tsv", "-o", out).code
        == 0
    )
    biased, empty, neutral = bias_by(out)(["a truly great hall", " ", "the hall of 1900"])
    assert biased > 0.5 > neutral > empty == 0.0


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match="no model"):
        bias_by(tmp_path)

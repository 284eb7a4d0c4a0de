"""The outputs of the commands on the samples, held against those of `golden_outputs.py`."""

import json
from pathlib import Path

from golden.golden_outputs import (
    CHECKSUMS,
    REAL_CHECKSUMS,
    TEXTS,
    outputs,
    real_commands,
    sample_commands,
)


def test_outputs_of_the_samples_are_the_same(tmp_path: Path) -> None:
    """Tables, corpora, pairs and exports; what pages, cards and the terminal say."""
    sums, texts = outputs(sample_commands(tmp_path), tmp_path)
    assert sums == json.loads(CHECKSUMS.read_text("utf-8"))
    golden = {
        path.relative_to(TEXTS).with_suffix("").as_posix(): path.read_text("utf-8")
        for path in TEXTS.rglob("*.txt")
    }
    assert sorted(texts) == sorted(golden)
    assert [name for name in golden if texts[name] != golden[name]] == []


def test_tables_and_corpora_of_real_histories_are_the_same(shared: Path, tmp_path: Path) -> None:
    sums, _ = outputs(real_commands(tmp_path, shared / "dumps"), tmp_path)
    assert sums == json.loads(REAL_CHECKSUMS.read_text("utf-8"))

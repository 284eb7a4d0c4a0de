"""The outputs of the commands on the samples, held against those of `golden_outputs.py`."""

import json
from pathlib import Path

import pytest
from golden.golden_outputs import (
    CHECKSUMS,
    REAL_CHECKSUMS,
    TEXTS,
    outputs,
    real_commands,
    sample_commands,
)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], dict[str, str]]:
    """Checksums and texts of all commands on the samples."""
    out = tmp_path_factory.mktemp("golden")
    return outputs(sample_commands(out), out)


def test_tables_corpora_pairs_and_exports_are_the_same(
    samples: tuple[dict[str, str], dict[str, str]],
) -> None:
    assert samples[0] == json.loads(CHECKSUMS.read_text("utf-8"))


def test_pages_cards_and_the_terminal_say_the_same(
    samples: tuple[dict[str, str], dict[str, str]],
) -> None:
    golden = {
        path.relative_to(TEXTS).with_suffix("").as_posix(): path.read_text("utf-8")
        for path in sorted(TEXTS.rglob("*.txt"))
    }
    assert sorted(samples[1]) == sorted(golden)
    assert [name for name in golden if samples[1][name] != golden[name]] == []


def test_tables_and_corpora_of_real_histories_are_the_same(shared: Path, tmp_path: Path) -> None:
    sums, _ = outputs(real_commands(tmp_path, shared / "dumps"), tmp_path)
    assert sums == json.loads(REAL_CHECKSUMS.read_text("utf-8"))

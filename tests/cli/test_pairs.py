"""`wikibias pairs` as people type it."""

from __future__ import annotations

from pathlib import Path

from exports import wikibias
from sample_corpora import corpus


def test_a_folder_without_a_result(tmp_path: Path) -> None:
    done = wikibias("pairs", tmp_path, "--out", tmp_path / "out")
    assert done.code == 2
    assert "holds no result" in done.err
    assert len(done.err.splitlines()) == 1


def test_it_does_not_write_over_what_it_reads() -> None:
    for out in (corpus(), corpus() / "transitions"):
        done = wikibias("pairs", corpus(), "--overwrite", "--out", out)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
        assert "a folder of its own" in done.err


def test_the_files_of_a_result(tmp_path: Path) -> None:
    done = wikibias("pairs", corpus(), "--rules", "wnc", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["export.json", "funnel.json", "pairs.parquet", "pairs.tsv"]

"""What `wikibias pairs` does not take."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports import wikibias
from paths import SAMPLES
from sample_corpora import corpus

PUBLISHED = (
    "source\ttarget\n"
    "The splendid bridge crosses the river near the mill.\t"
    "The bridge crosses the river near the mill.\n"
)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Return a file of pairs of somebody."""
    path = tmp_path / "published.tsv"
    path.write_text(PUBLISHED, "utf-8")
    return path


def refused(*words: object) -> str:
    """Return the one line that a command is refused with."""
    done = wikibias("pairs", *words)
    assert done.code == 2, done.out
    (line,) = done.err.splitlines()
    return line


def test_pairs_of_ours_are_not_filtered_again(published: Path, tmp_path: Path) -> None:
    ours = tmp_path / "pairs"
    assert wikibias("pairs", published, "--out", ours).code == 0
    assert wikibias("export", ours, "--format", "jsonl", "--out", tmp_path / "sent").code == 0
    exported = sorted((tmp_path / "sent").rglob("*.jsonl"))
    assert exported
    for path in (ours, ours / "pairs.parquet", ours / "pairs.tsv", exported[0]):
        assert "filtered already" in refused(path, "--out", tmp_path / "again")
    # A file of somebody may lie beside them.
    beside = published.rename(ours / published.name)
    assert wikibias("pairs", beside, "--out", tmp_path / "again").code == 0


def test_a_dump_is_told_to_go_to_detect(tmp_path: Path) -> None:
    dump = next(SAMPLES.glob("demoenwiki-*.7z"))
    assert "`wikibias detect --signal summary`" in refused(dump, "--out", tmp_path / "out")


def test_reverts_are_a_matter_of_our_own_rules(published: Path, tmp_path: Path) -> None:
    for path, rules in ((published, "own"), (corpus(), "wnc")):
        said = refused(path, "--reverts", "keep", "--rules", rules, "--out", tmp_path / "out")
        assert "--reverts is for --rules own" in said


def test_it_does_not_write_over_what_it_reads() -> None:
    for out in (corpus(), corpus() / "transitions"):
        done = wikibias("pairs", corpus(), "--overwrite", "--out", out)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
        assert "a folder of its own" in done.err


def test_options_of_files_are_refused_for_a_folder(tmp_path: Path) -> None:
    done = wikibias("pairs", corpus(), "--source", "1", "--out", tmp_path / "out")
    assert done.code == 2
    assert "--source" in done.err


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(PUBLISHED, "utf-8")
    done = wikibias("pairs", tmp_path / "pairs.tsv", "--overwrite", "--out", tmp_path)
    assert done.code == 2
    assert (tmp_path / "pairs.tsv").read_text("utf-8") == PUBLISHED

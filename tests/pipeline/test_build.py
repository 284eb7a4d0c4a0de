"""The stage `build`, over all parts."""

import json
import shutil
from pathlib import Path

import pytest

from exports import files, rows, wikibias
from wikibias.pipeline import build
from wikibias.pipeline.stages import named


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """The kept edits of four parts, without their corpus."""
    out = Path(shutil.copytree(template / "out", tmp_path / "out"))
    shutil.rmtree(out / "corpus")
    return out


def test_the_corpus_is_of_all_parts(folder: Path) -> None:
    assert wikibias("build", folder).code == 0
    assert set(named("build").files) <= {f"corpus/{name.name}" for name in folder.glob("corpus/*")}
    kept = {row["after_rev_id"] for row in rows(folder, "edits")}
    biased = [row for row in rows(folder, "corpus") if row["label"] == "biased"]
    assert {row["after_rev_id"] for row in biased} == kept
    corpus = json.loads((folder / "manifest.json").read_text())["corpus"]
    assert sum(corpus["splits"].values()) == len(rows(folder, "corpus"))


def test_another_seed_makes_another_corpus_of_the_same_sentences(folder: Path) -> None:
    assert wikibias("build", folder).code == 0
    before = files(folder, "corpus")
    assert wikibias("build", "--seed", 3, "--restart", folder).code == 0
    assert files(folder, "corpus") != before
    assert wikibias("build", "--seed", 0, "--restart", folder).code == 0
    assert files(folder, "corpus") == before


def test_what_is_too_much_to_remember_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wikibias("build", "--pairs", "--restart", folder).code == 0
    before = files(folder, "corpus")
    monkeypatch.setattr(build, "_MOST_REMEMBERED", 0)
    assert wikibias("build", "--pairs", "--restart", folder).code == 0
    assert files(folder, "corpus") == before


def test_tables_that_do_not_belong_together(folder: Path) -> None:
    """As after copying a part of another result here."""
    for name in ("edits", "rejects"):
        (folder / name / "part2.xml.parquet").unlink()
        shutil.copy(folder / name / "part1.xml.parquet", folder / name / "part2.xml.parquet")
    ended = wikibias("build", folder)
    assert ended.code == 1
    (line,) = ended.errors
    assert "part2.xml: `edits` holds an edit that `diffs` lacks" in line
    assert f"wikibias filter --restart {folder}" in line
    assert not list(folder.glob("corpus/*.parquet"))


def test_tiers_and_limits_are_settings_of_the_corpus(folder: Path) -> None:
    assert wikibias("build", "--max-per-edit", 1, "--restart", folder).code == 0
    biased = [row["after_rev_id"] for row in rows(folder, "corpus") if row["label"] == "biased"]
    assert len(biased) == len(set(biased)) == len(rows(folder, "edits"))
    corpus = json.loads((folder / "manifest.json").read_text())["corpus"]
    assert corpus["left_out"]["max_per_edit"]["removed"] == len(biased)
    refused = wikibias("build", "--min-tier", "high", folder)
    assert refused.code == 2
    assert "min_tier" in refused.errors[0]
    assert wikibias("build", "--min-tier", "high", "--restart", folder).code == 0
    assert all(row["tier"] == "high" for row in rows(folder, "corpus"))


def test_pairs_are_written_on_request_and_go_with_the_corpus(folder: Path) -> None:
    written = {"corpus/pairs.parquet", "corpus/pairs.tsv"}
    assert wikibias("build", "--pairs", "--restart", folder).code == 0
    files_of = json.loads((folder / "manifest.json").read_text())["corpus"]["files"]
    assert written <= files_of.keys()
    before = files(folder, "corpus")
    (folder / "corpus/pairs.tsv").unlink()
    assert wikibias("build", "--pairs", "--restart", folder).code == 0
    assert files(folder, "corpus") == before
    assert wikibias("build", "--restart", folder).code == 0
    assert not any((folder / name).exists() for name in written)

"""`wikibias export` as people type it."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exports import wikibias
from paths import SAMPLES
from sample_corpora import corpus


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a corpus to write into."""
    shutil.copytree(corpus(), tmp_path / "en")
    return tmp_path / "en"


def test_it_writes_beside_the_corpus_and_again_over_itself(folder: Path) -> None:
    for _ in range(2):
        done = wikibias("export", "--format", "csv", folder)
        assert done.code == 0
        assert done.out.strip().endswith("export/csv")
    assert (folder / "export/csv/train.csv").is_file()
    # The run itself goes on as before, and the export does not disturb it.
    assert wikibias("status", folder).code == 0


def test_what_people_changed_is_theirs(folder: Path) -> None:
    assert wikibias("export", "--format", "jsonl", folder).code == 0
    (folder / "export/jsonl/train.jsonl").write_text("mine")
    refused = wikibias("export", "--format", "jsonl", folder)
    assert refused.code == 2
    assert "train.jsonl" in refused.err
    assert len(refused.err.splitlines()) == 1
    assert wikibias("export", "--format", "jsonl", "--overwrite", folder).code == 0


def test_a_link_for_the_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (folder / "export").symlink_to(tmp_path / "far")
    assert wikibias("export", "--format", "csv", folder).code == 2
    assert list((tmp_path / "far").iterdir()) == []


def test_a_folder_without_a_result(tmp_path: Path) -> None:
    done = wikibias("export", tmp_path)
    assert done.code == 2
    assert "holds no result" in done.err


def test_what_needs_no_library_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikibias.kits.hub.find_spec", lambda name: None)
    refused = wikibias("export", folder)
    assert (refused.code, "choose --format csv, jsonl or parquet" in refused.err) == (2, True)


def test_a_corpus_with_several_labels_and_what_has_no_pairs(tmp_path: Path) -> None:
    sample, out = next(SAMPLES.glob("qualityenwiki-*.7z")), tmp_path / "out"
    made = wikibias("extract", "-q", "--lang", "en", "--signal", "citation", "-o", out, sample)
    assert made.code == 0
    refused = wikibias("export", "--format", "csv", out)
    assert (refused.code, "holds no corpus" in refused.err) == (2, False)
    advised = shlex.split(refused.err.split("`")[1])
    assert wikibias(*advised[1:]).code == 0
    of_pairs = wikibias("export", "--format", "bio", out / "labelled")
    assert "of several labels there is no form bio; choose" in of_pairs.err
    pairs = wikibias("pairs", out, "-o", tmp_path / "pairs")
    assert (pairs.code, "has no edit of a tag or summary" in pairs.err) == (2, True)
    assert not (tmp_path / "pairs").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_kill_leaves_nothing_half(folder: Path) -> None:
    words: list[str | Path] = [
        "-c",
        "from wikibias.cli import main; main()",
        "export",
        "--format",
        "csv",
        folder,
    ]
    run = subprocess.Popen([sys.executable, *words], stderr=subprocess.PIPE)
    while run.poll() is None and not list((folder / "export").glob(".wikibias*")):
        time.sleep(0.001)
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=30)
    # It was quicker, or there is nothing.
    left = [path.name for path in (folder / "export").iterdir()]
    assert left in ([], ["csv"])
    assert run.returncode == (0 if left else 130)

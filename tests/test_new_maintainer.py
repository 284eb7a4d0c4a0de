"""What a new maintainer adds takes at most two source files: here in a copy of the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from paths import ROOT, SAMPLES, cases

ADDITIONS = cases("additions")
SAMPLE = SAMPLES / "demoenwiki-20260101-pages-meta-history.xml.7z"


def change(checkout: Path, file: str, text: str, at: str | None = None) -> None:
    """Put a text before the only line of a file that is `at`, or into a new file."""
    path = checkout / file
    text = text.removeprefix("\n")
    if at is not None:
        content = path.read_text("utf-8")
        at = at.removeprefix("\n")
        assert content.count(f"\n{at}") == 1, f"{file} has no such place any more: {at}"
        text = content.replace(f"\n{at}", f"\n{text}{at}")
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with all additions, and a corpus that it made, in `corpora/en`."""
    folder = tmp_path_factory.mktemp("checkout")
    leave_out = shutil.ignore_patterns("__pycache__")
    for name in ("src", "configs"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave_out)
    (folder / "tagsets").symlink_to(ROOT / "tagsets")
    for (case,) in (each.values for each in ADDITIONS):
        for each in case["change"]:
            change(folder, **each)
    options = ("--lang", "en", "--workers", 1, "--signal", "tag", "--signal", "copy-edit")
    (folder / "said.txt").write_text(run(folder, "extract", *options, SAMPLE))
    return folder


def run(checkout: Path, *words: object) -> str:
    """Return what a command of the copy prints."""
    ended = subprocess.run(
        [sys.executable, "-m", "wikibias", *map(str, words)],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("case", ADDITIONS)
def test_an_addition_touches_at_most_two_source_files(case: dict[str, Any]) -> None:
    files = {each["file"] for each in case["change"]}
    assert len({file for file in files if file.startswith("src/")}) <= 2


def test_the_filter_drops_edits_and_stands_in_table_2(checkout: Path) -> None:
    assert "a very long sentence" in (checkout / "said.txt").read_text()


def test_the_signal_finds_edits(checkout: Path) -> None:
    assert " copy-edit edits (" in (checkout / "said.txt").read_text()


def test_the_column_is_in_the_corpus_and_in_its_exports(checkout: Path) -> None:
    table = pq.read_table(checkout / "corpora/en/corpus/train.parquet", columns=None)
    texts, lengths = table["text"].to_pylist(), table["characters"].to_pylist()
    assert lengths == [len(str(text)) for text in texts]
    run(checkout, "export", "--format", "csv")
    header = (checkout / "corpora/en/export/csv/train.csv").read_text("utf-8-sig").splitlines()[0]
    assert "characters" in header.split(",")


def test_the_section_is_on_the_page_and_in_its_contents(checkout: Path) -> None:
    run(checkout, "report")
    assert "How many edits" in (checkout / "corpora/en/report.html").read_text("utf-8")


def test_the_command_is_listed_and_runs(checkout: Path) -> None:
    assert "  hello       Greet somebody." in run(checkout, "--help")
    assert run(checkout, "hello", "Ada") == "Hello, Ada!\n"

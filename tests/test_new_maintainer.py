"""What a new maintainer adds takes at most two source files: here in a copy of the package."""

import json
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
    return folder


COMMANDS = [
    f"extract --lang en --workers 1 --signal tag --signal copy-edit {SAMPLE}",
    *("export --format csv", "report", "--help", "hello Ada"),
]
RUN = """
import contextlib, io, json, sys
from wikibias.cli import main
for command in sys.argv[1:]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(command.split())
    print(json.dumps(out.getvalue()))
"""


@pytest.fixture(scope="module")
def said(checkout: Path) -> dict[str, str]:
    """What commands of the copy print."""
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *COMMANDS],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert "Error" not in ended.stderr, ended.stderr
    outs = map(json.loads, ended.stdout.splitlines())
    return {command.split()[0]: out for command, out in zip(COMMANDS, outs, strict=True)}


@pytest.mark.parametrize("case", ADDITIONS)
def test_an_addition_touches_at_most_two_source_files(case: dict[str, Any]) -> None:
    files = {each["file"] for each in case["change"]}
    assert len({file for file in files if file.startswith("src/")}) <= 2


def test_the_filter_drops_edits_and_stands_in_table_2(said: dict[str, str]) -> None:
    assert "a very long sentence" in said["extract"]


def test_the_signal_finds_edits(said: dict[str, str]) -> None:
    assert " copy-edit edits (" in said["extract"]


@pytest.mark.usefixtures("said")
def test_the_column_is_in_the_corpus_and_in_its_exports(checkout: Path) -> None:
    table = pq.read_table(checkout / "corpora/en/corpus/train.parquet", columns=None)
    texts, lengths = table["text"].to_pylist(), table["characters"].to_pylist()
    assert lengths == [len(str(text)) for text in texts]
    header = (checkout / "corpora/en/export/csv/train.csv").read_text("utf-8-sig").splitlines()[0]
    assert "characters" in header.split(",")


@pytest.mark.usefixtures("said")
def test_the_section_is_on_the_page_and_in_its_contents(checkout: Path) -> None:
    assert "How many edits" in (checkout / "corpora/en/report.html").read_text("utf-8")


def test_the_command_is_listed_and_runs(said: dict[str, str]) -> None:
    assert "  hello       Greet somebody." in said["--help"]
    assert said["hello"] == "Hello, Ada!\n"

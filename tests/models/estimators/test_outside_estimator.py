"""A package of somebody else adds an estimator, written and installed as the guide says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT

GUIDE = ROOT / "docs" / "how-to" / "add-an-estimator.md"
_FILE = re.compile(r"`(wikibias-length/[\w.]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
QUICK = ("--resamples", "20")


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package of the guide, installed by pip."""
    folder = tmp_path_factory.mktemp("outside")
    for name, content in _FILE.findall(GUIDE.read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    options = "-qq --no-index --no-deps --no-build-isolation --target plugins"
    install = [sys.executable, "-m", "pip", "install", *options.split(), "./wikibias-length"]
    subprocess.run(install, cwd=folder, check=True)
    return folder / "plugins"


def wikibias(plugins: Path | None, *arguments: object, stdin: str = "") -> tuple[int, str]:
    """Run the command line in a new process; return the exit code, and all that it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "wikibias", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(plugins or "")},
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_it_is_trained_and_predicts_by_its_name(
    plugins: Path, corpus: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m"
    code, printed = wikibias(plugins, "classify", "--model", "length", corpus, *QUICK, "-o", model)
    assert code == 0, printed
    assert "length on test (80 sentences, too few to judge by)" in printed
    assert json.loads((model / "model.json").read_text())["parameters"] == {"steepness": 0.1}
    code, printed = wikibias(plugins, "predict", model, stdin="one\n" + "one two three " * 9)
    assert code == 0, printed
    short, long = (float(line.split("\t")[0]) for line in printed.splitlines())
    assert short < 0.5 < long
    code, printed = wikibias(None, "predict", model, stdin="one\n")
    assert code == 1
    assert "nothing installed adds a model 'length'" in printed


def test_it_stands_beside_our_own_in_a_comparison(plugins: Path, corpus: Path) -> None:
    models = ("--models", "majority,length")
    code, printed = wikibias(plugins, "classify", "--compare", *models, corpus, *QUICK)
    assert code == 0, printed
    scores = json.loads((corpus / "models" / "comparison" / "scores.json").read_text())
    assert list(scores["models"]) == ["majority", "length"]


def test_its_parameters_are_searched_and_checked(
    plugins: Path, corpus: Path, tmp_path: Path
) -> None:
    space = tmp_path / "space.toml"
    space.write_text("[space]\nsteepness = [0.1, -0.1]\n")
    grid = ("classify", "--model", "length", corpus, *QUICK, "--grid-file", space, "--jobs", 1)
    code, printed = wikibias(plugins, *grid)
    assert code == 0, printed
    assert "of 2 parameter combinations" in printed
    space.write_text("[space]\nsteepnes = [1]\n")
    code, printed = wikibias(plugins, *grid, "--overwrite")
    assert code == 2, printed
    assert "model 'length': got an unexpected keyword argument 'steepnes'" in printed

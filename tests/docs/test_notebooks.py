"""The notebooks run from their first cell to their last, and hold no outputs."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_server import PLACE, asking, forks
from paths import ROOT

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # of so small corpora


def run(name: str, cells: int) -> dict[str, Any]:
    notebook = json.loads((ROOT / "docs/notebooks" / name).read_text(encoding="utf-8"))
    assert len(notebook["cells"]) == cells
    known: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec("".join(cell["source"]), known)
    return known


def test_a_corpus_in_ten_cells(cwd: Path) -> None:
    known = run("corpus.ipynb", 10)
    assert known["corpus"]["label"].value_counts().to_dict() == {"biased": 65, "neutral": 65}
    assert known["probabilities"][0] > 0.5
    assert known["page"].is_file()


def test_five_papers_in_twenty_cells(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACE, forks())
    monkeypatch.setattr("sys.executable", asking(cwd))
    known = run("papers.ipynb", 20)
    assert len(known["corpus"]) == 134
    assert known["scores"].loc["sgd", "f1"] > 0.8
    assert known["biased"]["edit_type"].map(len).sum() == 11
    assert {"citation", "clarification"} <= {*known["labelled"]["labels"].explode()}
    assert known["agreement"]["krippendorff"]["nominal"]

"""Which side of an edit is called biased."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wikibias.errors import WikibiasError
from wikibias.models.evaluation import experiment
from wikibias.models.examples import LABELS, Examples
from wikibias.models.reading import read_files


def edits(removed: list[str], added: list[str], page: int) -> list[tuple[str, str, int]]:
    return [*((t, "removed", page) for t in removed), *((t, "added", page) for t in added)]


def test_whole_sides_of_an_edit_are_compared() -> None:
    rows = [
        *edits(["one truly great"], ["one"], 1),
        *edits(["a", "b"], ["c"], 2),
        *edits(["only removed"], [], 3),
    ]
    part = Examples(
        "made up",
        [text for text, *_ in rows],
        np.array([role == "removed" for _, role, _ in rows]),
        np.arange(len(rows)),
        pages=np.array([page for *_, page in rows]),
        edits=np.array([page * 10 for *_, page in rows]),
        roles=[role for _, role, _ in rows],
    )
    result = experiment.evaluate(part, np.array([0.9, 0.2, 0.1, 0.3, 0.2, 0.5]))
    assert result["edits"] == 2  # an edit with one side only is no pair
    assert result["accuracy"]["value"] == 0.75  # one right, one tie of means
    assert result["constant"]["accuracy"]["value"] == 0.5


def test_edits_of_a_single_page_still_have_an_interval() -> None:
    rows = [row for i in range(20) for row in edits([f"r{i}"], [f"a{i}"], i)]
    part = Examples(
        "made up",
        [text for text, *_ in rows],
        np.array([role == "removed" for _, role, _ in rows]),
        np.arange(len(rows)),
        pages=np.ones(len(rows), dtype=np.int64),
        edits=np.array([edit for *_, edit in rows]),
        roles=[role for _, role, _ in rows],
    )
    accuracy = experiment.evaluate(part, np.random.default_rng(0).random(len(rows)))["accuracy"]
    assert accuracy["low"] < accuracy["value"] < accuracy["high"]


def test_pairs_need_to_know_the_edits(tsv: dict[str, Path]) -> None:
    part = read_files({"train": tsv["dev"]}, LABELS, print).train
    with pytest.raises(WikibiasError, match="--task pairs needs a corpus directory"):
        experiment.evaluate(part, np.zeros(len(part)))

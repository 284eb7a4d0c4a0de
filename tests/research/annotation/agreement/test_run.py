"""Everything that is told of the agreement of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from wikibias.kits.tables import write_rows
from wikibias.research.annotation.agreement import agreement, read_compared

TASKS = [
    {"item": "s1", "text": "The town is lovely.", "kind": "sample"},
    {"item": "s2", "text": "It has a bridge.", "kind": "sample"},
    {"item": "r1", "text": "The town is lovely.", "kind": "repeat", "repeat_of": "s1"},
    {"item": "c1", "text": "It rains.", "kind": "control"},
    {"item": "p1", "text": "What a day!", "kind": "practice"},
]
SAID = {
    "ann": {"s1": "biased", "s2": "neutral", "r1": "biased", "c1": "biased", "p1": "biased"},
    "bob": {"s1": "biased", "s2": "neutral", "r1": "neutral", "c1": "neutral", "x1": "biased"},
}


def told(tmp_path: Path, warnings: list[str]) -> dict[str, Any]:
    """Return the agreement of two annotators on tasks of all kinds."""
    rows = [
        {"item": item, "annotator": who, "bias": label}
        for who, of in SAID.items()
        for item, label in of.items()
    ]
    write_rows(tmp_path / "answers.jsonl", rows)
    write_rows(tmp_path / "tasks.jsonl", TASKS)
    given = read_compared([tmp_path / "answers.jsonl"], tasks=tmp_path / "tasks.jsonl")
    return agreement(given, order=None, resamples=20, seed=0, warn=warnings.append)


def test_only_the_sample_counts_for_agreement(tmp_path: Path) -> None:
    warnings: list[str] = []
    found = told(tmp_path, warnings)
    assert (found["items"], found["answers"]) == (2, 4)
    assert found["krippendorff"]["nominal"]["value"] == 1
    assert found["repeats"]["ann"]["percentage"]["value"] == 1
    assert found["repeats"]["bob"]["percentage"]["value"] == 0
    assert found["controls"]["items"] == 1
    assert found["controls"]["annotators"]["ann"]["ticked"]["value"] == 1
    assert found["controls"]["annotators"]["bob"]["ticked"]["value"] == 0
    assert warnings == ["1 sentence left out that the tasks lack, such as 'x1'"]


@pytest.mark.parametrize(
    ("labels", "warned"),
    [
        (("01", "10"), False),
        (("11", "00"), False),
        (("01", "ab"), True),
        (("00", "ab"), True),
        ((["[1]"] * 2, ["[2]", "[]"]), False),
    ],
)
def test_labels_that_never_meet_are_told(
    tmp_path: Path, labels: tuple[Sequence[str], Sequence[str]], *, warned: bool
) -> None:
    rows = [{"item": n, "ann": labels[0][n], "bob": labels[1][n]} for n in (0, 1)]
    write_rows(tmp_path / "w.csv", rows)
    given = read_compared([tmp_path / "w.csv"], columns="ann,bob")
    warnings: list[str] = []
    agreement(given, order=None, resamples=5, seed=0, warn=warnings.append)
    assert [line.partition(" (")[0] for line in warnings] == [
        "ann and bob have no label in common"
    ] * warned


def test_each_annotator_is_described(tmp_path: Path) -> None:
    found = told(tmp_path, [])
    assert found["values"] == ["biased", "neutral"]
    assert found["annotators"]["bob"] == {
        "answers": 2,
        "unparsed": 0,
        "values": {"biased": 1, "neutral": 1},
    }
    assert (found["resamples"], found["seed"]) == (20, 0)


def test_the_same_seed_says_the_same(tmp_path: Path) -> None:
    assert told(tmp_path, []) == told(tmp_path, [])

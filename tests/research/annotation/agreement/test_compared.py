"""Answers, and what is known of their items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.agreement import read_compared

ROWS: list[dict[str, Any]] = [
    {
        "item": "s1",
        "annotator": "ann",
        "bias": "biased",
        "genre": "town",
        "spans": [{"start": 0, "end": 3, "label": "framing"}],
    },
    {"item": "s1", "annotator": "bob", "bias": "neutral", "genre": "town", "spans": []},
    {"item": "s2", "annotator": "ann", "bias": "neutral", "genre": "river", "spans": None},
]
TASKS: list[dict[str, Any]] = [
    {
        "item": "s1",
        "text": "The town is lovely.",
        "stratum": "bin=1-2 tag=POV check",
        "tier": "high",
    },
    {"item": "s2", "text": "It has a bridge.", "stratum": "bin=16- tag=Weasel", "tier": "low"},
]


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows to a table."""
    write_rows(path, rows)
    return path


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_spans_are_read_from_either_form(tmp_path: Path, ending: str) -> None:
    found = read_compared([written(tmp_path / f"a.{ending}", ROWS)])
    assert found.answers.items == ["s1", "s2"]
    assert {who: len(marks) for who, marks in found.spans.items()} == {
        ("s1", "ann"): 1,
        ("s1", "bob"): 0,
    }


def test_the_stratum_groups_by_each_of_its_parts(tmp_path: Path) -> None:
    answers = written(tmp_path / "a.jsonl", ROWS)
    tasks = written(tmp_path / "t.jsonl", TASKS)
    found = read_compared([answers], tasks=tasks)
    assert found.groups == {
        "bin": {"s1": "1-2", "s2": "16-"},
        "tag": {"s1": "POV check", "s2": "Weasel"},
    }
    assert found.texts["s2"] == "It has a bridge."
    for by, groups in {
        "bin": {"s1": "1-2", "s2": "16-"},
        "tier": {"s1": "high", "s2": "low"},
        "genre": {"s1": "town", "s2": "river"},
    }.items():
        assert read_compared([answers], tasks=tasks, by=by).groups == {by: groups}


def test_a_wide_table_has_columns_that_group(tmp_path: Path) -> None:
    rows = [
        {"text": "Old.", "a": 0, "b": 1, "page": 7},
        {"text": "New.", "a": 1, "b": 1, "page": 9},
    ]
    found = read_compared([written(tmp_path / "w.csv", rows)], columns="a,b", by="page")
    assert found.groups == {"page": {"1": "7", "2": "9"}}
    assert found.texts == {"1": "Old.", "2": "New."}


def test_says_which_group_was_meant(tmp_path: Path) -> None:
    answers = written(tmp_path / "a.jsonl", ROWS)
    with pytest.raises(UsageError, match="did you mean 'genre'"):
        read_compared([answers], by="genres")


def test_tasks_of_another_sample_are_refused(tmp_path: Path) -> None:
    tasks = written(tmp_path / "t.jsonl", [{"item": "x9", "text": "It rains."}])
    with pytest.raises(WikibiasError, match="none of its items"):
        read_compared([written(tmp_path / "a.jsonl", ROWS)], tasks=tasks)


@pytest.mark.parametrize(
    "spans", ["[", "{}", '"x"', '[{"start": 0}]', '[{"start": 3, "end": 1}]', "[7]", "[" * 9999]
)
def test_broken_spans_are_named_by_row(tmp_path: Path, spans: str) -> None:
    rows = [{"item": "s1", "bias": "biased", "spans": spans}]
    with pytest.raises(WikibiasError, match=r"a\.jsonl:1: (a span|spans)"):
        read_compared([written(tmp_path / "a.jsonl", rows)])

"""Tests of gold labels beside answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answers import meanings, read_with_gold

KNOWN = meanings(None)


def test_a_wide_table_has_a_column_of_gold(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows: list[dict[str, Any]] = [
        {"gold": 1, "a@x": "biased", "b@x": "?"},
        {"gold": 0, "a@x": "neutral", "b@x": ""},
        {"gold": "", "a@x": "1", "b@x": "1"},
    ]
    write_rows(path, rows)
    found = read_with_gold([path], "gold", "gold,*@*", KNOWN)
    assert found.gold.tolist() == [True, False]
    assert {name: said.tolist() for name, said in found.said.items()} == {
        "a@x": [1, 0],
        "b@x": [-1, -2],
    }
    assert found.without_gold == 1


def test_long_tables_have_an_annotator_of_gold(tmp_path: Path) -> None:
    write_rows(tmp_path / "gold.csv", [{"item": "x", "vote": "yes"}, {"item": "y", "vote": "no"}])
    answers = [
        {"item": "y", "annotator": "m@1", "bias": "biased"},
        {"item": "z", "annotator": "m@1", "bias": "?"},
    ]
    write_rows(tmp_path / "llm.jsonl", answers)
    paths = [tmp_path / "gold.csv", tmp_path / "llm.jsonl"]
    for columns in (None, "m@*"):
        found = read_with_gold(paths, "gold", columns, KNOWN)
        assert found.gold.tolist() == [True, False]
        assert {name: said.tolist() for name, said in found.said.items()} == {"m@1": [-2, 1]}


def test_one_long_table_may_hold_the_gold_and_all_others(tmp_path: Path) -> None:
    said = {"human": 1, "m@1": 1, "m@2": 0, "other": 0}
    rows = [{"item": "x", "annotator": who, "bias": label} for who, label in said.items()]
    write_rows(tmp_path / "all.csv", rows)
    for columns, names in ((None, ["m@1", "m@2", "other"]), ("*@*", ["m@1", "m@2"])):
        assert list(read_with_gold([tmp_path / "all.csv"], "human", columns, KNOWN).said) == names


@pytest.mark.parametrize(
    ("gold", "columns", "message"),
    [
        ("gold", None, "--columns: name the annotators' columns"),
        ("gild", "a", "no column 'gild'; did you mean 'gold'"),
        ("gold", "b", "no column 'b'"),
        ("gold", "gold", "chooses none but the gold labels"),
        ("none", "a", "no sentence has a gold label"),
        ("a", "odd", "odd: row 1: unknown label 'maybe'"),
    ],
)
def test_says_what_is_wrong(tmp_path: Path, gold: str, columns: str | None, message: str) -> None:
    path = tmp_path / "t.csv"
    write_rows(path, [{"gold": 1, "a": 1, "none": "", "odd": "maybe"}])
    with pytest.raises(WikibiasError, match=message):
        read_with_gold([path], gold, columns, KNOWN)


def test_gold_of_other_sentences_judges_nobody(tmp_path: Path) -> None:
    write_rows(tmp_path / "gold.csv", [{"item": "1", "label": "yes"}])
    write_rows(tmp_path / "ann.csv", [{"item": "s1", "label": "yes"}])
    paths = [tmp_path / "gold.csv", tmp_path / "ann.csv"]
    with pytest.raises(WikibiasError, match="do both name the same items"):
        read_with_gold(paths, "gold", None, KNOWN)


def test_columns_of_a_long_table_may_be_named(tmp_path: Path) -> None:
    rows = [{"s": "x", "who": who, "said": "yes"} for who in ("ann", "bob")]
    write_rows(tmp_path / "t.csv", rows)
    named = {"item": "s", "annotator": "who", "label": "said"}
    for columns in (None, "bob"):
        found = read_with_gold([tmp_path / "t.csv"], "ann", columns, KNOWN, **named)
        assert {name: said.tolist() for name, said in found.said.items()} == {"bob": [1]}


def test_names_who_is_meant(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", [{"item": "x", "annotator": "ann", "bias": 1}])
    with pytest.raises(UsageError, match="nobody is called 'an'; did you mean 'ann'"):
        read_with_gold([tmp_path / "t.csv"], "an", None, KNOWN)

"""Some columns of Parquet files that others may have written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wikibias.errors import WikibiasError
from wikibias.storage.some_columns import read_some_columns, some_rows


def write(path: Path, **noted: Any) -> Path:
    table = pa.table({"label": [0, 1, 7], "text": ["a", "b", "c"], "norm": ["x", "y", "z"]})
    if noted:
        table = table.replace_schema_metadata({"huggingface": json.dumps(noted)})
    pq.write_table(table, path)
    return path


def test_those_that_are_there_and_the_first_of_several(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet")
    assert read_some_columns(path, ["label", "none", "label"]) == {"label": [0, 1, 7]}
    found = read_some_columns(path, ["label"], ["sentence", "norm", "text"])
    assert found == {"norm": ["x", "y", "z"], "label": [0, 1, 7]}


def test_numbers_of_classes_come_back_as_their_names(tmp_path: Path) -> None:
    label = {"_type": "ClassLabel", "names": ["neutral", "biased"]}
    path = write(tmp_path / "a.parquet", info={"features": {"label": label, "text": {}}})
    assert read_some_columns(path, ["label"]) == {"label": ["neutral", "biased", 7]}
    rows = list(some_rows(path, ["label", "none"], ["sentence", "norm", "text"]))
    assert rows[0] == {"norm": "x", "label": "neutral"}
    assert [row["label"] for row in rows] == ["neutral", "biased", 7]


@pytest.mark.parametrize("noted", [{"info": 1}, {"info": {"features": []}}, {"x": {}}])
def test_notes_of_another_form_count_for_nothing(noted: dict[str, Any], tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", **noted)
    assert read_some_columns(path, ["label"]) == {"label": [0, 1, 7]}


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(WikibiasError, match=r"none\.parquet: not a Parquet file"):
        read_some_columns(tmp_path / "none.parquet", ["label"])
    with pytest.raises(WikibiasError, match=r"none\.parquet: not a Parquet file"):
        list(some_rows(tmp_path / "none.parquet", ["label"], []))

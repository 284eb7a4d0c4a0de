"""Copies of tables with other types."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wikibias.storage.parquet import DamagedTableError
from wikibias.storage.parquet_copy import copy_typed

NAMES = ("neutral", "biased")


def table(folder: Path, labels: list[str | None]) -> Path:
    path = folder / "a.parquet"
    pq.write_table(pa.table({"label": labels, "text": ["a"] * len(labels)}), path)
    return path


def test_classes_as_numbers_and_as_categories(tmp_path: Path) -> None:
    source = table(tmp_path, ["biased", None, "neutral"])
    features = {"label": {"names": list(NAMES), "_type": "ClassLabel"}}
    numbers, categories = tmp_path / "n.parquet", tmp_path / "c.parquet"
    assert copy_typed(source, numbers, {"label": NAMES}, numbered=True, features=features) == 3
    assert copy_typed(source, categories, {"label": NAMES}, numbered=False) == 3
    assert pq.read_table(numbers)["label"].to_pylist() == [1, None, 0]
    told = json.loads(pq.read_schema(numbers).metadata[b"huggingface"])
    assert told == {"info": {"features": features}}
    read = pq.read_table(categories)
    assert pa.types.is_dictionary(read.schema.field("label").type)
    assert read["label"].to_pylist() == ["biased", None, "neutral"]
    assert read["text"].to_pylist() == ["a"] * 3


def test_many_rows_and_none(tmp_path: Path) -> None:
    source = table(tmp_path, ["biased"] * 2500)
    assert copy_typed(source, tmp_path / "b.parquet", {"label": NAMES}, numbered=False) == 2500
    assert pq.read_table(tmp_path / "b.parquet").num_rows == 2500
    pq.write_table(pq.read_table(source).slice(0, 0), source)
    assert copy_typed(source, tmp_path / "e.parquet", {"label": NAMES}, numbered=True) == 0


def test_a_value_that_is_no_class_is_damage(tmp_path: Path) -> None:
    source = table(tmp_path, ["biased", "=cmd"])
    with pytest.raises(DamagedTableError, match="label is none of neutral, biased"):
        copy_typed(source, tmp_path / "b.parquet", {"label": NAMES}, numbered=True)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    source = tmp_path / "a.parquet"
    source.write_bytes(b"no table")
    with pytest.raises(DamagedTableError, match=r"a\.parquet is damaged"):
        copy_typed(source, tmp_path / "b.parquet", {}, numbered=True)

"""Rows of a table by a cell."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wikibias.storage import parquet
from wikibias.storage.parquet_search import check_columns, rows_with
from wikibias.storage.schemas import Table


@dataclass(frozen=True)
class Note:
    """A row with a list, a text and a number."""

    sentences: tuple[str, ...]
    text: str | None = None
    count: int | None = None
    when: datetime | None = None


NOTES = Table("notes", Note)


def write(path: Path, notes: list[Note]) -> None:
    with parquet.writing(path, NOTES, dict) as writer:
        for note in notes:
            writer.write(note)


def test_rows_are_found_by_a_cell_of_any_type(tmp_path: Path) -> None:
    """Row groups close at 2,000 rows, so the file has three."""
    notes = [
        Note((f"only {number}", "shared" if number % 2500 == 7 else ""), f"t{number:05}", number)
        for number in range(5000)
    ]
    path = tmp_path / "x.parquet"
    write(path, notes)
    assert pq.ParquetFile(path).num_row_groups == 3
    assert rows_with(path, "count", {4321, 17, 99_999}) == [17, 4321]
    assert rows_with(path, "text", ["t02000"]) == [2000]
    assert rows_with(path, "sentences", ["shared", "only 7"]) == [7, 2507]
    assert rows_with(path, "count", []) == []
    assert rows_with(path, "count", [1 << 70, 3]) == [3]
    assert rows_with(path, "text", ["\ud800", "t00003"]) == [3]
    rows = rows_with(path, "count", [1999, 2000, 4999])
    assert list(parquet.read_records(path, NOTES, rows)) == [notes[row] for row in rows]


def test_no_cell_of_a_null_column_is_found(tmp_path: Path) -> None:
    write(tmp_path / "x.parquet", [Note((), "a"), Note(("b",))])
    assert rows_with(tmp_path / "x.parquet", "count", [0]) == []
    assert rows_with(tmp_path / "x.parquet", "text", ["a", ""]) == [0]


def test_to_look_for_a_column_that_is_not_there_is_damage(tmp_path: Path) -> None:
    write(tmp_path / "x.parquet", [Note(())])
    with pytest.raises(parquet.DamagedTableError):
        rows_with(tmp_path / "x.parquet", "weight", [1])


def test_a_file_has_the_types_of_its_table(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write(path, [Note(("a",), "b", 1, datetime(2020, 1, 1, tzinfo=UTC))])
    check_columns(path, NOTES)
    table = pq.read_table(path)
    pq.write_table(table.drop(["text"]), path)
    check_columns(path, NOTES)
    pq.write_table(table.set_column(2, "count", pa.array(["1"])), path)
    with pytest.raises(parquet.DamagedTableError, match="column count is of type string"):
        check_columns(path, NOTES)

"""Finds rows of Parquet files by a cell, and checks that a file has the columns of its table."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikibias.storage.arrow_arrays import ARROW, arrow_array
from wikibias.storage.parquet import DamagedTableError, damage, open_file
from wikibias.storage.schemas import ColumnType, Table


def rows_with(path: Path, column: str, values: Iterable[int] | Iterable[str]) -> list[int]:
    """Return the numbers of the rows whose cell is one of the values, or a list with one of them.

    Only this column is read, and of it no row group whose least and greatest cell exclude all.

    Raises:
        WikibiasError: the file cannot be read.
    """
    sought: list[Any] = [value for value in values if _may_be_stored(value)]
    kind: ColumnType = "string" if sought and isinstance(sought[0], str) else "int64"
    stored = [value.encode() if kind == "string" else value for value in sought]
    found, start = array("q"), 0
    with open_file(path) as file, damage(path):
        for group in range(file.num_row_groups):
            facts = file.metadata.row_group(group)
            if _may_hold(facts, column, sought):
                cells = file.read_row_group(group, [column])[column].combine_chunks()
                is_list = pa.types.is_list(cells.type)
                flat = pc.list_flatten(cells) if is_list else cells
                hits = pc.is_in(flat.cast(ARROW[kind]), arrow_array(kind, stored))
                places: Any = pc.indices_nonzero(hits)
                if is_list:
                    places = pc.list_parent_indices(cells).take(places)
                found.extend(start + place for place in places.unique().to_pylist())
            start += facts.num_rows
    return found.tolist()


def _may_be_stored(value: int | str) -> bool:
    """Return whether a value fits into any column: text without halves of characters, 64 bits."""
    try:
        return abs(value) < 1 << 63 if isinstance(value, int) else value.encode() is not None
    except UnicodeEncodeError:
        return False


def _may_hold(facts: pq.RowGroupMetaData, column: str, sought: Sequence[Any]) -> bool:
    """Return whether a row group may hold one of the values in a column."""
    for number in range(facts.num_columns):
        of_column = facts.column(number)
        known = of_column.statistics
        if of_column.path_in_schema.split(".")[0] == column and known and known.has_min_max:
            least, greatest = known.min, known.max
            return any(
                not isinstance(least, type(one)) or least <= one <= greatest for one in sought
            )
    return True


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of a file.

    Raises:
        WikibiasError: the file cannot be read.
    """
    with open_file(path) as file:
        return list(file.schema_arrow.names)


def check_columns(path: Path, table: Table[Any]) -> None:
    """Make sure that the columns of a file have the types of the table; some may be missing.

    Raises:
        DamagedTableError: one has another type.
        WikibiasError: the file cannot be read.
    """
    with open_file(path) as file:
        found = file.schema_arrow
    for column in table.columns:
        if column.name in found.names:
            kind, expected = found.field(column.name).type, ARROW[column.type]
            both_times = pa.types.is_timestamp(kind) and pa.types.is_timestamp(expected)
            if kind != expected and not both_times:
                raise DamagedTableError(path, f"the column {column.name} is of type {kind}")

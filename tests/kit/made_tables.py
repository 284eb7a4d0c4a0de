"""Writes small tables of a result folder from rows, with the columns that a test asks for."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def write_rows(folder: Path, name: str, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows as a table such as `edits/p` or `corpus/train`, and return the folder."""
    path = folder / f"{name}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path, coerce_timestamps="ms")
    return folder


def day(year: int, month: int = 1) -> datetime:
    """Return a day of a month."""
    return datetime(year, month, 2, tzinfo=UTC)

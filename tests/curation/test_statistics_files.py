"""Statistics as files; tests/cli/test_tag_statistics.py checks those of the commands."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from wikibias.curation.statistics_files import check_targets, write_statistics
from wikibias.errors import UsageError
from wikibias.kits.schemas import Table


@dataclass(frozen=True, slots=True)
class Row:
    """One of each type of cell."""

    name: str
    number: int | None
    share: float
    is_so: bool
    at: datetime


TABLE = Table("rows", Row)
AT = datetime(2007, 8, 9, 10, 11, 12, tzinfo=UTC)
ROWS = [Row("=1+1", 3, 1 / 3, True, AT), Row('"a\tb"', None, 0.0, False, AT)]


def test_cells_are_plain_and_harmless(tmp_path: Path) -> None:
    path = tmp_path / "below" / "a.TSV"
    write_statistics([path], TABLE, ROWS, list)
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file, dialect="excel-tab")) == [
            ["name", "number", "share", "is_so", "at"],
            ["'=1+1", "3", "0.333333", "true", "2007-08-09T10:11:12Z"],
            ['"a b"', "", "0", "false", "2007-08-09T10:11:12Z"],
        ]


def test_parquet_keeps_types_and_no_rows_make_a_file(tmp_path: Path) -> None:
    write_statistics([tmp_path / "a.parquet"], TABLE, ROWS, list)
    assert pq.read_table(tmp_path / "a.parquet")["name"].to_pylist() == ["=1+1", '"a\tb"']
    write_statistics([tmp_path / "b.parquet", tmp_path / "b.svg"], TABLE, [], list)
    assert pq.read_table(tmp_path / "b.parquet").num_rows == 0
    assert (tmp_path / "b.svg").read_text("utf-8").startswith("<svg ")


def test_targets_are_checked_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").touch()
    check_targets([tmp_path / "a.tsv"], overwrite=True)
    with pytest.raises(UsageError, match="is there already"):
        check_targets([tmp_path / "a.tsv"], overwrite=False)
    with pytest.raises(UsageError, match="must end with"):
        check_targets([tmp_path / "a.png"], overwrite=False)

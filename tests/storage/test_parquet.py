"""Tables on disk: what is written is read again, in little memory."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq

from exports import export, history
from wikibias.storage import parquet, schemas

BASE = {"wiki": "w", "page_id": 7, "tags": ("POV",), "reverted": True, "days_tagged": 0.5}
WHEN = datetime(2019, 3, 1, 12, 0, 59, tzinfo=UTC)


def write(path: Path, columns: parquet.Columns, rows: list[parquet.Row]) -> None:
    parquet.write_table(path, columns, rows, dict, with_editors=False)


def test_rows_come_back(tmp_path: Path) -> None:
    rows: list[parquet.Row] = [
        {**BASE, "before_timestamp": None, "after_timestamp": WHEN, "removed": ("a «b»", "")},
        {**BASE, "before_timestamp": WHEN, "after_timestamp": WHEN, "removed": ()},
    ]
    write(tmp_path / "x.parquet", schemas.DIFFS, rows * 20)
    found = list(parquet.read_table(tmp_path / "x.parquet"))
    assert len(found) == 40
    for row, wanted in zip(found, rows * 20, strict=True):
        assert row.keys() == {name for name, _ in schemas.DIFFS}
        for name, value in wanted.items():
            assert row[name] == (list(value) if isinstance(value, tuple) else value)
        assert row["after_timestamp"].utcoffset().total_seconds() == 0


def test_groups_are_bounded_by_all_their_text(tmp_path: Path) -> None:
    sentences = tuple(f"Sentence {n} says little. " * 4 for n in range(1000))
    rows: list[parquet.Row] = [{**BASE, "unchanged": sentences}] * 60
    write(tmp_path / "lists.parquet", schemas.DIFFS, rows)
    write(tmp_path / "texts.parquet", schemas.TRANSITIONS, [{"before_text": "x" * 10**5}] * 60)
    for name in ("lists", "texts"):
        groups = pq.read_metadata(tmp_path / f"{name}.parquet")
        assert groups.num_row_groups >= 3


def test_an_extraction_does_without_pandas(tmp_path: Path) -> None:
    dump = tmp_path / "x.xml"
    dump.write_bytes(export([history("Mill", 4)]))
    program = (
        "import sys\nfrom wikibias.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert not end.code\n"
        "print('pandas' in sys.modules)"
    )
    command = [sys.executable, "-c", program, "extract", "-q", "--lang", "en", "--workers", "1"]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "out"), str(dump)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False"]
    assert list((tmp_path / "out" / "corpus").glob("*.parquet"))

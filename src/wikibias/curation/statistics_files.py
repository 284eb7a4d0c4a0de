"""Statistics of tags as files: TSV, Parquet, and figures as SVG, by the ending of the name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from wikibias.errors import UsageError
from wikibias.kits import parquet
from wikibias.kits.cells import tsv_cell
from wikibias.kits.charts import Drawing, sheet
from wikibias.kits.files import disk_errors, write_text
from wikibias.kits.schemas import Table

R = TypeVar("R")
ENDINGS = (".tsv", ".parquet", ".svg")


def check_targets(targets: Sequence[Path], *, overwrite: bool) -> None:
    """Look whether files can be written, before the work is done.

    Raises:
        UsageError: the ending of one says no form, or the file is there already.
    """
    for path in targets:
        if path.suffix.lower() not in ENDINGS:
            raise UsageError(f"{path}: the name must end with {', '.join(ENDINGS[:-1])} or .svg")
        if path.exists() and not overwrite:
            raise UsageError(f"{path} is there already; give --overwrite to replace it")


def write_statistics(
    targets: Sequence[Path],
    table: Table[R],
    rows: Sequence[R],
    draw: Callable[[], Sequence[Drawing]],
) -> None:
    """Write rows as tables, or what `draw` gives as one figure, one file after the other.

    Raises:
        DiskError: a file cannot be written.
    """
    for path in targets:
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        form = path.suffix.lower()
        if form == ".parquet":
            with parquet.writing(path, table, dict) as file:
                for row in rows:
                    file.write(row)
        elif form == ".svg":
            write_text(path, sheet(draw()).file())
        else:
            lines = [[column.name for column in table.columns]]
            lines += [[_cell(column.value(row)) for column in table.columns] for row in rows]
            write_text(path, "".join("\t".join(line) + "\n" for line in lines))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, float):
        return f"{value:.6g}" if value else "0"
    return tsv_cell(str(value))

"""Tables of tasks, answers and labels: any table, or the file of answers of the labelling page."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from fnmatch import fnmatchcase
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import read_frame
from wikibias.messages import nearest
from wikibias.research.annotation.answer_store import ENDING, read_answer_rows

if TYPE_CHECKING:
    import pandas as pd

_IN_JSON = (str, int, float, list, dict, type(None))


def read_table(path: Path) -> pd.DataFrame:
    """Return a table, whatever its form: see `kits.tables`, and the file of `annotate serve`.

    Its index is the line of each row; `attrs["path"]` is the file.

    Raises:
        WikibiasError: it cannot be read, its ending says nothing, or it holds no row.
    """
    if path.suffix == ENDING:
        import pandas as pd

        rows = read_answer_rows(path)
        names = dict.fromkeys(name for row in rows for name in row)
        cells = {name: [row.get(name) for row in rows] for name in names}
        table = pd.DataFrame(cells, range(1, len(rows) + 1), dtype=object)
        table.attrs = {"path": str(path)}
    else:
        table = read_frame(path, quoted=True)
    if table.empty:
        raise WikibiasError(f"{path}: no row in it")
    return table


def column(table: pd.DataFrame, name: str) -> list[Any]:
    """Return the cells of a column.

    Raises:
        WikibiasError: there is none of that name; the message names the nearest.
    """
    if name not in table.columns:
        raise WikibiasError(
            f"{table.attrs['path']}: no column {name!r}{nearest(name, list(table.columns))}"
        )
    return list(table[name])


def plain_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows, with nothing in them that JSON cannot hold: a date becomes its text."""
    return [
        {str(name): _plain(cell) for name, cell in zip(table.columns, row, strict=True)}
        for row in table.itertuples(index=False, name=None)
    ]


def chosen_columns(table: pd.DataFrame, patterns: str, option: str = "--columns") -> list[str]:
    """Return the columns that names or patterns choose; see `chosen`."""
    return chosen(patterns, list(table.columns), option, f"{table.attrs['path']} has no column")


def chosen(patterns: str, known: Collection[str], option: str, unknown: str) -> list[str]:
    """Return the known names that comma-separated names or patterns such as `*@*` choose.

    Args:
        patterns: what a user says.
        known: all names there are.
        option: of the command line, for messages.
        unknown: what a message says before a part that chooses none.

    Raises:
        UsageError: a part chooses none, or there is no part.
    """
    names: dict[str, None] = {}
    for pattern in filter(None, (part.strip() for part in patterns.split(","))):
        exact = [pattern] if pattern in known else []
        found = exact or [name for name in known if fnmatchcase(name, pattern)]
        if not found:
            raise UsageError(f"{option}: {unknown} {pattern!r}{nearest(pattern, known)}")
        names |= dict.fromkeys(found)
    if not names:
        raise UsageError(f"{option}: give names, comma-separated")
    return list(names)


def listed(cell: Any, place: str) -> list[Any]:
    """Return a list that stands in a cell; in CSV it is JSON.

    Raises:
        WikibiasError: it is none; `place` says where.
    """
    found = cell
    if isinstance(cell, str):
        with suppress(ValueError, RecursionError):
            found = json.loads(cell)
    if not isinstance(found, list | tuple):
        raise WikibiasError(f"{place}: {cell!s:.40} is not a list")
    return list(found)


def _plain(cell: Any) -> Any:
    if isinstance(cell, float) and not isfinite(cell):
        return None
    return cell if isinstance(cell, _IN_JSON) else str(cell)

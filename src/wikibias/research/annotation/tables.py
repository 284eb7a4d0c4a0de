"""Tables of tasks, answers and labels: any table, or the file of answers of the labelling page."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import isfinite
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import read_frame
from wikibias.messages import nearest
from wikibias.research.annotation.answer_store import ENDING, read_answer_rows

_IN_JSON = (str, int, float, list, dict, type(None))


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of equal length, by name, in the order of the file."""

    path: Path
    columns: Mapping[str, Sequence[Any]]
    places: Sequence[int] = ()
    """The row of the file that each stands in, where that is not known by counting."""

    def place(self, number: int) -> str:
        """Return where a row of the table, from 0, stands in the file, as "path:row"."""
        return f"{self.path}:{self.places[number] if self.places else number + 1}"

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def column(self, name: str) -> Sequence[Any]:
        """Return a column.

        Raises:
            WikibiasError: there is none of that name; the message names the nearest.
        """
        if name not in self.columns:
            raise WikibiasError(f"{self.path}: no column {name!r}{nearest(name, self.columns)}")
        return self.columns[name]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows, with nothing in them that JSON cannot hold: a date becomes its text."""
        for number in range(len(self)):
            yield {name: _plain(cells[number]) for name, cells in self.columns.items()}

    def chosen(self, patterns: str, option: str = "--columns") -> list[str]:
        """Return the columns that comma-separated names or patterns such as `*@*` choose.

        Raises:
            UsageError: a part chooses none.
        """
        return chosen(patterns, self.columns, option, f"{self.path} has no column")


def chosen(patterns: str, known: Collection[str], option: str, unknown: str) -> list[str]:
    """Return the known names that comma-separated names or patterns choose, each once.

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


def read_table(path: Path) -> Table:
    """Return a table, whatever its form: see `kits.tables`, and the file of `annotate serve`.

    Raises:
        WikibiasError: it cannot be read, its ending says nothing, or it holds no row.
    """
    if path.suffix == ENDING:
        rows = read_answer_rows(path)
        names = dict.fromkeys(name for row in rows for name in row)
        table = Table(path, {name: [row.get(name) for row in rows] for name in names})
    else:
        frame = read_frame(path, quoted=True)
        columns = {str(name): cells.tolist() for name, cells in frame.items()}
        table = Table(path, columns, frame.index.tolist())
    if not len(table):
        raise WikibiasError(f"{path}: no row in it")
    return table


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

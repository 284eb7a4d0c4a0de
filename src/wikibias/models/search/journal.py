"""Keeps the rows of a grid search on disk, so that an interrupted one can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from wikibias.kits.files import disk_errors, open_nofollow, read_small, write_text

NAME = "grid.jsonl"
Row = dict[str, Any]
"""The number of a parameter combination, its parameters, and its scores on dev."""


class Journal:
    """The finished rows, in a file of one JSON object per line that survives an interruption."""

    def __init__(self, path: Path, mark: str) -> None:
        self.path = path
        self.rows: dict[int, Row] = {}
        lines = _lines(path)
        if lines and _parsed(lines[0]) == {"fingerprint": mark}:
            # The last line may have been cut off in the middle.
            read = [row for line in lines[1:] if (row := _parsed(line)) is not None]
            self.rows = {row["n"]: row for row in read if type(row.get("n")) is int}
        whole = [json.dumps({"fingerprint": mark}), *(json.dumps(r) for r in self.rows.values())]
        write_text(path, "\n".join(whole) + "\n")

    def add(self, rows: Iterable[Row]) -> None:
        """Append rows to the file at once."""
        with disk_errors(self.path), open_nofollow(self.path, "a") as lines:
            for row in rows:
                self.rows[row["n"]] = row
                lines.write(json.dumps(row) + "\n")

    def table(self) -> list[Row]:
        """Return the rows in the order of the space."""
        return [self.rows[n] for n in sorted(self.rows)]


def is_journal(path: Path) -> bool:
    """Return whether a file is the journal of some search."""
    return mark_of(path) is not None


def mark_of(path: Path) -> str | None:
    """Return the mark of the search that a file is the journal of; None where it is none."""
    first = _parsed((_lines(path) or [""])[0])
    return str(first["fingerprint"]) if first and first.keys() == {"fingerprint"} else None


def _lines(path: Path) -> list[str]:
    """Return the lines of a file; none where it cannot be read, so that it is begun again."""
    with suppress(OSError, ValueError):
        return read_small(path).decode("utf-8").splitlines()
    return []


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

"""Keeps the rows of a grid search on disk, so that an interrupted one can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]
"""The number of a parameter combination, its parameters, and its scores on dev."""


class Journal:
    """The finished rows, in a file of one JSON object per line that survives an interruption."""

    def __init__(self, path: Path, mark: str) -> None:
        self.path = path
        self.rows: dict[int, Row] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if lines and _parsed(lines[0]) == {"fingerprint": mark}:
            # The last line may have been cut off in the middle.
            read = [row for line in lines[1:] if (row := _parsed(line)) is not None]
            self.rows = {row["n"]: row for row in read}
        whole = [json.dumps({"fingerprint": mark}), *(json.dumps(r) for r in self.rows.values())]
        path.write_text("\n".join(whole) + "\n", encoding="utf-8")

    def add(self, rows: Iterable[Row]) -> None:
        """Append rows to the file at once."""
        with self.path.open("a", encoding="utf-8") as lines:
            for row in rows:
                self.rows[row["n"]] = row
                lines.write(json.dumps(row) + "\n")

    def table(self) -> list[Row]:
        """Return the rows in the order of the space."""
        return [self.rows[n] for n in sorted(self.rows)]


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None

"""Counts of template names on disk, so that memory does not grow with the wiki.

The only module that knows SQLite. Counts are gathered in memory and added to the file whenever
there are many; all of them can be added in any order, so the result does not depend on it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wikibias.storage.atomic import disk_errors

_HELD = 50_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS names (
    name TEXT PRIMARY KEY, pages INTEGER, revisions INTEGER, first INTEGER, last INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS years (
    name TEXT, year INTEGER, revisions INTEGER, PRIMARY KEY (name, year)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS redirects (
    alias TEXT, since TEXT, target TEXT, until TEXT, PRIMARY KEY (alias, since, target)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
_ADD_NAME = """
INSERT INTO names VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
    pages = pages + excluded.pages, revisions = revisions + excluded.revisions,
    first = min(first, excluded.first), last = max(last, excluded.last)
"""
_ADD_YEAR = """
INSERT INTO years VALUES (?, ?, ?) ON CONFLICT (name, year) DO UPDATE SET
    revisions = revisions + excluded.revisions
"""
_ADD_REDIRECT = "INSERT OR REPLACE INTO redirects VALUES (?, ?, ?, ?)"
_MERGE = """
INSERT INTO names SELECT * FROM part.names WHERE true ON CONFLICT (name) DO UPDATE SET
    pages = pages + excluded.pages, revisions = revisions + excluded.revisions,
    first = min(first, excluded.first), last = max(last, excluded.last);
INSERT INTO years SELECT * FROM part.years WHERE true ON CONFLICT (name, year) DO UPDATE SET
    revisions = revisions + excluded.revisions;
INSERT OR REPLACE INTO redirects SELECT * FROM part.redirects;
"""


class CountsDatabase:
    """The counts of one part, or of several together, in one SQLite file.

    `held` is how many counts are gathered in memory before they are added to the file.
    """

    def __init__(self, path: Path, held: int = _HELD) -> None:
        self._path = path
        self._held = held
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with self._errors():
            self._db = sqlite3.connect(path)
            # Nothing here need outlive a crash: a part that is not whole is counted anew.
            self._db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA)
        self._pages: dict[str, int] = {}
        self._years: dict[tuple[str, int], int] = {}

    def add(self, page: dict[tuple[str, int], int]) -> None:
        """Add the counts of one page: (name, year) -> revisions."""
        for name in {name: None for name, _ in page}:
            self._pages[name] = self._pages.get(name, 0) + 1
        for key, revisions in page.items():
            self._years[key] = self._years.get(key, 0) + revisions
        if len(self._years) >= self._held:
            self.flush()

    def add_redirect(self, alias: str, since: str, target: str, until: str) -> None:
        """Add one period (ISO times, `until` "" when it lasts) in which `alias` led to `target`."""
        with self._errors():
            self._db.execute(_ADD_REDIRECT, (alias, since, target, until))

    def flush(self) -> None:
        """Write what is held in memory."""
        names: dict[str, list[int]] = {}
        for (name, year), revisions in self._years.items():
            entry = names.setdefault(name, [self._pages.get(name, 0), 0, year, year])
            entry[1] += revisions
            entry[2], entry[3] = min(entry[2], year), max(entry[3], year)
        with self._errors():
            self._db.executemany(_ADD_NAME, ((name, *entry) for name, entry in names.items()))
            self._db.executemany(_ADD_YEAR, ((*key, n) for key, n in self._years.items()))
            self._db.commit()
        self._pages.clear()
        self._years.clear()

    def merge(self, part: Path) -> None:
        """Add the counts of another file."""
        with self._errors():
            self._db.execute("ATTACH ? AS part", (str(part),))
            self._db.executescript(_MERGE)
            self._db.commit()
            self._db.execute("DETACH part")

    def remember(self, about: dict[str, Any]) -> None:
        """Keep what is to be known of these counts."""
        with self._errors():
            self._db.execute(
                "INSERT OR REPLACE INTO about VALUES ('about', ?)", [json.dumps(about)]
            )
            self._db.commit()

    def about(self) -> dict[str, Any]:
        """Return what `remember` kept, or {}."""
        with self._errors():
            found = self._db.execute("SELECT value FROM about").fetchone()
        return dict(json.loads(found[0])) if found else {}

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, one at a time in memory."""
        with self._errors():
            yield from self._db.execute(query, values)

    def define(self, name: str, function: Callable[[Any], Any]) -> None:
        """Make a function of one value known to the queries."""
        with self._errors():
            self._db.create_function(name, 1, function, deterministic=True)

    def run(self, script: str) -> None:
        """Run statements that prepare a query."""
        with self._errors():
            self._db.executescript(script)

    def close(self) -> None:
        """Write what is left and close the file."""
        self.flush()
        self._db.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with disk_errors(self._path):
            try:
                yield
            except sqlite3.Error as error:
                raise OSError(str(error)) from error

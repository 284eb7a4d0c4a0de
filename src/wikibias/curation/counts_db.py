"""Stores counts of template names on disk, so that memory does not grow with the wiki.

Counts are collected in memory and added to the file when there
are many. The order of the additions does not change the result.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits.files import disk_errors

_MAX_IN_MEMORY = 50_000
# Each page counts in the first year in which it calls a name.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS years (
    name TEXT, year INTEGER, pages INTEGER, revisions INTEGER, PRIMARY KEY (name, year)
) WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS names AS
    SELECT name, sum(pages) AS pages, sum(revisions) AS revisions, min(year) AS first,
        max(year) AS last FROM years GROUP BY name;
CREATE TABLE IF NOT EXISTS redirects (
    alias TEXT, since TEXT, target TEXT, until TEXT, PRIMARY KEY (alias, since, target)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
_ADD_YEAR = """
INSERT INTO years VALUES (?, ?, ?, ?) ON CONFLICT (name, year) DO UPDATE SET
    pages = pages + excluded.pages, revisions = revisions + excluded.revisions
"""
_ADD_REDIRECT = "INSERT OR REPLACE INTO redirects VALUES (?, ?, ?, ?)"
_MERGE = """
INSERT INTO years SELECT * FROM part.years WHERE true ON CONFLICT (name, year) DO UPDATE SET
    pages = pages + excluded.pages, revisions = revisions + excluded.revisions;
INSERT OR REPLACE INTO redirects SELECT * FROM part.redirects;
"""


def read_about(path: Path) -> dict[str, Any]:
    """Return the description in a file of counts; {} where it is damaged, or no such file."""
    with suppress(sqlite3.Error, ValueError, RecursionError):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        with closing(db):
            if not _is_ours(db, "main"):
                return {}
            found = db.execute("SELECT value FROM about").fetchone()
        about = json.loads(found[0]) if found else {}
        return about if isinstance(about, dict) else {}
    return {}


def _is_ours(db: sqlite3.Connection, schema: str) -> bool:
    """Return whether a database holds our tables and nothing else, such as views."""
    query = "SELECT type, name, sql FROM {}.sqlite_master ORDER BY name"
    with closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(_SCHEMA)
        return (
            ours.execute(query.format("main")).fetchall()
            == db.execute(query.format(schema)).fetchall()
        )


class CountsDatabase:
    """The counts of one or several parts in one SQLite file.

    `max_in_memory` is how many counts are collected before they are added to the file.
    """

    def __init__(self, path: Path, max_in_memory: int = _MAX_IN_MEMORY) -> None:
        self._path = path
        self._max_in_memory = max_in_memory
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with self._errors():
            self._db = sqlite3.connect(path)
            # Nothing here has to survive a crash: an unfinished part is counted again.
            self._db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA)
        # The pages and the revisions of each name and year.
        self._years: dict[tuple[str, int], list[int]] = {}

    def add(self, page: dict[tuple[str, int], int]) -> None:
        """Add the counts of one page: (name, year) -> revisions."""
        begun = set[str]()
        for (name, year), revisions in sorted(page.items()):
            entry = self._years.setdefault((name, year), [0, 0])
            entry[0] += name not in begun
            entry[1] += revisions
            begun.add(name)
        if len(self._years) >= self._max_in_memory:
            self.flush()

    def add_redirect(self, alias: str, since: str, target: str, until: str) -> None:
        """Add a period in which `alias` redirected to `target`: ISO times, "" if it goes on."""
        with self._errors():
            self._db.execute(_ADD_REDIRECT, (alias, since, target, until))

    def flush(self) -> None:
        """Write the counts in memory to the file."""
        with self._errors():
            rows = ((*key, *entry) for key, entry in self._years.items())
            self._db.executemany(_ADD_YEAR, rows)
            self._db.commit()
        self._years.clear()

    def merge(self, part: Path) -> None:
        """Add the counts of another file.

        Raises:
            WikibiasError: it is damaged.
        """
        with self._errors(), self._damage(part):
            self._db.execute("ATTACH ? AS part", (str(part),))
            if not _is_ours(self._db, "part"):
                raise sqlite3.DatabaseError("it does not hold our tables")
            self._db.executescript(_MERGE)
            self._db.commit()
            self._db.execute("DETACH part")

    def remember(self, about: dict[str, Any]) -> None:
        """Store a description of these counts."""
        with self._errors():
            self._db.execute(
                "INSERT OR REPLACE INTO about VALUES ('about', ?)", [json.dumps(about)]
            )
            self._db.commit()

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; only one is in memory."""
        with self._errors():
            yield from self._db.execute(query, values)

    def define(self, name: str, function: Callable[[Any], Any]) -> None:
        """Make a function of one value available to queries."""
        with self._errors():
            self._db.create_function(name, 1, function, deterministic=True)

    def run(self, script: str) -> None:
        """Run statements that prepare a query."""
        with self._errors():
            self._db.executescript(script)

    def close(self) -> None:
        """Write the counts in memory and close the file."""
        self.flush()
        self._db.close()

    @contextmanager
    def _damage(self, part: Path) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError:  # the disk is full, or the like
            raise
        except sqlite3.DatabaseError as error:
            raise WikibiasError(
                f"{part} is damaged ({error}); remove it, then run the same command again: it "
                "counts only this part again"
            ) from error

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with disk_errors(self._path):
            try:
                yield
            except sqlite3.Error as error:
                raise OSError(str(error)) from error

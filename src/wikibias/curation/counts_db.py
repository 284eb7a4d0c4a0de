"""Stores counts of template names on disk, so that memory does not grow with the wiki.

Counts are collected in memory and added to the file when there
are many. The order of the additions does not change the result.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.kits.files import disk_errors

_MAX_IN_MEMORY = 50_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS names (
    name TEXT PRIMARY KEY, pages INTEGER, revisions INTEGER, first INTEGER, last INTEGER
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
_ADD_REDIRECT = "INSERT OR REPLACE INTO redirects VALUES (?, ?, ?, ?)"
_REDIRECTS = "SELECT alias, since, target, until FROM part.redirects"


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
        # Of each name the pages, the revisions, and the first and the last year.
        self._names: dict[str, list[int]] = {}

    def add(self, page: Mapping[str, Sequence[int]]) -> None:
        """Add the counts of one page: name -> revisions, first and last year."""
        for name, (revisions, first, last) in page.items():
            entry = self._names.setdefault(name, [0, 0, first, last])
            entry[0] += 1
            entry[1] += revisions
            entry[2], entry[3] = min(entry[2], first), max(entry[3], last)
        if len(self._names) >= self._max_in_memory:
            self.flush()

    def add_redirect(self, alias: str, since: str, target: str, until: str) -> None:
        """Add a period in which `alias` redirected to `target`: ISO times, "" if it goes on."""
        with self._errors():
            self._db.execute(_ADD_REDIRECT, (alias, since, target, until))

    def flush(self) -> None:
        """Write the counts in memory to the file."""
        with self._errors():
            rows = ((name, *entry) for name, entry in self._names.items())
            self._db.executemany(_ADD_NAME, rows)
            self._db.commit()
        self._names.clear()

    def merge(self, part: Path) -> None:
        """Add the counts of another file.

        Raises:
            WikibiasError: it is damaged.
        """
        with self._errors(), self._damage(part):
            self._db.execute("ATTACH ? AS part", (str(part),))
            if not _is_ours(self._db, "part"):
                raise sqlite3.DatabaseError("it does not hold our tables")
            self._db.executemany(_ADD_NAME, self._db.execute("SELECT * FROM part.names"))
            self._db.executemany(_ADD_REDIRECT, self._db.execute(_REDIRECTS))
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

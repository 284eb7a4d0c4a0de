"""Keeps the texts of revisions that a wiki was asked for, so that none is asked for twice.

One SQLite file. What a batch of answers tells is there whole or not at all, and
a run that was killed goes on where it stopped. The list of what is wanted lies beside it for the
time of a run, on the disk as well, so that memory does not grow with it.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from wikibias.errors import UsageError
from wikibias.records import LONGEST_TEXT
from wikibias.storage.sqlite_faults import disk_error, is_of_the_disk

OK = "ok"
_TABLES = """
CREATE TABLE IF NOT EXISTS texts (
    wiki TEXT NOT NULL, revision INTEGER NOT NULL, state TEXT NOT NULL, text BLOB,
    PRIMARY KEY (wiki, revision)
);
"""
_WANTED = """
CREATE TEMP TABLE wanted (
    wiki TEXT NOT NULL, revision INTEGER NOT NULL, sha1 TEXT, year INTEGER,
    PRIMARY KEY (wiki, revision)
) WITHOUT ROWID;
"""
_MISSING = """
FROM wanted LEFT JOIN texts USING (wiki, revision) WHERE wiki = ? AND texts.state IS NULL
"""
# UTF-8 has no longer character.
_MOST_BYTES = 4 * LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class WantedRevision:
    """A revision of which the text is wanted, with what is known of it.

    `sha1` is MediaWiki's checksum in base 36, where the dump holds one; `year` that of the edit.
    """

    wiki: str
    id: int
    sha1: str | None
    year: int


class TextCache:
    """The texts of a folder, and what of them a run wants."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute(_WANTED)

    def want(self, revisions: Iterable[WantedRevision]) -> None:
        """Add to what is wanted."""
        rows = ((one.wiki, one.id, one.sha1, one.year) for one in revisions)
        with self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO wanted VALUES (?, ?, ?, ?)", rows)

    def wanted(self) -> int:
        """Return how many revisions are wanted."""
        return int(self._connection.execute("SELECT count(*) FROM wanted").fetchone()[0])

    def missing(self, wiki: str) -> int:
        """Return of how many wanted revisions of a wiki nothing is known."""
        found = self._connection.execute(f"SELECT count(*) {_MISSING}", [wiki])
        return int(found.fetchone()[0])

    def batches(self, wiki: str, size: int) -> Iterator[list[WantedRevision]]:
        """Yield the wanted revisions of a wiki of which nothing is known, by id, some at a time."""
        last = -1
        ask = f"SELECT wiki, revision, sha1, year {_MISSING} AND revision > ? "
        while True:
            rows = self._connection.execute(
                f"{ask} ORDER BY revision LIMIT ?", [wiki, last, size]
            ).fetchall()
            if not rows:
                return
            last = rows[-1][1]
            yield [WantedRevision(*row) for row in rows]

    def keep(self, wiki: str, told: Sequence[tuple[int, str, str | None]]) -> None:
        """Keep what was told of some revisions: id, state, and the text where that is "ok"."""
        rows = [
            (wiki, number, state, None if text is None else zlib.compress(text.encode()))
            for number, state, text in told
        ]
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)", rows)

    def state(self, wiki: str, revision: int) -> str | None:
        """Return the state of a revision; None where nothing is known of it."""
        row = self._connection.execute(
            "SELECT state FROM texts WHERE wiki = ? AND revision = ?", [wiki, revision]
        ).fetchone()
        return str(row[0]) if row else None

    def text(self, wiki: str, revision: int) -> str | None:
        """Return the text of a revision; None where there is none."""
        row = self._connection.execute(
            "SELECT text FROM texts WHERE wiki = ? AND revision = ? AND state = ?",
            [wiki, revision, OK],
        ).fetchone()
        if row is None:
            return None
        try:
            return zlib.decompressobj().decompress(bytes(row[0]), _MOST_BYTES).decode()
        except (TypeError, ValueError, zlib.error) as error:
            raise sqlite3.DatabaseError(f"the text of revision {revision}: {error}") from error


@contextmanager
def text_cache(path: Path, *, read_only: bool = False) -> Iterator[TextCache]:
    """Open the file at `path`; with `read_only`, nothing is written, nor a file made.

    Raises:
        UsageError: the file is damaged, or is a link.
        DiskError: it cannot be written.
    """
    if path.is_symlink():
        raise UsageError(f"{path} is a link to another place; remove it")
    try:
        if read_only:
            place = f"{path.absolute().as_uri()}?mode=ro" if path.exists() else ":memory:"
        else:
            place = path.absolute().as_uri()
        with closing(sqlite3.connect(place, uri=True)) as connection:
            # Whoever wrote the file may have put functions into its tables.
            connection.execute("PRAGMA trusted_schema = OFF")
            if not read_only or not path.exists():
                connection.executescript(_TABLES)
            yield TextCache(connection)
    except (sqlite3.Error, OverflowError) as error:
        if is_of_the_disk(error):
            raise disk_error(path, error) from error
        raise UsageError(
            f"{path} is damaged ({error!s:.200}); remove it, then run the same command again: it "
            "asks for its texts anew"
        ) from error

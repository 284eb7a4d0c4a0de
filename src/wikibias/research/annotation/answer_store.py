"""A store of annotators' answers: one SQLite file, written at once, so that nothing is lost.

An answer that is taken back stays as a draft, so that it can be given again. The labelling page
writes the file; every command that reads answers reads it as a long table.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError
from wikibias.kits.files import from_json, to_json
from wikibias.kits.sqlite import SqliteFile

ENDING = ".db"
GOLD = "gold"
"""Who decides where annotators differ; no annotator."""
# "wkbl"; SQLite has a place for it in the head of a file. The cache of language models has another.
_APPLICATION = 0x776B626C
# A power failure takes nothing of what was written.
TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS items (item TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY, annotator TEXT NOT NULL, item TEXT NOT NULL, said TEXT NOT NULL,
    counts INTEGER NOT NULL, undone INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL,
    UNIQUE (annotator, item)
);
"""
_ANSWER = """
INSERT INTO answers (annotator, item, said, counts, at)
VALUES (?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
ON CONFLICT (annotator, item) DO UPDATE SET
    id = (SELECT max(id) FROM answers) + 1, said = excluded.said, at = excluded.at, undone = 0
WHERE undone
"""
_LONGEST = 1_000_000  # characters of an answer; that of the labelling page has a tenth at most
_WAITED = 5  # seconds, for another process that writes


class AnswerStore:
    """The answers in a file. A method that writes has written when it returns, or raises."""

    def __init__(self, connection: sqlite3.Connection, file: SqliteFile) -> None:
        self._connection, self._file = connection, file
        self.path = file.path

    def belong(self, asked: str, items: Mapping[str, str]) -> None:
        """Take note of what is asked of which items, by item a digest of its text.

        Raises:
            UsageError: the answers in the file were given to other questions, or of other texts.
        """
        with self._writing() as connection:
            before = connection.execute("SELECT value FROM about WHERE key = 'asked'").fetchone()
            given = connection.execute("SELECT 1 FROM answers LIMIT 1").fetchone()
            if before and given and before[0] != asked:
                raise UsageError(
                    f"{self.path} holds answers to other questions; give the guidelines that they "
                    "were given by, or another --db"
                )
            connection.execute("INSERT OR REPLACE INTO about VALUES ('asked', ?)", [asked])
            answered = connection.execute(
                "SELECT item, digest FROM items WHERE item IN (SELECT item FROM answers)"
            )
            for item, digest in answered.fetchall():
                if items.get(item, digest) != digest:
                    raise UsageError(
                        f"{self.path} holds answers to another sentence that is called "
                        f"{item[:40]!r}; give another --db"
                    )
            connection.executemany("INSERT OR REPLACE INTO items VALUES (?, ?)", items.items())

    def answer(
        self, annotator: str, item: str, said: Mapping[str, Any], *, counts: bool = True
    ) -> bool:
        """Keep what an annotator said of an item; False where he has answered it already."""
        text = to_json(said)
        with self._writing() as connection:
            done = connection.execute(_ANSWER, [annotator, item, text, counts])
            return done.rowcount == 1

    def undo(self, annotator: str) -> str | None:
        """Make a draft of the last answer of an annotator; return its item, None without any."""
        with self._writing() as connection:
            last = connection.execute(
                "SELECT id, item FROM answers WHERE annotator = ? AND NOT undone "
                "ORDER BY id DESC LIMIT 1",
                [annotator],
            ).fetchone()
            if last is None:
                return None
            connection.execute("UPDATE answers SET undone = 1 WHERE id = ?", [last[0]])
            return str(last[1])

    def answered(self, annotator: str) -> set[str]:
        """Return the items that an annotator has answered."""
        with self._file.faults():
            found = self._connection.execute(
                "SELECT item FROM answers WHERE annotator = ? AND NOT undone", [annotator]
            )
            return {item for (item,) in found}

    def draft(self, annotator: str, item: str) -> dict[str, Any] | None:
        """Return what an annotator said of an item and took back; None where he did not."""
        with self._file.faults():
            found = self._connection.execute(
                "SELECT said FROM answers WHERE annotator = ? AND item = ? AND undone",
                [annotator, item],
            ).fetchone()
            return None if found is None else _answer_object(*_texts(found))

    def rows(self) -> list[dict[str, Any]]:
        """Return the answers that count as rows of a long table, in the order they were given."""
        with self._file.faults():
            return _rows(self._connection)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Do all of what is written or nothing, and let no other process come between."""
        with self._file.faults():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                if self._connection.in_transaction:  # a full disk may have ended it
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


@contextmanager
def answer_store(path: Path) -> Iterator[AnswerStore]:
    """Open the file of answers at `path`, made where it is missing.

    Raises:
        UsageError: it is another file, damaged, or a link.
        DiskError: it cannot be written.
    """
    file = answer_file(path)
    # No transaction begins by itself; one server answers in one thread.
    with file.opened(TABLES, timeout=_WAITED, isolation_level=None) as connection:
        yield AnswerStore(connection, file)


def read_answer_rows(path: Path) -> list[dict[str, Any]]:
    """Return the answers in a file as rows of a long table; nothing is written.

    Raises:
        UsageError: it is missing, another file, or damaged.
        DiskError: it cannot be read.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    # SQLite makes files beside one that is open, unless nobody changes it. Who writes answers has
    # such a file there all the time, so without it the folder need not be writable.
    alone = not path.with_name(f"{path.name}-wal").exists()
    mode = "ro&immutable=1" if alone else "ro"
    file = answer_file(path, reads=True)
    with file.opened(TABLES, mode, timeout=_WAITED) as connection, file.faults():
        return _rows(connection)


def answer_file(path: Path, *, reads: bool = False) -> SqliteFile:
    """Return a file of answers, to be opened."""
    holds = "answers of `wikibias annotate serve`"
    return SqliteFile(path, holds, "give another file", _APPLICATION, reads)


def _rows(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    # In a damaged file one page may lead to another again and again.
    (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state.splitlines()[-1])
    found = connection.execute(
        "SELECT item, annotator, said FROM answers WHERE counts AND NOT undone ORDER BY id"
    )
    return [
        {"item": item, "annotator": annotator, **_answer_object(said)}
        for item, annotator, said in map(_texts, found)
    ]


def _texts(row: tuple[Any, ...]) -> tuple[str, ...]:
    if not all(isinstance(cell, str) and len(cell) <= _LONGEST for cell in row):
        raise sqlite3.DatabaseError("an answer is no text, or too long")
    return row


def _answer_object(said: str) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        if isinstance(found := from_json(said), dict):
            return found
    raise sqlite3.DatabaseError("an answer is no object")

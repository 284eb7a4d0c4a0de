"""A cache of what language models answered, so that no answer is paid for twice.

One SQLite file. An answer is there whole or not at all, as soon as it has arrived, and a run that
was killed goes on where it stopped.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from wikibias.kits.files import disk_errors
from wikibias.kits.sqlite import SqliteFile
from wikibias.research.language_models.messages import Reply

# "wkba" tells our files from those of others.
_OURS = 0x776B6261
_TABLES = """
PRAGMA locking_mode = EXCLUSIVE;
CREATE TABLE IF NOT EXISTS answers (
    hash TEXT PRIMARY KEY, answer TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER,
    finish TEXT NOT NULL, model TEXT NOT NULL, version TEXT NOT NULL,
    left_out TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class AnswerCache:
    """The answers in a file, by `prompt_hash`; several threads may use it at once."""

    def __init__(self, file: SqliteFile, connection: sqlite3.Connection) -> None:
        self.path, self._file = file.path, file
        self._connection = connection
        self._one_at_a_time = Lock()

    def get(self, prompt_hash: str) -> Reply | None:
        """Return the answer to a prompt, or None where there is none yet."""
        row = self._row("SELECT * FROM answers WHERE hash = ?", prompt_hash)
        return Reply(*row[1:]) if row else None

    def keep(self, prompt_hash: str, reply: Reply) -> None:
        """Keep an answer; it outlasts a kill from now on.

        Raises:
            DiskError: it cannot be written.
        """
        row = (
            prompt_hash, reply.text, reply.tokens_in, reply.tokens_out, reply.finish, reply.model,
            reply.version, reply.left_out,
        )  # fmt: skip
        with self._one_at_a_time, self._file.faults(), self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row
            )

    def has_written(self, sha256: str) -> bool:
        """Return whether a table of this SHA-256 was made of these answers."""
        return self._row("SELECT 1 FROM outputs WHERE sha256 = ?", sha256) is not None

    def note_written(self, sha256: str) -> None:
        """Note the SHA-256 of a table that was made of these answers."""
        with self._one_at_a_time, self._file.faults(), self._connection:
            self._connection.execute("INSERT OR IGNORE INTO outputs VALUES (?)", [sha256])

    def _row(self, ask: str, key: str) -> tuple[Any, ...] | None:
        with self._one_at_a_time, self._file.faults():
            found: tuple[Any, ...] | None = self._connection.execute(ask, [key]).fetchone()
        return found


@contextmanager
def answer_cache(path: Path, *, read_only: bool = False) -> Iterator[AnswerCache]:
    """Open the file at `path`, for one run at a time; with `read_only` nothing is written.

    Raises:
        UsageError: it is damaged, a link, another program's, or another run has it.
        DiskError: it cannot be written.
    """
    file = SqliteFile(path, "answers of language models", "name another --out", _OURS, read_only)
    if not read_only:
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
    with file.opened(_TABLES, timeout=1.0) as connection:
        if not read_only:
            with file.faults():
                _complete(connection)
        yield AnswerCache(file, connection)


def _complete(connection: sqlite3.Connection) -> None:
    """Add the column that an earlier version did not have."""
    columns = [row[1] for row in connection.execute("PRAGMA table_info(answers)")]
    if "left_out" not in columns:
        connection.execute("ALTER TABLE answers ADD COLUMN left_out TEXT NOT NULL DEFAULT ''")

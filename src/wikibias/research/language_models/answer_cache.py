"""A cache of what language models answered, so that no answer is paid for twice.

One SQLite file. An answer is there whole or not at all, as soon as it has arrived, and a run that
was killed goes on where it stopped.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from wikibias.errors import DiskError, UsageError
from wikibias.kits.files import is_disk_fault, sqlite_disk_error
from wikibias.research.language_models.messages import Reply

# "wkba" tells our files from those of others.
_OURS = 0x776B6261
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    hash TEXT PRIMARY KEY, answer TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER,
    finish TEXT NOT NULL, model TEXT NOT NULL, version TEXT NOT NULL,
    left_out TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_IN_USE = ("SQLITE_BUSY", "SQLITE_LOCKED")


class AnswerCache:
    """The answers in a file, by `prompt_hash`; several threads may use it at once."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
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
        with self._one_at_a_time, _named_faults(self.path), self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row
            )

    def has_written(self, sha256: str) -> bool:
        """Return whether a table of this SHA-256 was made of these answers."""
        return self._row("SELECT 1 FROM outputs WHERE sha256 = ?", sha256) is not None

    def note_written(self, sha256: str) -> None:
        """Note the SHA-256 of a table that was made of these answers."""
        with self._one_at_a_time, _named_faults(self.path), self._connection:
            self._connection.execute("INSERT OR IGNORE INTO outputs VALUES (?)", [sha256])

    def _row(self, ask: str, key: str) -> tuple[Any, ...] | None:
        with self._one_at_a_time, _named_faults(self.path):
            found: tuple[Any, ...] | None = self._connection.execute(ask, [key]).fetchone()
        return found


@contextmanager
def answer_cache(path: Path, *, read_only: bool = False) -> Iterator[AnswerCache]:
    """Open the file at `path`, for one run at a time; with `read_only` nothing is written.

    Raises:
        UsageError: it is damaged, a link, another program's, or another run has it.
        DiskError: it cannot be written.
    """
    if path.is_symlink():
        raise UsageError(f"{path} is a link to another place; remove it, or name another --out")
    place = f"{path.absolute().as_uri()}{'?mode=ro' if read_only else ''}"
    if read_only and not path.exists():
        place = ":memory:"
    with _named_faults(path):
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
        opened = sqlite3.connect(place, uri=True, timeout=1.0, check_same_thread=False)
    with closing(opened) as connection:
        with _named_faults(path):
            # Whoever wrote the file may have put functions into its tables.
            connection.execute("PRAGMA trusted_schema = OFF")
            if place == ":memory:" or not read_only:
                _begin(path, connection)
        yield AnswerCache(path, connection)


def _begin(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and mark != _OURS:
        raise UsageError(f"{path} is not a file of answers; name another --out")
    connection.execute(f"PRAGMA application_id = {_OURS}")
    connection.executescript(_TABLES)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(answers)")]
    if "left_out" not in columns:
        connection.execute("ALTER TABLE answers ADD COLUMN left_out TEXT NOT NULL DEFAULT ''")


@contextmanager
def _named_faults(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say into one of our errors."""
    try:
        yield
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}; name another --out") from error
    except (sqlite3.Error, OverflowError) as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(_IN_USE):
            raise UsageError(
                f"another run uses {path}; wait until it has ended, or name another --out"
            ) from error
        if name == "SQLITE_NOTADB":
            raise UsageError(
                f"{path} is no file of answers, or a damaged one; name another --out"
            ) from error
        if is_disk_fault(error):
            raise sqlite_disk_error(path, error) from error
        raise UsageError(
            f"{path} is damaged ({error!s:.200}); name another --out, or remove it to ask for "
            "all answers again"
        ) from error

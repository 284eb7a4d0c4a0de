"""SQLite files: whose one is, and what its faults mean, in one line."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikibias.errors import DiskError, UsageError

_IN_USE = ("SQLITE_BUSY", "SQLITE_LOCKED")
# Bytes of a row: more than the compressed text of any revision has.
_LONGEST_ROW = 32_000_000
_MOST_STEPS = 100_000  # of SQLite's machine, to read the list of tables; ours take some hundred
# What SQLite would work out, though the file came from somebody else; none of our tables has that.
_WORKED_OUT = re.compile(r"\b(?:(?:AS|CHECK|VIRTUAL)\b|DEFAULT(?! 0| ''))", re.IGNORECASE)
# The file is whole, but cannot be read or written now.
_DISK_FAULTS = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PERM")


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """An SQLite file, and what messages say of it.

    Attributes:
        path: of the file.
        holds: what is in such a file, in a few words.
        remedy: what to do where it is damaged, or another file.
        application: tells our files; SQLite has a place for such a number in the head of a file.
        reads: whether nothing is written; of a file that is not there, nothing is read either.
    """

    path: Path
    holds: str
    remedy: str
    application: int
    reads: bool = False

    @contextmanager
    def opened(self, tables: str, mode: str = "", **options: Any) -> Iterator[sqlite3.Connection]:
        """Open the file, which is made where it is missing.

        Args:
            tables: the statements that make what it may lack.
            mode: how to open it, as in SQLite's addresses; by default as `reads` says.
            options: of `sqlite3.connect`.

        Raises:
            UsageError: it is a link, another file, damaged, or in use.
            DiskError: it cannot be read or written.
        """
        path = self.path
        if path.is_symlink():
            raise UsageError(f"{path} is a link to another place; {self.remedy}")
        place = f"{path.absolute().as_uri()}?mode={mode or ('ro' if self.reads else 'rwc')}"
        if is_new := self.reads and not path.exists():
            place = ":memory:"
        with self.faults():
            connection = sqlite3.connect(place, uri=True, check_same_thread=False, **options)
        with closing(connection):
            with self.faults():
                # Whoever wrote the file may have put functions into its tables.
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA cell_size_check = ON")
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_ROW)
                # The pages of its list of tables may name each other, so that it never ends.
                connection.set_progress_handler(lambda: 1, _MOST_STEPS)
                self._refuse_foreign(connection, may_be_empty=is_new or not self.reads)
                connection.set_progress_handler(None, 0)
                if is_new or not self.reads:
                    mark = f"PRAGMA application_id = {self.application};"
                    connection.executescript(f"{mark}{tables}")
            yield connection

    def _refuse_foreign(self, connection: sqlite3.Connection, *, may_be_empty: bool) -> None:
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        tables = connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        if mark != self.application and (tables or not may_be_empty):
            raise UsageError(f"{self.path} holds no {self.holds}; {self.remedy}")
        for kind, sql in connection.execute("SELECT type, sql FROM sqlite_schema"):
            # Indices are those that SQLite makes itself, of which there is no text.
            plain = kind == "table" or (kind == "index" and sql is None)
            if not plain or _WORKED_OUT.search(sql or ""):
                raise UsageError(
                    f"{self.path} holds a {kind} with a program in it, as no file of ours does; "
                    f"{self.remedy}"
                )

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Turn what SQLite and the disk say of the file into our errors."""
        path = self.path
        try:
            yield
        except (sqlite3.Error, OverflowError) as error:
            name = getattr(error, "sqlite_errorname", "")
            if name.startswith(_IN_USE):
                raise UsageError(
                    f"another run uses {path}; wait until it has ended, or {self.remedy}"
                ) from error
            if not name.startswith(_DISK_FAULTS):
                raise UsageError(
                    f"{path} is damaged, or holds no {self.holds} ({error!s:.200}); {self.remedy}"
                ) from error
            if self.reads:
                raise DiskError(
                    f"cannot read {path}: {error}; copy it, with {path.name}-wal if that is beside "
                    "it, to a folder that can be written, and give the copy"
                ) from error
            raise DiskError(
                f"cannot write {path}: {error}; make room, or copy it to a folder that can be "
                "written; all that it holds is kept"
            ) from error

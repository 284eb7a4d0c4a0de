"""Tells from the death of a worker process what it was at, so that it costs no more than that."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

from wikibias.errors import WikibiasError

# Of what ended its process twice, wikibias says this.
DEADLY = "ended the process that worked on it, twice"
# Each attempt has a record in the file, which says where it is.
_RECORD = 64  # bytes
_TWICE = 2
# Never through a link that somebody has laid there.
_FLAGS = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MOST_DEATHS = 24


class Trace:
    """A small file that says where an attempt to work on a part is, and where earlier ones ended.

    What two attempts ended at is passed over. Without a path, nothing is written and nothing is
    passed over. Use it in a `with` block: an attempt that ends by itself, well or not, removes the
    file.

    Raises:
        WikibiasError: earlier attempts ended again at what was passed over, or twice outside of
            any page and item.
    """

    def __init__(self, path: Path | None) -> None:
        self.is_on = path is not None
        self.place = ""
        self._path, self._stage, self._file = path, "", -1
        self._deadly: set[str] = set()
        if path is not None:
            self._begin(path)

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._path is not None:
            remove(self._path)

    def enter(self, stage: str) -> None:
        """Note the stage, in which pages and items have numbers of their own."""
        self._stage = stage
        self.at("")

    def at(self, place: str) -> bool:
        """Note a place, such as "page 3", before the work on it; return whether to do the work."""
        self.place = place
        if not self.is_on:
            return True
        known = f"{self._stage} {place}".strip()
        if self._file >= 0:
            # A full disk ends the run elsewhere.
            with suppress(OSError):
                os.lseek(self._file, self._offset, os.SEEK_SET)
                os.write(self._file, known.ljust(_RECORD).encode())
        return known not in self._deadly

    def _begin(self, path: Path) -> None:
        ended = Counter(places(path))
        self._deadly = {place for place, times in ended.items() if times >= _TWICE}
        hopeless = any(ended[place] > _TWICE or " " not in place for place in self._deadly)
        if hopeless or ended.total() >= _MOST_DEATHS:
            remove(path)
            raise WikibiasError(f"its worker process ended {ended.total()} times")
        self._offset = ended.total() * _RECORD
        with suppress(OSError):
            self._file = os.open(path, _FLAGS, 0o600)
        self.at("")


def trace_path(folder: Path, part: str) -> Path:
    """Return where the trace of a part lies in a result folder."""
    return folder / f".{part}.trace"


def places(path: Path) -> list[str]:
    """Return where the attempts ended that have left a trace."""
    try:
        content = path.read_bytes()
    except OSError:
        return []
    records = (content[at : at + _RECORD] for at in range(0, len(content), _RECORD))
    return [record.decode("ascii", "replace").strip() for record in records]


def remove(path: Path) -> None:
    """Remove a trace, if there is one."""
    with suppress(OSError):
        path.unlink()

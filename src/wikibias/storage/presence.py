"""Keeps runs apart where a file system knows no locks: each shows, now and then, that it is alive.

That is weaker than a lock: of two runs that begin at the same moment, on machines that see each
other's files late, both may go on. They write the same bytes under the same names.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from platform import node

# Seconds between two signs of life, and after which a run on another machine counts as dead.
_PAUSE, _GONE = 10.0, 60.0
# Seconds in which those that begin together see each other.
_SETTLE = 0.2
_NAME = re.compile(r"\.at-work-(whole|shard)-([\w.]*)-(([0-9]{1,10})-[0-9]{1,20})", re.ASCII)


@contextmanager
def present(folder: Path, *, shared: bool) -> Iterator[bool]:
    """Show that this process works in a folder while the block lasts.

    Yields:
        Whether it may: False where another run is there already. Shards bear with one another.

    Raises:
        OSError: the folder cannot be written to.
    """
    if any(_others(folder, shared=shared)):
        yield False
        return
    own = folder / f".at-work-{'shard' if shared else 'whole'}-{_host()}-{_process(os.getpid())}"
    # A lock of this process on the same folder may show it already.
    shown = own.exists()
    os.close(os.open(own, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666))
    ended = threading.Event()
    threading.Thread(target=_show, args=(own, ended), daemon=True).start()
    try:
        time.sleep(_SETTLE)
        yield all(own.name < other.name for other in _others(folder, shared=shared))
    finally:
        ended.set()
        if not shown:
            own.unlink(missing_ok=True)


def is_anybody_present(folder: Path) -> bool:
    """Return whether another process shows that it works in a folder."""
    return any(_others(folder, shared=False))


def _others(folder: Path, *, shared: bool) -> Iterator[Path]:
    """Yield what other living processes show, and remove what dead ones of this machine left."""
    for path in sorted(folder.glob(".at-work-*")):
        found = _NAME.fullmatch(path.name)
        if not found or (shared and found[1] == "shard"):
            continue
        with suppress(OSError):
            if found[2] != _host():
                # Clocks differ by less, as a rule.
                if abs(time.time() - path.stat().st_mtime) < _GONE:
                    yield path
            elif _process(int(found[4])) != found[3]:
                path.unlink(missing_ok=True)
            elif int(found[4]) != os.getpid():
                yield path


def _show(own: Path, ended: threading.Event) -> None:
    while not ended.wait(_PAUSE):
        with suppress(OSError):
            os.utime(own)


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9_.]", "_", node())


def _process(number: int) -> str:
    """Return the number of a living process and when it began, as far as the system tells."""
    with suppress(OSError, IndexError):
        told = Path(f"/proc/{number}/stat").read_text("utf-8", "replace")
        # The second field is the program's name, in parentheses, and may hold anything.
        return f"{number}-{told.rpartition(')')[2].split()[19]}"
    if os.name == "posix" and number:
        with suppress(OSError):
            os.kill(number, 0)
            return f"{number}-0"
    return f"{number}-0" if number == os.getpid() else ""

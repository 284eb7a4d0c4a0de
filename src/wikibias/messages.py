"""Words for the terminal and for messages: plurals, "did you mean", what an exception says."""

from __future__ import annotations

import difflib
import traceback
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from wikibias.errors import WikibiasError

BUG = "(a bug in wikibias; run again with --debug and report the output)"
_LONGEST_CAUSE = 200  # characters


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean X? Known: ..." for a name that is not among the known ones."""
    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.4)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return f"{hint} Known: {', '.join(names)}"


def counted(number: int, what: str) -> str:
    """Return a number with what it counts, in the plural unless it is one."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def cause_of(error: BaseException) -> str:
    """Return in one line what a caught exception says: kind, message, and where it was raised.

    What wikibias itself says of a user's data stands alone.
    """
    said = " ".join(str(error).split())[:_LONGEST_CAUSE]
    if isinstance(error, WikibiasError):
        return said or type(error).__name__
    last = deque(traceback.walk_tb(error.__traceback__), 1)
    where = "".join(f" ({Path(frame.f_code.co_filename).name}:{line})" for frame, line in last)
    return f"{type(error).__name__}{': ' if said else ''}{said}{where}"


def printable(text: str) -> str:
    """Return a text for the terminal: control characters and half characters as `\\x1b`."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)

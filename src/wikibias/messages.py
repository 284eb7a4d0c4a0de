"""Words for the terminal and for messages: numbers with what they count, and "did you mean"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean X? Known: ..." for a name that is not among the known ones."""
    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.4)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return f"{hint} Known: {', '.join(names)}"


def counted(number: int, what: str) -> str:
    """Return a number with what it counts, in the plural unless it is one."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"

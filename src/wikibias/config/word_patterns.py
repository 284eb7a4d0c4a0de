"""Patterns of the lists of words in language files.

An entry is a word or several; a `*` at its end stands for more letters, and one with a `*` in front
may stand inside of a word, as words of Chinese do. Letter case does not count in entries; what is
searched must be folded (`str.casefold`).
"""

from __future__ import annotations

import re
from functools import cache

# Letters that a "*" stands for; a text without spaces is no word.
_MORE = r"\w{0,40}+"


@cache
def word_pattern(entries: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern of all entries, longest first; None if there are none."""
    parts = map(_part, sorted(map(str.casefold, entries), key=len, reverse=True))
    return re.compile("|".join(parts)) if entries else None


def _part(entry: str) -> str:
    words = re.escape(entry.strip("*"))
    if entry.startswith("*"):
        return words
    return rf"(?<!\w){words}" + (_MORE if entry.endswith("*") else r"(?!\w)")

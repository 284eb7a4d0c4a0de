"""Numbers in words, for the terminal and for messages."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """Return a number with what it counts, in the plural unless it is one."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"

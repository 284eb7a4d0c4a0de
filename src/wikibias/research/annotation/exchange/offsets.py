"""Places in a text as browsers count them, in units of UTF-16, and as Python does, in characters.

Outside the basic plane, as with most emoji, one character has two units.
"""

from __future__ import annotations

_LAST_OF_ONE_UNIT = "\uffff"


def has_wide(text: str) -> bool:
    """Return whether a text has characters of two units, so that the two counts differ."""
    return not text.isascii() and any(letter > _LAST_OF_ONE_UNIT for letter in text)


def in_characters(text: str, unit: int) -> int | None:
    """Return a place given in units of UTF-16 in characters; None within or behind the text."""
    units = 0
    for number, letter in enumerate(text):
        if units >= unit:
            return number if units == unit else None
        units += 1 + (letter > _LAST_OF_ONE_UNIT)
    return len(text) if units == unit else None


def units_as_characters(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return start and end given in units of UTF-16 in characters; None where they do not fit."""
    found = in_characters(text, start), in_characters(text, end)
    if found[0] is None or found[1] is None or found[0] >= found[1]:
        return None
    return found[0], found[1]

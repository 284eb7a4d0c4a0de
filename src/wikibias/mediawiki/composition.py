"""Normalisation form C (NFC) of texts that a stranger wrote."""

from __future__ import annotations

import re
import unicodedata

# Combining marks are among the characters that are neither letters nor spaces. Ordinary text has
# at most some five in a row, and rules of hyphens are quick to look through. A pattern that begins
# with one character of a set is looked for quickly.
_RUN = re.compile(r"[^\w\s][^\w\s]{29,}")


def composed(text: str) -> str:
    """Return a text in NFC.

    To put combining marks in order takes Python time in the square of their number, so those of
    long runs are put in order before.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _RUN.sub(_ordered, text))


def _ordered(run: re.Match[str]) -> str:
    """Return a run of marks, decomposed, in the order that Unicode gives them."""
    marks = "".join(unicodedata.normalize("NFD", mark) for mark in run.group())
    keys = []
    base = 0
    for mark in marks:
        order = unicodedata.combining(mark)
        base += not order
        keys.append((base, order))
    return "".join(marks[at] for at in sorted(range(len(marks)), key=keys.__getitem__))

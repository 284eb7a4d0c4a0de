"""What changed within a line: the words that were inserted and deleted, and where."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

from wikibias.text.affixes import changed
from wikibias.text.similarity import changes

# A word, white space, or one mark. So a tag such as <ref> does not drag the word before it along.
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


class Change(NamedTuple):
    """A run of text that the newer line has in place of a run of the older; either may be "".

    `at_before` and `at_after` are where each begins in its line, in characters.
    """

    deleted: str
    inserted: str
    at_before: int
    at_after: int


def changes_of(before: str, after: str) -> list[Change]:
    """Return what differs between two lines, by the longest common subsequence of their tokens.

    A line that was inserted or deleted is one change. The cost is bounded: of lines that differ
    over thousands of words all between the first and the last difference is one change.
    """
    if not before or not after:
        return [Change(before, after, 0, 0)] if before or after else []
    start, end = _whole_tokens(before, after)
    old, new = before[start : len(before) - len(after) + end], after[start:end]
    if not old or not new:
        return [Change(old, new, start, start)] if old or new else []
    sides = _TOKEN.findall(old), _TOKEN.findall(new)
    numbers: dict[str, int] = {}
    keys = [[numbers.setdefault(token, len(numbers)) for token in side] for side in sides]
    starts = [[0, *accumulate(map(len, side))] for side in sides]
    return [
        Change(
            old[starts[0][one] : starts[0][two]],
            new[starts[1][three] : starts[1][four]],
            start + starts[0][one],
            start + starts[1][three],
        )
        for one, two, three, four in changes(*keys)
    ]


def _whole_tokens(before: str, after: str) -> tuple[int, int]:
    """Return where two lines begin to differ, and where in the newer one they cease to."""
    start, end = changed(before, after)
    kind = _kind(after, start - 1) if start else None
    while start and kind is not None and _kind(after, start - 1) == kind:
        start -= 1
    kind = _kind(after, end) if end < len(after) else None
    while end < len(after) and kind is not None and _kind(after, end) == kind:
        end += 1
    return start, end


def _kind(text: str, at: int) -> str | None:
    """Return what kind of token a character goes on, None for a mark, which stands alone."""
    if text[at].isspace():
        return "space"
    return "word" if text[at].isalnum() or text[at] == "_" else None

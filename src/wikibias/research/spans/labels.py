"""Labels of words that mark spans: B begins one, I goes on with it, O is outside of any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

OUTSIDE = "O"
BEGIN = "B-bias"
INSIDE = "I-bias"
NAMES = (BEGIN, INSIDE, OUTSIDE)
"""What our taggers give, and the files of WIKIBIAS hold."""
_LABEL = re.compile(r"O|[BI](?:-\S{1,40})?")

Span = tuple[int, int]
"""The number of the first word of a span, and of the first one behind it."""


def is_label(text: str) -> bool:
    """Say whether a text is a label: O, B or I, the last two perhaps with a kind, as B-framing."""
    return _LABEL.fullmatch(text) is not None


def spans(labels: Iterable[str]) -> list[Span]:
    """Return the spans of a sentence, in order. An I behind an O begins one; kinds do not count."""
    found: list[Span] = []
    start, end = None, 0
    for end, label in enumerate(labels):
        if start is not None and label[0] in "OB":
            found.append((start, end))
            start = None
        if start is None and label[0] in "BI":
            start = end
    if start is not None:
        found.append((start, end + 1))
    return found


def labelled(size: int, found: Iterable[Span]) -> list[str]:
    """Return the labels of a sentence of `size` words with these spans."""
    labels = [OUTSIDE] * size
    for start, end in found:
        labels[start:end] = [BEGIN, *[INSIDE] * (end - start - 1)]
    return labels


def first_orphan(labels: Sequence[str]) -> int | None:
    """Return where the first I stands that follows no B or I; None if there is none."""
    return next(
        (
            place
            for place, label in enumerate(labels)
            if label[0] == "I" and (place == 0 or labels[place - 1] == OUTSIDE)
        ),
        None,
    )

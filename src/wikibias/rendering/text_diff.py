"""The two sides of a change as pieces of text, those marked that changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPAN = re.compile(r"([0-9]{1,9}):([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and whether it changed."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """Two sides of a change, either of which may be empty; `note` says how they relate."""

    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    note: str = ""


def pieces(text: str, spans: str) -> tuple[Piece, ...]:
    """Cut a text into pieces by the spans of `Link.changed_spans`, such as "12:18 30:34".

    Spans that do not fit the text, or do not follow each other, do not count.
    """
    return tuple(Piece(*each) for each in _pieces(text, spans) if each[0])


def whole(text: str, *, changed: bool = False) -> tuple[Piece, ...]:
    """Return a text as one piece; of an empty one, nothing."""
    return (Piece(text, changed),) if text else ()


def _pieces(text: str, spans: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for found in _SPAN.finditer(spans):
        start, end = int(found[1]), int(found[2])
        if at <= start < end <= len(text):
            yield text[at:start], False
            yield text[start:end], True
            at = end
    yield text[at:], False

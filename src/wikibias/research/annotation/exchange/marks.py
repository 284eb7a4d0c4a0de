"""Marked spans that come back: that their places are in the text, and hold the words they held.

Label Studio 1.23 counts characters, as we do; before it counted as browsers do, and so does
Argilla's page (`offsets`). The words that stand beside the places tell which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.research.annotation.exchange.doubts import Doubts
from wikibias.research.annotation.exchange.offsets import has_wide, units_as_characters
from wikibias.research.annotation.exchange.rows import Mark

_UNITS = "counted as browsers do; moved to where its words stand"


def read_marks(
    found: Any, text: str, labels: Sequence[str], place: str, doubts: Doubts, *, units: bool = False
) -> tuple[Mark, ...]:
    """Return the spans of an answer; what does not fit the text is left out, and noted.

    Args:
        found: a list of spans with `start`, `end`, `label` or `labels`, and perhaps `text`, the
            words that were marked.
        text: the text they are in.
        labels: those that are known.
        place: where the answer stands.
        doubts: where the others are noted.
        units: where no words stand beside them, the places are units of UTF-16.
    """
    marks: list[Mark] = []
    for span in found if isinstance(found, list) else ():
        ends = _ends(span, text, place, doubts, units) if isinstance(span, Mapping) else None
        if ends is None:
            doubts.add("span", "that cannot stand where it is said to; left out", place, span)
            continue
        given = span.get("labels", span.get("label"))
        for label in given if isinstance(given, list) else [given]:
            if label in labels:
                marks.append(Mark(*ends, str(label)))
            else:
                doubts.add("span", "with an unknown label; left out", place, label)
    return tuple(dict.fromkeys(marks))


def _ends(
    span: Mapping[str, Any], text: str, place: str, doubts: Doubts, units: bool
) -> tuple[int, int] | None:
    """Return start and end of a span in characters."""
    start, end, words = span.get("start"), span.get("end"), span.get("text")
    if type(start) is not int or type(end) is not int or start < 0:
        return None
    as_units = units_as_characters(text, start, end) if has_wide(text) else None
    if isinstance(words, str):
        if text[start:end] == words:
            return start, end
        if as_units is not None and text[slice(*as_units)] == words:
            doubts.add("span", _UNITS, place, words)
            return as_units
        return None
    if units and as_units is not None and as_units != (start, end):
        doubts.add("span", _UNITS, place)
        return as_units
    return (start, end) if start < end <= len(text) else None

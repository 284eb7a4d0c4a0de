"""The parts of two wikitexts that differ, cut where no markup is open.

A page is far larger than what an edit changes in it. Sections that both texts hold are passed over;
of the others the lines that both begin and end with are cut off, unless an element reaches across
the cut, as in an infobox of which one line changed: then all of the section is kept.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wikibias.edits.intents.word_overlap import Overlap


class Section(NamedTuple):
    """A section: its heading with the signs, "" above the first one, and all of its text."""

    heading: str
    text: str


class Part(NamedTuple):
    """What became of what; an empty side, and no heading, where there was no such section."""

    before: str
    after: str
    old: Section | None
    new: Section | None


class Parts(NamedTuple):
    """The parts that differ, in the order of the newer text, and how many sections moved."""

    changed: list[Part]
    kept: list[tuple[int, int]]


_OPEN_AND_CLOSE = (("{{", "}}"), ("{|", "|}"), ("[[", "]]"), ("<!--", "-->"))
_TAGS = re.compile(r"<(/?)(?:ref|gallery|nowiki|math)\b[^<>]*>", re.IGNORECASE)


def changed_parts(before: str, after: str) -> Parts:
    """Return the parts in which two wikitexts differ."""
    old, new = _sections(before), _sections(after)
    partners = _partners(old, new)
    parts = []
    kept = []
    for number, section in enumerate(new):
        partner = partners.get(number)
        if partner is None:
            parts.append(Part("", section.text, None, section))
        else:
            kept.append((partner, number))
            if old[partner].text != section.text:
                cut = _trimmed(old[partner].text, section.text)
                parts.append(Part(*cut, old[partner], section))
    used = set(partners.values())
    gone = [Part(one.text, "", one, None) for n, one in enumerate(old) if n not in used]
    return Parts([*parts, *gone], kept)


def _sections(text: str) -> list[Section]:
    """Split a text where a line begins with "="; the pieces, joined by a break, are the text."""
    first, *rest = text.split("\n=")
    pieces = [first, *("=" + piece for piece in rest)]
    return [
        Section(piece.partition("\n")[0].strip() if piece.startswith("=") else "", piece)
        for piece in pieces
    ]


def _partners(old: list[Section], new: list[Section]) -> dict[int, int]:
    """Return for sections of the newer text which one they were: the same, or alike.

    Those of the same heading belong together, in order; of the rest, those that share most words.
    """
    by_heading: dict[str, list[int]] = {}
    for number in range(len(old) - 1, -1, -1):
        by_heading.setdefault(old[number].heading, []).append(number)
    partners = {}
    for number, section in enumerate(new):
        if waiting := by_heading.get(section.heading):
            partners[number] = waiting.pop()
    used = set(partners.values())
    rest_old = [number for number in range(len(old)) if number not in used]
    rest_new = [number for number in range(len(new)) if number not in partners]
    if rest_old and rest_new:
        overlap = Overlap([old[n].text for n in rest_old], [new[n].text for n in rest_new])
        for left, right in overlap.pairs():
            partners[rest_new[right]] = rest_old[left]
    return partners


def _trimmed(before: str, after: str) -> tuple[str, str]:
    """Cut off the lines that both texts begin and end with, where no markup is open."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    start = end = 0
    while start < most and old[start] == new[start]:
        start += 1
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    # To the blank lines around, so that paragraphs stay whole and line breaks are counted.
    while start and old[start - 1].strip():
        start -= 1
    while end and old[-end].strip():
        end -= 1
    start, end = max(0, start - 1), max(0, end - 1)
    if not _balanced("\n".join(old[:start])):
        start = 0
    middles = ["\n".join(lines[start : len(lines) - end]) for lines in (old, new)]
    if not all(_balanced(middle) for middle in middles):
        return "\n".join(old[start:]), "\n".join(new[start:])
    return middles[0], middles[1]


def _balanced(text: str) -> bool:
    """Return whether as much markup is opened as is closed; in doubt not."""
    if any(text.count(opened) != text.count(closed) for opened, closed in _OPEN_AND_CLOSE):
        return False
    if "<" not in text:
        return True
    tags = [match for match in _TAGS.finditer(text) if not match[0].endswith("/>")]
    return 2 * sum(bool(match[1]) for match in tags) == len(tags)

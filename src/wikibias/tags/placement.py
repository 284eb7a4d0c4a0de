"""Where in an article a tag stands, and which part of the article it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wikibias.tags.entries import Tag
from wikibias.tags.template_parser import Call

_HEADING_LINE = re.compile(r"(?m)^=.*=[ \t\x00]*$")
_MOST_LEVELS = 6
_OPENING = re.compile(r"[\[{<]")
# {{POV|section}}, in Czech {{NPOV|část}}: a template of articles said to be about a section.
_SECTION_WORDS = frozenset(("section", "sect", "část"))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a wikitext: where its line starts, its level, and its wikitext."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where one call of a tag stands in an active wikitext.

    `section` is the wikitext of the heading above it, "" in the lead. The tag is about what
    stands from `start` to `end`: the article, the section with its subsections, the line that
    an inline tag stands in (`before` being where in that line), or the text that it wraps.
    """

    scope: str
    section: str
    start: int
    end: int
    call: Call


def place_of(text: str, found: Sequence[Heading], call: Call, tag: Tag) -> Place:
    """Return where a call of `tag` stands in an active wikitext, and what it is about.

    `found` are the `headings` of the wikitext. A section tag in the lead is about the lead.
    """
    above = [heading for heading in found if heading.start < call.start]
    section = above[-1].title if above else ""
    scope = tag.scope
    if (
        scope == "article"
        and above
        and _SECTION_WORDS & {p.strip().lower() for p in call.parameters}
    ):
        scope = "section"
    start, end = 0, len(text)
    if scope == "section":
        start, end = _section(text, found, above)
    elif scope == "inline":
        start = text.rfind("\n", 0, call.start) + 1
        line_end = text.find("\n", call.end)
        end = line_end if line_end >= 0 else len(text)
    elif scope == "wrapping":
        start, end = _parameter(call, tag.text)
    return Place(scope, section, start, end, call)


def headings(text: str) -> Iterator[Heading]:
    """Yield the headings of an active wikitext; as many = signs count as both sides have."""
    for line in _HEADING_LINE.finditer(text):
        marked = line.group().rstrip(" \t\x00")
        left = len(marked) - len(marked.lstrip("="))
        right = len(marked) - len(marked.rstrip("="))
        level = min(left, right, _MOST_LEVELS)
        title = marked[level:-level].strip()
        if title:
            yield Heading(line.start(), level, title)


def _section(text: str, found: Sequence[Heading], above: Sequence[Heading]) -> tuple[int, int]:
    if not above:
        return 0, found[0].start if found else len(text)
    below = found[len(above) :]
    end = next((h.start for h in below if h.level <= above[-1].level), len(text))
    return above[-1].start, end


def _parameter(call: Call, name: str) -> tuple[int, int]:
    """Return where the value of a parameter stands, the first unnamed one being "1"."""
    position = call.start + 2 + len(call.name)
    unnamed = 0
    for parameter in call.parameters:
        start, end = position + 1, position + 1 + len(parameter)
        left, equals, value = parameter.partition("=")
        # An equals sign inside of a link, an element or a call names nothing.
        named = bool(equals) and _OPENING.search(left) is None
        unnamed += not named
        if (left.strip() if named else str(unnamed)) == name:
            return (end - len(value) if named else start), end
        position = end
    return call.start, call.start

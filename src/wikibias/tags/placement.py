"""Where in an article a tag stands, and which part of the article it is about."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from wikibias.tags.tagset import Tag
from wikibias.tags.template_parser import Call

_HEADING_LINE = re.compile(r"(?m)^=.*=[ \t\x00]*$")
_MOST_LEVELS = 6
_START = attrgetter("start")
# {{POV|section}}, in Czech {{NPOV|část}}: a template of articles said to be about a section.
_SECTION_WORDS = frozenset(("section", "sect", "část"))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a wikitext: where its line starts, its level, and its wikitext.

    `end` is where its section ends, subsections included.
    """

    start: int
    level: int
    title: str
    end: int


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

    `found` are the `headings` of the wikitext. A section tag in the lead is about the lead. A
    wrapping tag that wraps nothing stands behind what it is about, as an inline one does.
    """
    number = bisect_left(found, call.start, key=_START)
    above = found[number - 1] if number else None
    section = above.title if above else ""
    scope = tag.scope
    if (
        scope == "article"
        and above
        and any(not p.sign and p.left.strip().lower() in _SECTION_WORDS for p in call.parameters)
    ):
        scope = "section"
    start, end = 0, len(text)
    if scope == "section":
        lead = 0, found[0].start if found else len(text)
        start, end = (above.start, above.end) if above else lead
    elif scope == "wrapping":
        start, end = _parameter(call, tag.text)
        scope = "wrapping" if text[start:end].strip() or _may_wrap(call) else "inline"
    if scope == "inline":
        start = text.rfind("\n", 0, call.start) + 1
        line_end = text.find("\n", call.end)
        end = line_end if line_end >= 0 else len(text)
    return Place(scope, section, start, end, call)


def headings(text: str) -> list[Heading]:
    """Return the headings of an active wikitext; as many = signs count as both sides have."""
    found: list[Heading] = []
    # Where a section of each level ends, seen from the end of the text.
    ends = [len(text)] * (_MOST_LEVELS + 1)
    for start, level, title in reversed(list(_heading_lines(text))):
        found.append(Heading(start, level, title, ends[level]))
        ends[level:] = [start] * (_MOST_LEVELS + 1 - level)
    found.reverse()
    return found


def _heading_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each heading starts, its level, and its wikitext."""
    for line in _HEADING_LINE.finditer(text):
        marked = line.group().rstrip(" \t\x00")
        left = len(marked) - len(marked.lstrip("="))
        right = len(marked) - len(marked.rstrip("="))
        level = min(left, right, _MOST_LEVELS)
        title = marked[level:-level].strip()
        if title:
            yield line.start(), level, title


def _may_wrap(call: Call) -> bool:
    """Return whether an editor meant to wrap a text, in which an equals sign reads as a name."""
    return any(p.sign == "=" and len(p.left.split()) > 1 for p in call.parameters)


def _parameter(call: Call, name: str) -> tuple[int, int]:
    """Return where the value of a parameter stands, the first unnamed one being "1"."""
    unnamed = 0
    for left, sign, start, end in call.parameters:
        # An equals sign inside of a link, an element or a call names nothing.
        named = sign == "="
        unnamed += not named
        if (left.strip() if named else str(unnamed)) == name:
            return start, end
    return call.start, call.start

"""From the texts of two revisions to the lines that an edit changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import AnyStr, NamedTuple

from wikibias.dumps.xml.revision_parser import scanned_text
from wikibias.records import ChangedLine, Revision
from wikibias.text.affixes import changed
from wikibias.text.similarity import changes

_HEADING = re.compile(r"(={1,6})(.+?)\1\s*(?:<!--.*)?")
# Bytes of the longest line that is read as a heading.
_LONGEST_HEADING = 1000
# Of a text above the change, so many lines that begin as a heading does and are none are tried.
_MOST_HEADINGS_TRIED = 100


class Block(NamedTuple):
    """Lines of the older text of a region, and those that the newer one has in their place.

    `at_before` and `at_after` are the numbers of the first of each, in the lines of the region.
    """

    at_before: int
    before: tuple[str, ...]
    at_after: int
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """The whole lines that hold all that two texts do not share.

    Both texts have the same lines above and below, but for their number. `heading` returns the
    heading that the first of these lines stands under; it is not looked for until then.
    """

    before: str
    after: str
    heading: Callable[[], str]


def region_between(before: Revision, after: Revision) -> Region | None:
    """Return the region that an edit changed; None if both texts are the same, or one not known.

    Of two revisions that keep the bytes of their texts only the region is decoded.

    Raises:
        DumpError: a text is not well-formed.
    """
    if not (before.has_text and after.has_text):
        return None
    old, new = before.raw_text, after.raw_text
    if old is not None and new is not None:
        if old == new:
            return None
        if (found := _raw_region(old, new)) is not None:
            return found
    return region_of(before.peek() or "", after.peek() or "")


def region_of(before: str, after: str) -> Region | None:
    """Return the region that differs between two texts; None if they are the same."""
    if before == after:
        return None
    start, old_end, new_end = _whole_lines(before, after, "\n")
    old, new = before[start:old_end], after[start:new_end]
    return Region(old, new, lambda: _heading_above(after, start, "\n=", str))


def _raw_region(before: bytes, after: bytes) -> Region | None:
    """Return the region of two texts as they stand in the XML; None where it needs a parser."""
    start, old_end, new_end = _whole_lines(before, after, b"\n")
    old, new = before[start:old_end], after[start:new_end]
    # XML makes an end of line of it.
    if b"\r" in old or b"\r" in new:
        return None
    try:
        return Region(
            scanned_text(old),
            scanned_text(new),
            lambda: _heading_above(after, start, b"\n=", scanned_text),
        )
    except ValueError:
        return None


def _whole_lines(before: AnyStr, after: AnyStr, end_of_line: AnyStr) -> tuple[int, int, int]:
    """Return where the lines that differ begin in both texts, and where they end in each."""
    start, end = changed(before, after)
    start = after.rfind(end_of_line, 0, start) + 1
    end = after.find(end_of_line, end)
    if end < 0:
        end = len(after)
    return start, len(before) - len(after) + end, end


def blocks_of(region: Region) -> list[Block]:
    """Return the lines that differ, in order; together they make of one side the other.

    The longest common subsequence of the lines tells. Of very many lines all between the first and
    the last difference are one block, so that the cost is bounded.
    """
    sides = region.before.split("\n"), region.after.split("\n")
    numbers: dict[str, int] = {}
    old, new = ([numbers.setdefault(line, len(numbers)) for line in side] for side in sides)
    return [
        Block(first, tuple(sides[0][first:last]), start, tuple(sides[1][start:end]))
        for first, last, start, end in changes(old, new)
    ]


def changed_lines(blocks: Iterable[Block]) -> Iterator[ChangedLine]:
    """Yield the lines of blocks, each with the line that it replaces.

    Within a block the first of the older lines belongs to the first of the newer, and so on. A
    blank line belongs to nothing: the line on the other side was inserted or deleted. Blank lines
    themselves are not given, nor is the section.
    """
    return (line for block in blocks for line, _ in _lines_of(block))


def sections_of(region: Region, blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the heading over each of the `changed_lines`: in the newer text if it stands there."""
    top = region.heading()
    old, new = _Headings(region.before, top), _Headings(region.after, top)
    for block in blocks:
        for line, number in _lines_of(block):
            if line.after:
                yield new.above(block.at_after + number)
            else:
                yield old.above(block.at_before + number)


def _lines_of(block: Block) -> Iterator[tuple[ChangedLine, int]]:
    """Yield the changed lines of a block, each with its number in the block."""
    sides = zip_longest(block.before, block.after, fillvalue="")
    for number, (before, after) in enumerate(sides):
        old, new = bool(before.strip()), bool(after.strip())
        if old or new:
            yield ChangedLine(before if old else "", after if new else ""), number


class _Headings:
    """Follows the headings of a text, line by line."""

    def __init__(self, text: str, top: str) -> None:
        self._lines = text.split("\n")
        self._at = 0
        self._last = top

    def above(self, number: int) -> str:
        """Return the last heading above the line of this number; numbers may only grow."""
        for line in self._lines[self._at : number]:
            self._last = heading_of(line) or self._last
        self._at = max(self._at, number)
        return self._last


def heading_of(line: str) -> str:
    """Return the title of a line that is a heading, else ""."""
    if line[:1] != "=" or len(line) > _LONGEST_HEADING:
        return ""
    found = _HEADING.fullmatch(line)
    return found[2].strip() if found else ""


def _heading_above(text: AnyStr, end: int, begins: AnyStr, decoded: Callable[[AnyStr], str]) -> str:
    """Return the last heading of a text above a line that begins at `end`; "" if there is none."""
    for _ in range(_MOST_HEADINGS_TRIED):
        start = text.rfind(begins, 0, end) + 1
        stop = text.find(begins[:1], start)
        if 0 < stop - start <= _LONGEST_HEADING:
            title = heading_of(decoded(text[start:stop]))
            if title and stop < end:
                return title
        if not start:
            break
        end = start
    return ""

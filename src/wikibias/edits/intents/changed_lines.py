"""Lines and segments that an edit changes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import AnyStr, NamedTuple

from wikibias.dumps.xml.revision_parser import escaped_text, unescaped
from wikibias.records import Revision
from wikibias.text import similarity
from wikibias.text.similarity import changed, changes

_HEADING = re.compile(r"(={1,6})(.+?)\1\s*(?:<!--.*)?")
# Bytes of the longest line that is read as a heading.
_LONGEST_HEADING = 1000
# Of a text above the change, so many lines that begin as a heading does and are none are tried.
_MOST_HEADINGS_TRIED = 100


class Block(NamedTuple):
    """Lines of the older text of a region in whose place the newer one has others, by number."""

    before: range
    after: range


class RawLine(NamedTuple):
    """A line that an edit changed, as it stands in its region, and its number in either text.

    A side is "" where the line was inserted or deleted.
    """

    before: str
    after: str
    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class Region:
    """The whole lines that hold all that two texts do not share, perhaps with the escapes of XML.

    Both texts have the same lines above and below. `read` makes the text of a line; `heading`
    returns the heading that the first line stands under, which is not looked for until then.
    """

    before: Sequence[str]
    after: Sequence[str]
    read: Callable[[str], str]
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
        found = _raw_region(old, new)
        if found is not None:
            return found
    return region_of(before.peek() or "", after.peek() or "")


def region_of(before: str, after: str) -> Region | None:
    """Return the region that differs between two texts; None if they are the same."""
    if before == after:
        return None
    start, old_end, new_end = similarity.changed_lines(before, after, "\n")
    old, new = before[start:old_end].split("\n"), after[start:new_end].split("\n")
    return Region(old, new, str, lambda: _heading_above(after, start, "\n=", str))


def _raw_region(before: bytes, after: bytes) -> Region | None:
    """Return the region of two escaped texts; None where a parser is needed.

    A dump escapes in one way, so lines that differ read differently.
    """
    start, old_end, new_end = similarity.changed_lines(before, after, b"\n")
    old, new = escaped_text(before[start:old_end]), escaped_text(after[start:new_end])
    if old is None or new is None:
        return None
    return Region(
        old.split("\n"),
        new.split("\n"),
        unescaped,
        lambda: _heading_above(after, start, b"\n=", _line_read),
    )


def _line_read(raw: bytes) -> str:
    return unescaped(escaped_text(raw) or "")


def blocks_of(region: Region) -> list[Block]:
    """Return which lines differ, in order; the newer ones make of one side the other.

    The longest common subsequence of the lines tells. Of very many lines all between the first and
    the last difference are one block, so that the cost is bounded.
    """
    numbers: dict[str, int] = {}
    old = [numbers.setdefault(line, len(numbers)) for line in region.before]
    new = [numbers.setdefault(line, len(numbers)) for line in region.after]
    return [
        Block(range(first, last), range(start, end))
        for first, last, start, end in changes(old, new)
    ]


def changed_lines(region: Region, blocks: Iterable[Block]) -> Iterator[RawLine]:
    """Yield the lines of blocks, each with the line that it replaces; they are not decoded.

    Within a block the first of the older lines belongs to the first of the newer, and so on. A
    blank line belongs to nothing: the line on the other side was inserted or deleted. Blank lines
    themselves are not given.

    Raises:
        DumpError: a line is not well-formed.
    """
    for block in blocks:
        for old, new in zip_longest(block.before, block.after):
            before = "" if old is None else region.before[old]
            after = "" if new is None else region.after[new]
            was, is_ = bool(before.strip()), bool(after.strip())
            if was or is_:
                yield RawLine(before if was else "", after if is_ else "", old, new)


def edited_lines(region: Region, blocks: Iterable[Block]) -> Iterator[RawLine]:
    """Yield those of the `changed_lines` that stand on both sides, and pass over all others."""
    for block in blocks:
        shorter = min(len(block.before), len(block.after))
        pairs = Block(block.before[:shorter], block.after[:shorter])
        for line in changed_lines(region, [pairs]):
            if line.before and line.after:
                yield line


def sections_of(region: Region, lines: Iterable[RawLine]) -> Iterator[str]:
    """Yield the heading over each of the `changed_lines`: in the newer text if it stands there."""
    top = region.heading()
    above_old = _Headings(region.before, region.read, top)
    above_new = _Headings(region.after, region.read, top)
    for line in lines:
        if line.after and line.new is not None:
            yield above_new.above(line.new)
        else:
            yield above_old.above(line.old or 0)


class _Headings:
    """Follows the headings of a text, line by line."""

    def __init__(self, lines: Sequence[str], read: Callable[[str], str], top: str) -> None:
        self._lines = lines
        self._read = read
        self._at = 0
        self._last = top

    def above(self, number: int) -> str:
        """Return the last heading above the line of this number; numbers may only grow."""
        for line in self._lines[self._at : number]:
            if line[:1] == "=":
                self._last = heading_of(self._read(line)) or self._last
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

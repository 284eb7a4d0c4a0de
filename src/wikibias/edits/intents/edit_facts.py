"""An edit, the lines that it changed and their segments, with the facts that rules test.

Each property of `Edit`, `Line` and `Segment` that is a truth, a number or a text is a fact; `FACTS`
names them all, with their scope and type:

    edit = facts_of(before, after, summary)
    edit.summary
    for line in edit.lines:
        line.line_kind
        for segment in line.segments:
            segment.words_in

Nothing is worked out before it is asked for, and what costs time is kept. So ask for facts of the
edit first, then for those of each line, then for those of its segments, and stop at the first that
decides: a rule that fails early saves the rest.

A line that was inserted or deleted whole has one segment. One that was edited has a segment for
each run of words and marks that changed. Blank lines are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import accumulate, zip_longest
from operator import attrgetter
from typing import Any, AnyStr, NamedTuple

from wikibias.config.intents import FactForm, FactScope, FactType
from wikibias.dumps.xml.revision_parser import escaped_text, unescaped
from wikibias.edits.intents.markup_elements import MarkupNames, Open, line_kind, open_markup
from wikibias.records import ChangedLine, Revision
from wikibias.text import similarity

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
    return Region(old, new, str, partial(_heading_above, after, start, "\n=", str))


def _raw_region(before: bytes, after: bytes) -> Region | None:
    """Return the region of two escaped texts; None where a parser is needed.

    A dump escapes in one way, so lines that differ read differently.
    """
    start, old_end, new_end = similarity.changed_lines(before, after, b"\n")
    old, new = escaped_text(before[start:old_end]), escaped_text(after[start:new_end])
    if old is None or new is None:
        return None
    heading = partial(_heading_above, after, start, b"\n=", _decoded)
    return Region(old.split("\n"), new.split("\n"), unescaped, heading)


def _decoded(raw: bytes) -> str:
    return unescaped(escaped_text(raw) or "")


def blocks_of(region: Region) -> list[Block]:
    """Return which lines differ, in order; the newer ones make of one side the other.

    The longest common subsequence of the lines tells. Of very many lines all between the first and
    the last difference are one block, so that the cost is bounded.
    """
    return [
        Block(range(first, last), range(start, end))
        for first, last, start, end in similarity.changes(region.before, region.after)
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
    starts = [[0, *accumulate(map(len, side))] for side in sides]
    return [
        Change(
            old[starts[0][one] : starts[0][two]],
            new[starts[1][three] : starts[1][four]],
            start + starts[0][one],
            start + starts[1][three],
        )
        for one, two, three, four in similarity.changes(*sides)
    ]


def _whole_tokens(before: str, after: str) -> tuple[int, int]:
    """Return where two lines begin to differ, and where in the newer one they cease to."""
    start, end = similarity.changed(before, after)
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


Value = bool | int | float | str
NAMES = MarkupNames()

# Table 2 of the paper, as it stands there.
_CITATION = re.compile(r"<ref>|\{\{Cite")
_TEMPLATE = re.compile(r"\{\{[^{]+\}\}")
_WIKILINK = re.compile(r"\[\[[^\[]+\]\]")
_INFOBOX_LINE = re.compile(r"^\|[a-zA-Z0-9 ]+=")
# The released code.
_ANY_CITATION = re.compile(r"<ref>|\{\{cite", re.IGNORECASE)
_CODED_CITATION = re.compile(r"<ref|\{\{cite", re.IGNORECASE)
# Any sign of markup, also of one that goes on beyond the segment.
_MARKUP = re.compile(r"<ref|\{\{|\}\}|\[\[|\]\]|^\|[a-zA-Z0-9 ]+=", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|</?ref|<br|$)|\u3002", re.IGNORECASE)
_LINES_KEPT = 2048
_LONGEST_KEPT = 5000  # characters


def words(text: str) -> int:
    """Return how many words a text has, cut at white space as the paper cuts them."""
    return len(text.split())


def sentences(text: str) -> int:
    """Return how many sentences end in a text."""
    return sum(1 for _ in _SENTENCE_END.finditer(text))


@dataclass(eq=False)
class Edit:
    """What an edit changed."""

    _region: Region | None
    _read_summary: Callable[[], str]
    _names: MarkupNames

    @cached_property
    def summary(self) -> str:
        """The edit summary."""
        return self._read_summary()

    @property
    def changed_lines(self) -> int:
        """Changed lines, blank ones apart."""
        return len(self.lines)

    @property
    def page_references_added(self) -> int:
        """How many more references and citation templates the page has; below 0 for fewer."""
        return sum(line.line_references_added for line in self.lines)

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The lines that it changed, in order, but for blank ones."""
        return self._lines(self._raw_lines)

    @cached_property
    def lines_of_both(self) -> Sequence[Line]:
        """Those that stand in both texts; quick, where whole pages were inserted or deleted."""
        if self._region is None:
            return [line for line in self.lines if line.line_action == "edited"]
        return self._lines(edited_lines(self._region, self._blocks))

    @cached_property
    def lines_in_sections(self) -> tuple[ChangedLine, ...]:
        """All lines, each with the heading that it stands under."""
        if self._region is None:
            return ()
        sections = sections_of(self._region, self._raw_lines)
        return tuple(
            ChangedLine(line.before, line.after, section)
            for line, section in zip(self.lines, sections, strict=True)
        )

    @cached_property
    def _blocks(self) -> Sequence[Block]:
        return blocks_of(self._region) if self._region else []

    @cached_property
    def _raw_lines(self) -> Sequence[RawLine]:
        return list(changed_lines(self._region, self._blocks)) if self._region else []

    def _lines(self, found: Iterable[RawLine]) -> Sequence[Line]:
        read = self._region.read if self._region else str
        return [_line(line.before, line.after, read, self._names) for line in found]


class Line:
    """A line that an edit changed; an empty side where it was inserted or deleted."""

    def __init__(self, before: str, after: str, names: MarkupNames) -> None:
        self.before = before
        self.after = after
        self.names = names

    @property
    def line_action(self) -> str:
        """What was done to it: edited, inserted or deleted."""
        if not self.before:
            return "inserted"
        return "edited" if self.after else "deleted"

    @property
    def line_kind(self) -> str:
        """How the older line begins, or the newer where there is none; see `LineKind`."""
        return line_kind(self.before or self.after)

    @property
    def line_before(self) -> str:
        """The older line."""
        return self.before

    @property
    def line_after(self) -> str:
        """The newer line."""
        return self.after

    @property
    def line_references_before(self) -> int:
        """References and citation templates that begin in the older line.

        Tags that close themselves, and templates that ask for a citation, do not count.
        """
        return self._references[0]

    @property
    def line_references_after(self) -> int:
        """The same of the newer line."""
        return self._references[1]

    @property
    def line_references_added(self) -> int:
        """How many more the newer line has; below 0 for fewer."""
        return self._references[1] - self._references[0]

    @property
    def line_templates_added(self) -> int:
        """How many more templates begin in the newer line."""
        return self.after.count("{{") - self.before.count("{{")

    @property
    def line_wikilinks_added(self) -> int:
        """How many more wikilinks begin in the newer line."""
        return self.after.count("[[") - self.before.count("[[")

    @property
    def line_segments(self) -> int:
        """Segments of the line."""
        return len(self._changes)

    @property
    def line_has_word_changed(self) -> bool:
        """Whether more than marks and white space changed."""
        return any(segment.changes_words for segment in self.segments)

    @property
    def segments(self) -> Sequence[Segment]:
        """What changed in it, in order."""
        return [Segment(self, number, change) for number, change in enumerate(self._changes)]

    @cached_property
    def open_at(self) -> Sequence[Open | None]:
        """What markup is open at each segment, in the older line or in the newer."""
        return [
            one or other
            for one, other in zip(
                open_markup(self.before, [change.at_before for change in self._changes]),
                open_markup(self.after, [change.at_after for change in self._changes]),
                strict=True,
            )
        ]

    @cached_property
    def sentence_ends(self) -> list[int]:
        """Where sentences of the older line end."""
        return [found.end() for found in _SENTENCE_END.finditer(self.before)]

    @cached_property
    def _changes(self) -> Sequence[Change]:
        return changes_of(self.before, self.after)

    @cached_property
    def _references(self) -> tuple[int, int]:
        count = self.names.count_references
        return count(self.before), count(self.after)


class Segment:
    """A run of text that was inserted, deleted or replaced in a line."""

    def __init__(self, line: Line, number: int, change: Change) -> None:
        self._line = line
        self._number = number
        self._deleted, self._inserted, self._at_before, self._at_after = change

    @property
    def inserted(self) -> str:
        """The inserted text."""
        return self._inserted

    @property
    def deleted(self) -> str:
        """The deleted text."""
        return self._deleted

    @property
    def words_in(self) -> int:
        """Inserted words, cut at white space."""
        return words(self._inserted)

    @property
    def words_out(self) -> int:
        """Deleted words."""
        return words(self._deleted)

    @property
    def content_words_in(self) -> int:
        """Inserted words that are no stop words."""
        return self._content_words(self._inserted)

    @property
    def content_words_out(self) -> int:
        """Deleted words that are no stop words."""
        return self._content_words(self._deleted)

    @property
    def content_words_gained(self) -> int:
        """Inserted words less deleted ones, without stop words."""
        return self.content_words_in - self.content_words_out

    @property
    def changes_words(self) -> bool:
        """Whether more than marks and white space changed."""
        return self._matches(_WORD)

    @property
    def inserts_citation(self) -> bool:
        """<ref> or {{Cite in the insertion, as the paper prints it."""
        return bool(_CITATION.search(self._inserted))

    @property
    def inserts_any_reference(self) -> bool:
        """<ref or {{cite in the insertion, in any letter case, as the released code has it."""
        return bool(_CODED_CITATION.search(self._inserted))

    @property
    def has_citation(self) -> bool:
        """<ref> or {{Cite on either side, in any letter case."""
        return self._matches(_ANY_CITATION)

    @property
    def has_template(self) -> bool:
        """A whole template on either side."""
        return self._matches(_TEMPLATE)

    @property
    def has_wikilink(self) -> bool:
        """A whole wikilink on either side."""
        return self._matches(_WIKILINK)

    @property
    def has_infobox_line(self) -> bool:
        """Whether a side begins as a line of an infobox does."""
        return self._matches(_INFOBOX_LINE)

    @property
    def has_markup(self) -> bool:
        """Any of these, or a bracket of one, on either side."""
        return self._matches(_MARKUP)

    @property
    def open_markup(self) -> str:
        """What is open where it stands: link, template, reference, comment, or nothing."""
        return self._line.open_at[self._number] or ""

    @property
    def in_open_markup(self) -> bool:
        """Whether it stands inside a link, a template, a reference or a comment."""
        return bool(self.open_markup)

    @property
    def in_brackets(self) -> bool:
        """Whether it stands inside a link or a template."""
        return self.open_markup in ("link", "template")

    @property
    def sentences_in(self) -> int:
        """Sentences that end in the insertion."""
        return sentences(self._inserted)

    @property
    def sentences_out(self) -> int:
        """Sentences that end in the deletion."""
        return sentences(self._deleted)

    @property
    def inserts_full_stop(self) -> bool:
        """Whether the insertion has a full stop."""
        return "." in self._inserted

    @property
    def share_of_sentence(self) -> float:
        """Words inserted or deleted, the larger number, to those of the older sentences."""
        line, start = self._line.before, self._at_before
        end, ends = start + len(self._deleted), self._line.sentence_ends
        first = max((at for at in ends if at <= start), default=0)
        last = min((at for at in ends if at >= end), default=len(line))
        return max(self.words_in, self.words_out) / max(words(line[first:last]), 1)

    @property
    def proper_noun_share(self) -> float:
        """Share of the words that begin with a capital and no sentence; no tagger is asked.

        A word after a full stop, or first in its line, is no name.
        """
        sides = (
            *_names(self._line.before, self._at_before, self._deleted),
            *_names(self._line.after, self._at_after, self._inserted),
        )
        return sum(sides) / len(sides) if sides else 0.0

    def _matches(self, pattern: re.Pattern[str]) -> bool:
        return bool(pattern.search(self._inserted) or pattern.search(self._deleted))

    def _content_words(self, text: str) -> int:
        stop_words = self._line.names.stop_words
        return sum(word.lower() not in stop_words for word in _WORD.findall(text))


def _names(line: str, at: int, text: str) -> Iterator[bool]:
    """Yield for each word of a part of a line whether it begins with a capital and no sentence."""
    for word in _WORD.finditer(text):
        ahead = line[max(0, at + word.start() - 3) : at + word.start()].rstrip(" '\"([")
        yield word[0][0].isupper() and bool(ahead) and ahead[-1] not in ".!?\u3002"


def _line(before: str, after: str, read: Callable[[str], str], names: MarkupNames) -> Line:
    """Return a line; one that was seen a short while ago with all that is known of it."""
    # Of two readers one gives lines with the escapes of XML.
    if not before or not after or len(before) + len(after) > _LONGEST_KEPT:
        return Line(read(before), read(after), names)
    return _kept_line(before, after, read, names)


@lru_cache(_LINES_KEPT)
def _kept_line(before: str, after: str, read: Callable[[str], str], names: MarkupNames) -> Line:
    return Line(read(before), read(after), names)


def facts_of(before: str, after: str, summary: str = "", names: MarkupNames = NAMES) -> Edit:
    """Return the facts of an edit that made `after` of `before`."""
    return Edit(region_of(before, after), lambda: summary, names)


def facts_between(before: Revision, after: Revision, names: MarkupNames = NAMES) -> Edit | None:
    """Return the facts of the edit that made one revision of another.

    None where both texts are the same, or one of them is not known. Of two revisions that the fast
    reader has read only what differs is decoded.

    Raises:
        DumpError: a text is not well-formed.
    """
    region = region_between(before, after)
    return None if region is None else Edit(region, lambda: after.comment, names)


@dataclass(frozen=True, slots=True)
class Fact(FactForm):
    """A fact that rules may name; `read` returns it of an edit, a line or a segment."""

    read: Callable[[Any], Value]


_TYPES: Mapping[str, FactType] = {
    "bool": "truth",
    "int": "number",
    "float": "number",
    "str": "text",
}
_SCOPES: Mapping[FactScope, type] = {"edit": Edit, "line": Line, "segment": Segment}
FACTS: Mapping[str, Fact] = {
    name: Fact(scope, _TYPES[hint], attrgetter(name))
    for scope, kind in _SCOPES.items()
    for name, member in vars(kind).items()
    if (found := getattr(member, "fget", None) or getattr(member, "func", None))
    and (hint := found.__annotations__["return"]) in _TYPES
}
"""All facts, by name: those of an edit, then of a line, then of a segment."""

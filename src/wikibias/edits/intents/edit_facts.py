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
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

from wikibias.config.intents import FactForm, FactScope, FactType
from wikibias.edits.intents.changed_lines import (
    Block,
    Change,
    RawLine,
    Region,
    blocks_of,
    changed_lines,
    changes_of,
    edited_lines,
    region_between,
    region_of,
    sections_of,
)
from wikibias.edits.intents.markup_elements import MarkupNames, Open, line_kind, open_markup
from wikibias.records import ChangedLine, Revision

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


class Edit:
    """What an edit changed."""

    def __init__(
        self, region: Region | None, summary: Callable[[], str], names: MarkupNames
    ) -> None:
        self._region = region
        self._read_summary = summary
        self._names = names

    @property
    def summary(self) -> str:
        """The edit summary."""
        return self._summary

    @property
    def changed_lines(self) -> int:
        """Changed lines, blank ones apart."""
        return len(self.lines)

    @property
    def page_references_added(self) -> int:
        """How many more references and citation templates the page has; below 0 for fewer."""
        return sum(line.line_references_added for line in self.lines)

    @cached_property
    def _summary(self) -> str:
        return self._read_summary()

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
    if isinstance(member, property) and (hint := member.fget.__annotations__["return"]) in _TYPES
}
"""All facts, by name: those of an edit, then of a line, then of a segment."""

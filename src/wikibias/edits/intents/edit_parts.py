"""An edit, the lines that it changed and their segments; each works out what it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal

from wikibias.edits.intents.changed_lines import (
    Block,
    Change,
    RawLine,
    Region,
    blocks_of,
    changed_lines,
    changes_of,
    edited_lines,
    sections_of,
)
from wikibias.edits.intents.markup_elements import (
    LineKind,
    MarkupNames,
    Open,
    line_kind,
    open_markup,
)
from wikibias.records import ChangedLine

Action = Literal["edited", "inserted", "deleted"]

_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|</?ref|<br|$)|\u3002", re.IGNORECASE)
_LINES_KEPT = 2048
_LONGEST_KEPT = 5000  # characters


class Segment:
    """A run of text that was inserted, deleted or replaced in a line."""

    def __init__(self, line: Line, number: int, change: Change) -> None:
        self.line = line
        self.deleted = change.deleted
        self.inserted = change.inserted
        self.at_before = change.at_before
        self.at_after = change.at_after
        self._number = number

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Return whether a pattern is found in what was inserted or in what was deleted."""
        return bool(pattern.search(self.inserted) or pattern.search(self.deleted))

    @property
    def open(self) -> Open | None:
        """What markup is open where it stands, in the older line or in the newer."""
        return self.line.open_at[self._number]

    @cached_property
    def words(self) -> list[str]:
        """The words of both sides, but not their marks."""
        return _WORD.findall(self.deleted) + _WORD.findall(self.inserted)

    @property
    def is_word_changed(self) -> bool:
        """Whether anything but marks and white space changed."""
        return bool(_WORD.search(self.inserted) or _WORD.search(self.deleted))

    def content_words(self, text: str) -> int:
        """Return how many words a side has that are no stop words."""
        stop_words = self.line.names.stop_words
        return sum(word.lower() not in stop_words for word in _WORD.findall(text))

    @property
    def proper_nouns(self) -> float:
        """The share of words that begin with a capital and no sentence: names, as far as it goes.

        There is no tagger. A word after a full stop, or first in its line, is no name.
        """
        if not self.words:
            return 0.0
        old = _names_in(self.line.before, self.at_before, self.deleted)
        return (old + _names_in(self.line.after, self.at_after, self.inserted)) / len(self.words)

    @property
    def sentence_words(self) -> int:
        """The number of words of the older sentences that it stands in."""
        line, start = self.line.before, self.at_before
        end = start + len(self.deleted)
        first = max((at for at in self.line.sentence_ends if at <= start), default=0)
        last = min((at for at in self.line.sentence_ends if at >= end), default=len(line))
        return len(line[first:last].split())


def _names_in(line: str, at: int, text: str) -> int:
    found = 0
    for word in _WORD.finditer(text):
        if word[0][0].isupper():
            ahead = line[max(0, at + word.start() - 3) : at + word.start()].rstrip(" '\"([")
            found += bool(ahead) and ahead[-1] not in ".!?\u3002"
    return found


class Line:
    """A line that an edit changed; an empty side where it was inserted or deleted."""

    def __init__(self, before: str, after: str, names: MarkupNames) -> None:
        self.before = before
        self.after = after
        self.names = names

    @property
    def action(self) -> Action:
        """What was done to it."""
        if not self.before:
            return "inserted"
        return "edited" if self.after else "deleted"

    @property
    def kind(self) -> LineKind:
        """What kind of line it was, or is where it was inserted."""
        return line_kind(self.before or self.after)

    @cached_property
    def references(self) -> tuple[int, int]:
        """How many references and citation templates begin in it, before and after."""
        count = self.names.count_references
        return count(self.before), count(self.after)

    @property
    def segments(self) -> Sequence[Segment]:
        """What changed in it, in order."""
        return [Segment(self, number, change) for number, change in enumerate(self._changes)]

    @cached_property
    def _changes(self) -> Sequence[Change]:
        return changes_of(self.before, self.after)

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


class Edit:
    """What an edit changed."""

    def __init__(
        self, region: Region | None, summary: Callable[[], str], names: MarkupNames
    ) -> None:
        self._region = region
        self._summary = summary
        self._names = names

    @cached_property
    def summary(self) -> str:
        """What its editor said of it."""
        return self._summary()

    @cached_property
    def _blocks(self) -> Sequence[Block]:
        return blocks_of(self._region) if self._region else []

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The lines that it changed, in order, but for blank ones."""
        return self._lines(self._raw_lines)

    @cached_property
    def edited_lines(self) -> Sequence[Line]:
        """Those that stand on both sides; quick, where whole pages were inserted or deleted."""
        if self._region is None:
            return [line for line in self.lines if line.action == "edited"]
        return self._lines(edited_lines(self._region, self._blocks))

    @cached_property
    def changed_lines(self) -> tuple[ChangedLine, ...]:
        """All lines, each with the heading that it stands under."""
        if self._region is None:
            return ()
        sections = sections_of(self._region, self._raw_lines)
        return tuple(
            ChangedLine(line.before, line.after, section)
            for line, section in zip(self.lines, sections, strict=True)
        )

    @cached_property
    def _raw_lines(self) -> Sequence[RawLine]:
        region = self._region
        return list(changed_lines(region, self._blocks)) if region else []

    def _lines(self, found: Iterable[RawLine]) -> Sequence[Line]:
        read = self._region.read if self._region else str
        return [_line(line, read, self._names) for line in found]

    @cached_property
    def references(self) -> tuple[int, int]:
        """How many references and citation templates the changed lines have, before and after."""
        sums = [line.references for line in self.lines]
        return sum(before for before, _ in sums), sum(after for _, after in sums)

    def lines_with(self, action: Action) -> int:
        """Return how many lines were edited, inserted or deleted."""
        return sum(line.action == action for line in self.lines)


def sentences(text: str) -> int:
    """Return how many sentences end in a text."""
    return sum(1 for _ in _SENTENCE_END.finditer(text))


def words(text: str) -> int:
    """Return how many words a text has, cut at white space as the paper cuts them."""
    return len(text.split())


_kept: dict[tuple[str, str, Callable[[str], str]], Line] = {}


def _line(line: RawLine, read: Callable[[str], str], names: MarkupNames) -> Line:
    """Return a line; one that was seen a short while ago with all that is known of it."""
    # Of two readers one gives lines with the escapes of XML.
    key = line.before, line.after, read
    if not line.before or not line.after or len(line.before) + len(line.after) > _LONGEST_KEPT:
        return Line(read(line.before), read(line.after), names)
    found = _kept.pop(key, None)
    if found is None or found.names is not names:
        found = Line(read(line.before), read(line.after), names)
        if len(_kept) >= _LINES_KEPT:
            del _kept[next(iter(_kept))]
    _kept[key] = found
    return found

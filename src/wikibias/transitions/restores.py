"""Restores: a revision that brings an earlier text back, exactly or nearly.

Lines are compared as multisets, in time linear in the length of the texts. Two revisions of a page
are nearly the same most of the time, so nearness alone says nothing: a revision restores an earlier
one only if it is far nearer to it than to the revision that it replaces. Of the 30 edits of the
article Anarchism that the paper's filters keep, ten are apart from an earlier revision by less than
0.04 of what they changed, one by 0.19, and the others by more than 0.8.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from wikibias.errors import DumpError
from wikibias.records import Revision
from wikibias.text.affixes import changed

# What may separate a revision from the one that it restores: as a share of what separates it from
# the revision that it replaces, and as a share of its own length.
_SHARE_OF_CHANGE, _SHARE_OF_TEXT = 0.1, 0.05
# Where less than this may separate them, a tag more or less is too much: only equal texts count.
_LEAST = 20  # characters
# How many lines to look for in an earlier text before it is compared as a whole.
_LANDMARKS = 10
# Letters that the XML of a dump may hold in more than one form.
_ESCAPED = re.compile(r"[&<>\"']+")


@dataclass(frozen=True, slots=True)
class _Untagged:
    """The last revision without a tag: its id, its length, and the hashes of its lines.

    Beside each hash stand the characters of these lines. Arrays take a tenth of a dictionary.
    """

    id: int
    chars: int
    hashes: array[int]
    of_line: array[int]

    @classmethod
    def of(cls, revision: Revision) -> _Untagged:
        """Return what is kept of a revision."""
        text = revision.text or ""
        lines = _lines(text)
        return cls(revision.id, _chars(text), array("q", lines), array("q", lines.values()))

    @property
    def lines(self) -> Mapping[int, int]:
        """The hashes of the lines -> characters."""
        return dict(zip(self.hashes, self.of_line, strict=True))


@dataclass(frozen=True, slots=True)
class _Change:
    """How many characters the lines have that a revision put in and took out.

    `put_in` and `taken_out` are the longest of them, as what to look for, and their lengths.
    """

    chars: int
    put_in: tuple[tuple[str, int], ...]
    taken_out: tuple[tuple[str, int], ...]


class Restores:
    """Finds the earlier revision that a revision of one page restores.

    Of the revision before each tag of the page it keeps hashes of lines, no text.
    """

    def __init__(self) -> None:
        self._untagged: dict[str, _Untagged] = {}

    def follow(self, before: Revision, gone: Collection[str], new: Collection[str]) -> None:
        """Take an edit that changed tags: the revision before it, which tags went, which came."""
        for tag in gone:
            self._untagged.pop(tag, None)
        if new:
            self._untagged.update(dict.fromkeys(new, _Untagged.of(before)))

    def restored_by(
        self,
        revision: Revision,
        before: Revision,
        gone: Collection[str],
        earlier: Iterable[Revision],
    ) -> int | None:
        """Return the id of the revision that `revision` restores; ask before `follow`.

        Looked at are the last revision before each of the tags that are gone, and the `earlier`
        ones, newest first. `before` is the revision that is replaced. Where no tag is gone, only an
        equal text counts.

        Raises:
            DumpError: the text of `revision` or `before` is not well-formed.
        """
        others = [r for r in earlier if r.has_text and r is not revision and r is not before]
        for other in others:
            if revision.repeats(other):
                return other.id
        if not gone:
            return None
        text = revision.text or ""
        change = _change(before.text or "", text)
        limit = min(_SHARE_OF_CHANGE * change.chars, _SHARE_OF_TEXT * len(text))
        found = self._untagged_near(text, gone, limit)
        if found is None and limit >= _LEAST:
            for other in others:
                if _may_be_near(other, change, limit) and _is_near(other, text, limit):
                    return other.id
        return found

    def _untagged_near(self, text: str, gone: Collection[str], limit: float) -> int | None:
        lines: Mapping[int, int] | None = None
        for tag in gone:
            untagged = self._untagged.get(tag)
            if untagged is None or abs(untagged.chars - _chars(text)) > limit:
                continue
            lines = _lines(text) if lines is None else lines
            if _distance(untagged.lines, lines) <= limit:
                return untagged.id
        return None


def _chars(text: str) -> int:
    """Return the characters of all lines of a text."""
    return len(text) - text.count("\n")


def _lines(text: str) -> Mapping[int, int]:
    """Return the hashes of the lines of a text, and how many characters each has in all."""
    found: dict[int, int] = {}
    for line in text.split("\n"):
        number = hash(line)
        found[number] = found.get(number, 0) + len(line)
    return found


def _distance(old: Mapping[int, int], new: Mapping[int, int]) -> int:
    differing = {number for number, _ in old.items() ^ new.items()}
    return sum(abs(old.get(number, 0) - new.get(number, 0)) for number in differing)


def _change(old: str, new: str) -> _Change:
    """Return the lines that differ, as multisets."""
    start, end = changed(old, new)
    start = new.rfind("\n", 0, start) + 1
    next_line = new.find("\n", end)
    end = len(new) if next_line < 0 else next_line
    before = Counter(old[start : len(old) - len(new) + end].split("\n"))
    after = Counter(new[start:end].split("\n"))
    put_in, taken_out = after - before, before - after
    return _Change(
        chars=sum(
            len(line) * number for lines in (put_in, taken_out) for line, number in lines.items()
        ),
        # The longest piece without an escape, as it is in any dump that has the line.
        put_in=tuple((max(_ESCAPED.split(line), key=len), len(line)) for line in _longest(put_in)),
        taken_out=tuple((f"\n{line}\n", len(line)) for line in _longest(taken_out)),
    )


def _longest(lines: Iterable[str]) -> list[str]:
    return sorted(lines, key=len, reverse=True)[:_LANDMARKS]


def _may_be_near(other: Revision, change: _Change, limit: float) -> bool:
    """Return False if lines tell, without decoding the text, that it is too far away."""
    missed = 0
    for landmarks, belongs in ((change.put_in, True), (change.taken_out, False)):
        for landmark, chars in landmarks:
            missed += chars if other.holds(landmark) != belongs else 0
            if missed > limit:
                return False
    return True


def _is_near(other: Revision, text: str, limit: float) -> bool:
    try:
        return _change(other.peek() or "", text).chars <= limit
    except DumpError:  # nobody needs this text, so that its damage is no damage of the part
        return False

"""The names that the revisions of a page call, told by what changed between them.

A text is cut at ends of lines into pieces that tell by themselves which names they call (see
`TemplateNames.of_piece`). Of the next text only the pieces that differ are decoded and read. Where
a piece cannot tell, the whole text is read.
"""

from __future__ import annotations

from typing import NamedTuple

from wikibias.curation.template_names import TemplateNames
from wikibias.dumps.xml.revision_parser import ScannedRevision, scanned_text
from wikibias.records import Revision

Names = frozenset[str]
# How many texts to compare with: after a revert a page is what it was before.
_REMEMBERED_TEXTS = 3
# The least bytes of a piece; a long text has no more than so many pieces.
_SIZE, _MOST_PIECES = 400, 64
# What differs from one text in fewer bytes need not be compared with another.
_SMALL_CHANGE = 1000
_LINE_END = ord("\n")


class _Cut(NamedTuple):
    """A text, escaped as in the XML: where its pieces end, what each calls, and what all call.

    It has no pieces if they cannot tell. Only the last may tell because it is the last.
    """

    raw: bytes
    ends: list[int]
    names: list[Names]
    all_names: Names


class _Difference(NamedTuple):
    """Which pieces of a text, from `first` to `last`, another one does not have.

    That has the bytes from `begin` to `stop` instead.
    """

    old: _Cut
    first: int
    last: int
    begin: int
    stop: int


_BLANK = _Cut(b"", [0], [frozenset()], frozenset())


class CalledNames:
    """Finds the titles that one revision of a page after another calls.

    A piece has `size` bytes at least.
    """

    def __init__(self, names: TemplateNames, size: int = _SIZE) -> None:
        self._names = names
        self._size = size
        self._known: list[_Cut] = []

    def begin_page(self) -> None:
        """Forget the texts of the previous page."""
        self._known.clear()

    def of(self, revision: Revision) -> Names:
        """Return what `TemplateNames.of` finds in the text of a revision; the text is known.

        Raises:
            DumpError: the text is not well-formed.
        """
        if not isinstance(revision, ScannedRevision):
            return self._names.of(revision.text or "")
        raw = revision.chunk[revision.start : revision.stop]
        for number, known in enumerate(self._known):
            if known.raw == raw:
                self._known.insert(0, self._known.pop(number))
                return known.all_names
        try:
            found = self._cut(raw, self._least_difference(raw))
        except ValueError:
            found = None
        if found is None:
            found = _Cut(raw, [], [], self._names.of(revision.peek() or ""))
        self._known = [found, *self._known[: _REMEMBERED_TEXTS - 1]]
        return found.all_names

    def _least_difference(self, raw: bytes) -> _Difference:
        """Return how a text differs from a known one, the one that is most like it."""
        least = _Difference(_BLANK, 0, 0, 0, len(raw))
        for known in self._known:
            if known.ends:
                found = _difference(known, raw)
                if found.stop - found.begin <= least.stop - least.begin:
                    least = found
                if least.stop - least.begin < _SMALL_CHANGE:
                    break
        return least

    def _cut(self, raw: bytes, difference: _Difference) -> _Cut | None:
        """Return a text cut where the old one is, but for the difference; None if it cannot tell.

        Raises:
            ValueError: what differs is not well-formed.
        """
        old, first, last, begin, stop = difference
        final = len(old.ends) - 1
        while (pieces := self._pieces(raw, begin, stop)) is None:
            if last == final:
                return None
            last = min(2 * last - first + 1, final)
            stop = len(raw) - len(old.raw) + old.ends[last]
        ends, names = pieces
        was, now = frozenset().union(*old.names[first : last + 1]), frozenset().union(*names)
        grown = len(raw) - len(old.raw)
        ends = [*old.ends[:first], *ends, *(end + grown for end in old.ends[last + 1 :])]
        names = [*old.names[:first], *names, *old.names[last + 1 :]]
        if not ends:
            return _BLANK
        return _Cut(raw, ends, names, old.all_names if was == now else frozenset().union(*names))

    def _pieces(self, raw: bytes, begin: int, stop: int) -> tuple[list[int], list[Names]] | None:
        """Return where the pieces from `begin` to `stop` end, and what each calls, if they tell.

        Raises:
            ValueError: a piece is not well-formed.
        """
        ends, names = list[int](), list[Names]()
        size = least = max(self._size, len(raw) // _MOST_PIECES)
        while begin < stop:
            end = raw.find(b"\n", begin + size - 1, stop) + 1 or stop
            is_last = end == len(raw)
            told = None
            if is_last or raw[end - 1] == _LINE_END:
                told = self._names.of_piece(scanned_text(raw[begin:end]), is_last=is_last)
            if told is not None:
                ends.append(end)
                names.append(told)
                begin, size = end, least
            elif end == stop:
                return None
            else:
                size = 2 * (end - begin)
        return ends, names


def _difference(old: _Cut, raw: bytes) -> _Difference:
    """Return which pieces of a text another one lacks, by halving: each comparison is quick."""
    text, ends, _, _ = old
    first, most, begin = 0, len(ends) - 1, 0
    while first < most:
        middle = (first + most + 1) // 2
        end = ends[middle - 1]
        if raw.startswith(text[begin:end], begin):
            first, begin = middle, end
        else:
            most = middle - 1
    grown = len(raw) - len(text)
    least, last, stop = first, len(ends) - 1, len(raw)
    while least < last:
        middle = (least + last) // 2
        end = ends[middle] + grown
        if end >= begin and raw.startswith(text[end - grown : stop - grown], end):
            last, stop = middle, end
        else:
            least = middle + 1
    return _Difference(old, first, last, begin, stop)

"""The tags of each revision of a page, with the exact matcher asked as seldom as possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wikibias.dumps.xml.patterns import compiled
from wikibias.dumps.xml.revision_parser import plain_text
from wikibias.tags.incremental import same_tags
from wikibias.tags.matcher import Matcher
from wikibias.tags.prefilter import names_pattern
from wikibias.tags.tagset import TagSet

# How many texts to compare with: an edit war goes back and forth between a few.
_KEPT = 3
_NEVER = 1 << 62
# How many lines after the last name its call may go on.
_LINES = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class _Known:
    """A text and its tags. They follow from the first `settled` bytes alone, if not from all."""

    text: bytes
    tags: Mapping[str, str]
    settled: bytes | None


class TagScanner:
    """Finds the tags of one tag set in texts as they stand, escaped, in a dump's XML."""

    def __init__(self, tagset: TagSet, matcher: Matcher) -> None:
        self._names = compiled(names_pattern(tagset))
        self._wrappers = (
            compiled(names_pattern(tagset, wrappers_only=True)) if tagset.wrappers else None
        )
        self._matcher = matcher
        self._known: list[_Known] = []

    def begin_page(self) -> None:
        """Forget the texts of the page before."""
        self._known.clear()

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return where the next tag or wrapper may be called; beyond the end when nowhere."""
        hit = self._names.search(chunk, start, end)
        return _NEVER if hit is None else int(hit.start())

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> Mapping[str, str]:
        """Return what the exact matcher finds in the text there, with its first hit at `hit`."""
        text = chunk[start:stop]
        for number, known in enumerate(self._known):
            if known.text == text:
                self._known.insert(0, self._known.pop(number))
                return known.tags
        found = self._alike(chunk, start, stop, text) or self._anew(chunk, start, stop, text, hit)
        self._known = [found, *self._known[: _KEPT - 1]]
        return found.tags

    def _alike(self, chunk: bytes, start: int, stop: int, text: bytes) -> _Known | None:
        """Return the text with the tags of another one, where they must be the same."""
        for known in self._known:
            begun = known.settled
            if (
                begun is not None
                and text.startswith(begun)
                and self.next_hit(chunk, start + len(begun), stop + 1) > stop
            ):
                return _Known(text, known.tags, begun)
        for known in self._known:
            if same_tags(known.text, text, self._names, self._wrappers):
                return _Known(text, known.tags, _moved(known, text))
        return None

    def _anew(self, chunk: bytes, start: int, stop: int, text: bytes, hit: int) -> _Known:
        last = hit
        while (hit := self.next_hit(chunk, last + 2, stop + 1)) <= stop:
            last = hit
        end, line = last - start, 0
        for wanted in _LINES:
            while line < wanted and end >= 0:
                end = text.find(b"\n", end) + 1 or -1
                line += 1
            if end < 0:
                break
            begun = text[:end]
            tags = self._matcher.settled_tags(plain_text(begun))
            if tags is not None:
                return _Known(text, tags, begun)
        return _Known(text, self._matcher.tags(plain_text(text)), None)


def _moved(known: _Known, text: bytes) -> bytes | None:
    """Return what settles the tags of a text that has those of another, if only that differs."""
    if known.settled is None:
        return None
    after = known.text[len(known.settled) :]
    begun = text[: len(text) - len(after)]
    return begun if begun.endswith(b"\n") and text.endswith(after) else None

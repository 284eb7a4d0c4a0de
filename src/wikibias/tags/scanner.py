"""Finds the tags of each revision of a page, and runs the exact matcher as seldom as possible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikibias.dumps.xml.patterns import compiled
from wikibias.dumps.xml.revision_parser import plain_text
from wikibias.tags.matcher import Matcher
from wikibias.tags.prefilter import beginnings_pattern, names_pattern
from wikibias.tags.tagset import TagSet
from wikibias.tags.template_parser import same_tags

if TYPE_CHECKING:
    from wikibias.tags.prefilter import ByteSearch

# How many texts to compare with: in an edit war, a page changes between a few versions.
_REMEMBERED_TEXTS = 3
_NEVER = 1 << 62
# How many lines after the last possible name to try as the end of the decisive prefix.
_LINES = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class _MatchedText:
    """A text and its tags. If `prefix` is not None, the tags depend on that prefix only."""

    text: bytes
    tags: Mapping[str, str]
    prefix: bytes | None


class TagScanner:
    """Finds the tags of one tag set in texts that are escaped as in a dump's XML."""

    def __init__(self, tagset: TagSet, matcher: Matcher) -> None:
        self._names = compiled(names_pattern(tagset, matcher.namespaces))
        self._sieve = _sieve_of(self._names, tagset, matcher)
        self._wrappers = (
            compiled(names_pattern(tagset, matcher.namespaces, wrappers_only=True))
            if tagset.wrappers
            else None
        )
        self._matcher = matcher
        self._matched: list[_MatchedText] = []

    def begin_page(self) -> None:
        """Forget the texts of the previous page."""
        self._matched.clear()

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return the next position of a possible tag or wrapper; if none, beyond the end."""
        if self._sieve is not None:
            at = self._sieve.first(chunk, start, end)
            return _NEVER if at < 0 else at
        hit = self._names.search(chunk, start, end)
        return _NEVER if hit is None else int(hit.start())

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> Mapping[str, str]:
        """Return what the exact matcher finds in `chunk[start:stop]`, whose first hit is `hit`."""
        text = chunk[start:stop]
        for number, matched in enumerate(self._matched):
            if matched.text == text:
                self._matched.insert(0, self._matched.pop(number))
                return matched.tags
        found = self._incrementally(chunk, start, stop, text) or self._fully(
            chunk, start, stop, text, hit
        )
        self._matched = [found, *self._matched[: _REMEMBERED_TEXTS - 1]]
        return found.tags

    def _incrementally(
        self, chunk: bytes, start: int, stop: int, text: bytes
    ) -> _MatchedText | None:
        """Return the text with the tags of an earlier one if they must be the same."""
        for matched in self._matched:
            prefix = matched.prefix
            if (
                prefix is not None
                and text.startswith(prefix)
                and self.next_hit(chunk, start + len(prefix), stop + 1) > stop
            ):
                return _MatchedText(text, matched.tags, prefix)
        for matched in self._matched:
            if same_tags(matched.text, text, self._names, self._wrappers):
                return _MatchedText(text, matched.tags, _decisive_prefix(matched, text))
        return None

    def _fully(self, chunk: bytes, start: int, stop: int, text: bytes, hit: int) -> _MatchedText:
        """Run the exact matcher on a prefix of the text if that is decisive, else on all of it."""
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
            prefix = text[:end]
            tags = self._matcher.settled_tags(plain_text(prefix))
            if tags is not None:
                return _MatchedText(text, tags, prefix)
        return _MatchedText(text, self._matcher.tags(plain_text(text)), None)


def _sieve_of(names: Any, tagset: TagSet, matcher: Matcher) -> ByteSearch | None:
    """Return what searches faster than `re`; None with google-re2, which is faster still."""
    if not isinstance(names, re.Pattern):
        return None
    # numpy is not loaded where it is not needed.
    from wikibias.tags.prefilter import ByteSearch  # noqa: PLC0415

    return ByteSearch(names, beginnings_pattern(tagset, matcher.namespaces))


def _decisive_prefix(matched: _MatchedText, text: bytes) -> bytes | None:
    """Return the prefix that decides the tags of `text`, if only that of `matched` changed."""
    if matched.prefix is None:
        return None
    after = matched.text[len(matched.prefix) :]
    prefix = text[: len(text) - len(after)]
    return prefix if prefix.endswith(b"\n") and text.endswith(after) else None

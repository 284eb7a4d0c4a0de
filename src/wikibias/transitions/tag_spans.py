"""Tagged spans: the first revision that carries a tag, and the first one after it without.

The pairing of Wiki-Reliability (Wong, Redi and Saez-Trumper 2021), whose pairs are wider than
those of the 2019 paper: between the two lie all edits that were made while the tag stood.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from wikibias.records import Revision


@dataclass(slots=True)
class Seen:
    """A revision whose text is known, the tags in it, and its place among all revisions."""

    revision: Revision
    tags: Mapping[str, str]
    position: int
    undone: bool = False


@dataclass(frozen=True, slots=True)
class TagSpan:
    """Tags that one revision added and another one removed."""

    tags: tuple[str, ...]
    first: Seen
    end: Seen


class TagSpans:
    """Watches the known revisions of one page, oldest first.

    With `skip_reverted`, a revision that an identity revert undid neither begins nor ends a span;
    so each one waits until no revert within `radius` revisions can reach it any more.
    """

    def __init__(self, *, skip_reverted: bool, radius: int) -> None:
        self._skip = skip_reverted
        self._radius = radius
        self._waiting: deque[Seen] = deque()
        self._open: dict[str, Seen] = {}

    def see(self, revision: Revision, tags: Mapping[str, str], position: int) -> None:
        """Take the next revision."""
        self._waiting.append(Seen(revision, tags, position))

    def undo(self, revisions: Collection[int]) -> None:
        """Mark the revisions with these ids as undone."""
        if revisions:
            for seen in self._waiting:
                seen.undone = seen.undone or seen.revision.id in revisions

    def settled(self, position: int | None = None) -> Iterator[TagSpan]:
        """Yield the spans that ended, as known at `position`, or at the end of the page."""
        while self._waiting and (
            position is None or self._waiting[0].position < position - self._radius
        ):
            seen = self._waiting.popleft()
            if not (self._skip and seen.undone):
                yield from self._step(seen)

    def _step(self, seen: Seen) -> Iterator[TagSpan]:
        ended: dict[int, list[str]] = {}
        for tag in sorted(self._open.keys() - seen.tags.keys()):
            ended.setdefault(self._open[tag].position, []).append(tag)
        for position in sorted(ended):
            tags = tuple(ended[position])
            yield TagSpan(tags, self._open[tags[0]], seen)
            for tag in tags:
                del self._open[tag]
        for tag in seen.tags:
            self._open.setdefault(tag, seen)

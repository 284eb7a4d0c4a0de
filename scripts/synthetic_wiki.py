"""Makes up histories like those of a real wiki: edits, wars, vandalism, reverts, imports."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from synthetic_markup import Markup
from synthetic_page import WikiPage
from synthetic_wikitext import Author, Fragment
from synthetic_words import Words

_KEPT = 6  # versions that an edit can go back to
_SINGLE = 1 / 3  # share of pages with one revision
_LONG = 0.006  # share of pages with ten times the revisions
_LARGE = 0.02  # share of pages with four times the bytes
_TWO_LINES = 0.3  # share of pages into which another history was imported
_SWITCH = 0.2  # how often the next revision is of the other line, while both go on


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a page, the line of descent that it is in, and how it was made.

    `kind` is edit, revert, vandalism or bot.
    """

    fragments: list[Fragment]
    kind: str = "edit"
    line: int = 0


class History:
    """Makes up the versions of pages."""

    def __init__(self, author: Author) -> None:
        self._author = author
        self._rng = author.rng
        self._markup = Markup(Words(author.rng))

    def title(self) -> str:
        """Return the name of a page, in one of several scripts."""
        return self._markup.filled("{1}" if self._rng.random() < 0.2 else "{0}")

    def count(self, mean: int) -> int:
        """Return how many revisions a page has, if pages have `mean` on average."""
        rng = self._rng
        if rng.random() < _SINGLE:
            return 1
        usual = 1 + int(rng.gammavariate(2, 0.46) * mean / (1 - _SINGLE))
        return 10 * usual if rng.random() < _LONG else usual

    def versions(
        self, title: str, count: int, size: int, *, tagged: bool, giant: int = 0
    ) -> Iterator[Version]:
        """Yield the versions of a page, `count` or a few more."""
        rng = self._rng
        size = 60 + int(rng.gammavariate(2.7, 1 / 2.7) * 0.84 * size)
        size = 4 * size if rng.random() < _LARGE else size
        lines = [_Line(self._page(title, size), rng, tagged=tagged)]
        two = count > 20 and rng.random() < _TWO_LINES
        start, end = sorted(rng.randrange(count) for _ in range(2)) if two else (count, count)
        now, done = 0, 0
        while done < count:
            if done >= start and len(lines) == 1:
                lines.append(_Line(self._page(title, size), rng, tagged=False))
            if start <= done < end and rng.random() < _SWITCH:
                now = 1 - now
            for version in lines[now].next():
                yield Version(version.fragments, version.kind, now)
                done += 1
            if giant and done >= count // 2:
                yield Version(lines[now].page.enlarged(giant), line=now)
                giant = 0

    def _page(self, title: str, size: int) -> WikiPage:
        return WikiPage(self._markup, self._author, title, size)


class _Line:
    """One line of descent: edits, null edits, reverts, wars and vandalism in turn."""

    def __init__(self, page: WikiPage, rng: random.Random, *, tagged: bool) -> None:
        self.page = page
        self._rng, self._tagged = rng, tagged
        self._kept: deque[list[Fragment]] = deque(maxlen=_KEPT)

    def next(self) -> Iterator[Version]:
        """Yield the next version, or the few of a war."""
        kind = self._rng.random()
        if not self._kept:
            yield self._new()
        elif kind < 0.018:
            yield Version(self._kept[-1])  # nothing changed
        elif kind < 0.028:
            yield Version(self.page.vandalised(), "vandalism")
            yield Version(self._kept[-1], "revert")
        elif kind < 0.033 and len(self._kept) > 1:
            yield from self._war()
        elif self._tagged and kind < 0.09:
            yield from self._tag_war()
        else:
            self.page.edit()
            yield self._new("bot" if self._rng.random() < 0.022 else "edit")

    def _new(self, kind: str = "edit") -> Version:
        self._kept.append(self.page.fragments)
        return Version(self._kept[-1], kind)

    def _war(self) -> Iterator[Version]:
        """Yield two versions in turn; the later one wins."""
        other, mine = self._rng.choice([*self._kept][:-1]), self._kept[-1]
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            yield Version(other, "revert")
            yield Version(mine, "revert")

    def _tag_war(self) -> Iterator[Version]:
        """Put the tag in or out; sometimes it comes back and goes again."""
        self.page.toggle_tag()
        if self._rng.random() < 0.5:
            self.page.edit()
        yield self._new()
        if self._rng.random() < 0.25 and len(self._kept) > 1:
            yield Version(self._kept[-2], "revert")
            yield Version(self._kept[-1], "revert")

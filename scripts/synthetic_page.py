"""A page of the synthetic dump that is like real ones, and the edits that change it.

The shares of the edits are tuned to a real dump.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from synthetic_markup import JAPANESE_TAG, Markup
from synthetic_wikitext import Author, Fragment, length

_TOLERANCE = 1200  # bytes by which a page may miss its size


class WikiPage:
    """The current version of one page, which grows to about `size` bytes."""

    def __init__(self, markup: Markup, author: Author, title: str, size: int) -> None:
        self._markup, self._author = markup, author
        self._rng: random.Random = author.rng
        self._size = size
        self._tag: Fragment | None = None
        self._head = markup.beginning(title)
        self._foot = markup.end(title)
        self._body: list[Fragment] = []
        self._fill(int(size * self._rng.uniform(0.3, 0.9)))

    @property
    def fragments(self) -> list[Fragment]:
        """What the page consists of."""
        tag = [self._tag] if self._tag else []
        return [*tag, *self._head, *self._body, *self._foot]

    def edit(self) -> None:
        """Change the page in one place or in several."""
        self._body, self._foot = self._body.copy(), self._foot.copy()
        edits, shares = zip(*self._edits(), strict=True)
        for _ in range(self._rng.choice((1, 1, 1, 1, 1, 1, 1, 2, 3))):
            self._rng.choices(edits, shares)[0]()
        self._fill(self._size - _TOLERANCE)
        while len(self._body) > 1 and self._length() > self._size + _TOLERANCE:
            self._body.pop()

    def toggle_tag(self) -> None:
        """Put a neutrality tag at the top of the page, or take it away."""
        if self._tag:
            self._tag = None
        elif self._rng.random() < 0.15:
            self._tag = Fragment.of(self._markup.filled(JAPANESE_TAG))
        else:
            self._tag = self._author.tag([], 1)[1]

    def vandalised(self) -> list[Fragment]:
        """Return the page blanked, replaced by rubbish, or with rubbish in it."""
        rubbish = Fragment.of(self._author.words(1)[0].upper() * 3 + "!!!")
        kind = self._rng.random()
        if kind < 0.4:
            return [] if kind < 0.2 else [rubbish]
        return [*self.fragments, rubbish]

    def enlarged(self, size: int) -> list[Fragment]:
        """Return the page with sentences repeated, so that it has at least `size` bytes."""
        repeated = [self._markup.sentence() for _ in range(1000)]
        return [*self.fragments, *repeated * (size // length(repeated) + 1)]

    def _edits(self) -> tuple[tuple[Callable[[], None], float], ...]:
        return (
            (self._tweak, 22),
            (self._annotate, 16),
            (self._change_footer, 30),
            (self._replace, 12),
            (self._add, 8),
            (self._remove, 9),
            (self._add_section, 2),
        )

    def _tweak(self) -> None:
        """Change one word."""
        self._put_in(self._author.words(1)[0], instead=1)

    def _annotate(self) -> None:
        """Put a template beside a word."""
        self._put_in(self._markup.call(), instead=0)

    def _put_in(self, text: str, *, instead: int) -> None:
        at = self._rng.randrange(len(self._body))
        old = self._body[at]
        words = old.plain.decode().split(" ")
        place = self._rng.randrange(len(words))
        words[place : place + instead] = [text]
        self._body[at] = Fragment.of(" ".join(words), is_paragraph=old.is_paragraph)

    def _change_footer(self) -> None:
        if len(self._foot) > 6 and self._rng.random() < 0.45:
            self._foot.pop(self._rng.randrange(5, len(self._foot)))
        else:
            self._foot.append(self._markup.footer())

    def _replace(self) -> None:
        self._body[self._rng.randrange(len(self._body))] = self._markup.sentence()

    def _add(self) -> None:
        self._body.insert(self._rng.randrange(len(self._body) + 1), self._markup.sentence())

    def _remove(self) -> None:
        if len(self._body) > 3:
            self._body.pop(self._rng.randrange(len(self._body)))

    def _add_section(self) -> None:
        at = self._rng.randrange(len(self._body) + 1)
        self._body[at:at] = self._section()

    def _section(self) -> list[Fragment]:
        rng, markup = self._rng, self._markup
        pieces = [markup.sentence() for _ in range(rng.randint(2, 7))]
        blocks = [markup.block()] if rng.random() < 0.4 else []
        return [markup.heading(), *pieces, *blocks]

    def _fill(self, size: int) -> None:
        """Add sections until the page has so many bytes; it has one at least."""
        while not self._body or self._length() < size:
            self._body += self._section()

    def _length(self) -> int:
        return length(self._head) + length(self._body) + length(self._foot)

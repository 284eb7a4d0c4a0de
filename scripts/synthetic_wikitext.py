"""Invented wikitext: words, sentences, paragraphs, tables, and neutrality tags.

A page is a list of blocks, and most edits exchange a few of them; so a revision costs little more
than putting its blocks together, as a page of 100 KB and 50,000 revisions needs it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import accumulate

_SYLLABLES = (
    "a an ba be cor da de di do el en fa gra ha in ka ké la lei ma mi na no or pa per qui ra ren "
    "ro sa se shi so sta ta te tri u ul va ver vö wi xen ya zo"
).split()
_VOCABULARY = 4000
# A reference, a link, an entity and the like in so many of a hundred sentences.
_DECORATIONS = (
    (55, "{0}"),
    (14, "{0}, the [[{1} {2}]]"),
    (8, "{0} [[{1}|{2}]]"),
    (7, "{0}.<ref>{{{{cite web|url=http://www.{1}.example/?a={2}&b=1|title={3} {4}}}}}</ref>"),
    (3, '{0}<ref name="{1}" />'),
    (3, "{0} ''{1}'' – “{2}”"),
    (3, '{0} "{1} & {2}"'),
    (2, "{0} '''{1}''' ({2}&nbsp;km)"),
    (2, "{0} [http://{1}.example/{2} {3}]"),
    (2, "{0} {{{{convert|{5}|km|mi}}}}"),
    (1, "{0}<!-- {1} {2} -->"),
)
# All are names of the tag set, or of its wrappers, on the English Wikipedia.
_ARTICLE_TAGS = (
    "{{{{POV|date={0}}}}}",
    "{{{{NPOV}}}}",
    "{{{{neutrality|date={0}|talk=Lead}}}}",
    "{{{{Advert|date={0}}}}}",
    "{{{{POV check|date={0}}}}}",
    "{{{{Multiple issues|\n{{{{POV|date={0}}}}}\n{{{{unreferenced|date={0}}}}}\n}}}}",
    "{{{{Article issues|wikify={0}|POV={0}|cleanup={0}}}}}",
    "{{{{Peacock|date={0}}}}}",
)
_SECTION_TAGS = ("{{{{POV-section|date={0}}}}}", "{{{{npov section}}}}")
_INLINE_TAGS = ("{{{{POV-statement|date={0}}}}}", "{{{{npov-inline|date={0}}}}}")
_PIECE = 500  # bytes of a paragraph, about
_TAGGED_EVERY = 20  # revisions of a page that is fixed
_KINDS = (0.0, 1.0, 0.3)  # of the tags on such a page, by turns
_MONTHS = "January February March April May June July August September October".split()


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A stretch of wikitext: as UTF-8, and as MediaWiki escapes it in XML."""

    plain: bytes
    escaped: bytes
    is_paragraph: bool = False

    @classmethod
    def of(cls, text: str, *, is_paragraph: bool = False) -> Block:
        """Return the block of a wikitext."""
        return cls(text.encode(), escaped(text).encode(), is_paragraph)


def escaped(text: str) -> str:
    """Return a text as MediaWiki writes it in an XML element."""
    for character, escape in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, escape)
    return text


class Author:
    """Writes wikitext in words of its own, the few common ones most of the time."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        made = ("".join(rng.choices(_SYLLABLES, k=1 + n % 4)) for n in range(_VOCABULARY))
        self._vocabulary = list(made)
        # Zipf's law.
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))
        self._forms = [form for _, form in _DECORATIONS]
        self._shares = list(accumulate(share for share, _ in _DECORATIONS))

    def words(self, count: int) -> list[str]:
        """Return some words."""
        return self.rng.choices(self._vocabulary, cum_weights=self._weights, k=count)

    def name(self) -> str:
        """Return two words as the name of something."""
        return " ".join(self.words(2)).capitalize()

    def sentence(self) -> str:
        """Return a sentence without its full stop."""
        rng = self.rng
        words = self.words(rng.randint(8, 30))
        form = rng.choices(self._forms, cum_weights=self._shares)[0]
        said = " ".join(words[4:]).capitalize()
        return form.format(said, *words[:4], rng.randrange(1000))

    def paragraph(self) -> Block:
        """Return a paragraph of a few sentences."""
        count = self.rng.randint(2, 6)
        text = "\n\n" + ". ".join(self.sentence() for _ in range(count)) + "."
        return Block.of(text, is_paragraph=True)

    def changed(self, block: Block) -> Block:
        """Return a paragraph with one of its sentences written anew; another one for the rest."""
        if not block.is_paragraph:
            return self.paragraph()
        sentences = block.plain.decode().split(". ")
        at = self.rng.randrange(len(sentences))
        # The first carries the line break, the last its full stop.
        start = "\n\n" if at == 0 else ""
        end = "." if at == len(sentences) - 1 else ""
        sentences[at] = start + self.sentence() + end
        return Block.of(". ".join(sentences), is_paragraph=True)

    def piece(self) -> Block:
        """Return something that pages are made of: mostly a paragraph, or a heading, a list."""
        kind = self.rng.random()
        if kind < 0.12:
            return self.heading()
        if kind < 0.2:
            items = (f"\n* [[{self.name()}]], {self.sentence()}" for _ in range(4))
            return Block.of("\n" + "".join(items))
        if kind < 0.23:
            return self._table()
        return self.paragraph()

    def heading(self) -> Block:
        """Return a heading."""
        return Block.of(f"\n\n== {self.name()} ==")

    def beginning(self, title: str) -> list[Block]:
        """Return what a page begins with: an infobox, and a line that says what it is about."""
        fields = "".join(f"\n| {word} = {self.name()}" for word in self.words(5))
        return [
            Block.of(f"{{{{Infobox {self.words(1)[0]}\n| name = {title}{fields}\n}}}}\n"),
            Block.of(f"'''{title}''' ({self.words(1)[0]}) {self.sentence()}."),
        ]

    def end(self) -> Block:
        """Return what a page ends with."""
        text = (
            "\n\n== References ==\n<references />\n{{{{{0}-stub}}}}\n\n[[Category:{1}]]\n[[fr:{1}]]"
        )
        return Block.of(text.format(self.words(1)[0], self.name()))

    def tag(self, blocks: list[Block], kind: float) -> tuple[int, Block]:
        """Return a tag, and the place in a page to put it: in a section, in a line, or on top.

        `kind`, from 0 to 1, says which.
        """
        rng = self.rng
        month = f"{rng.choice(_MONTHS)} {rng.randint(2006, 2020)}"
        headings = [n for n, block in enumerate(blocks) if block.plain.startswith(b"\n\n== ")]
        if kind < 0.15 and headings:
            return rng.choice(headings) + 1, Block.of(
                f"\n{rng.choice(_SECTION_TAGS).format(month)}"
            )
        paragraphs = [n for n, block in enumerate(blocks) if block.is_paragraph]
        if kind < 0.35 and paragraphs:
            return rng.choice(paragraphs) + 1, Block.of(rng.choice(_INLINE_TAGS).format(month))
        return 0, Block.of(rng.choice(_ARTICLE_TAGS).format(month) + "\n")

    def _table(self) -> Block:
        rows = ("\n|-\n| " + " || ".join(self.words(4)) for _ in range(self.rng.randint(3, 12)))
        head = '\n\n{| class="wikitable" style="width: 50%"\n! ' + " !! ".join(self.words(4))
        return Block.of(head + "".join(rows) + "\n|}")


class Article:
    """A page as it stands, block by block."""

    def __init__(self, author: Author, title: str, *, fixed: bool, tagged: bool) -> None:
        self._author = author
        self._rng = author.rng
        self._fixed = fixed
        self._tagged = tagged
        self._tags: list[Block] = []
        self._edits = 0
        self.blocks = [*author.beginning(title), author.end()]
        self._size = length(self.blocks)

    def edit(self, size: int) -> None:
        """Change something, and bring the page to about a size in bytes."""
        self.blocks = self.blocks.copy()
        self._edits += 1
        most = len(self.blocks)
        changes = 1 if self._fixed else min(int(self._rng.paretovariate(1.4)), most)
        if self._tagged:
            changes += min(self._tag(), most)
        for _ in range(changes):
            self._change()
        while self._size < size - _PIECE:
            self._insert(self._rng.randrange(2, len(self.blocks)), self._author.piece())
        while self._size > size + _PIECE and (at := self._place()) is not None:
            self._size -= len(self.blocks.pop(at).plain)

    def vandalised(self) -> list[Block]:
        """Return the page as a vandal leaves it: blank, nothing but rubbish, or some in it."""
        rubbish = Block.of(self._author.words(1)[0].upper() * 3 + "!!!")
        kind = self._rng.random()
        if kind < 0.4:
            return [] if kind < 0.2 else [rubbish]
        at = self._rng.randrange(len(self.blocks))
        return [*self.blocks[:at], rubbish, *self.blocks[at:]]

    def enlarged(self, size: int) -> list[Block]:
        """Return the page with some paragraphs over and over, to a size in bytes or more."""
        over = [self._author.paragraph() for _ in range(1000)]
        times = max(0, size - self._size) // length(over) + 1
        return [*self.blocks[:-1], *over * times, self.blocks[-1]]

    def _tag(self) -> int:
        """Put in or take out a tag at times; return how many changes go with that."""
        rng = self._rng
        if self._fixed:
            if self._edits % _TAGGED_EVERY:
                return 0
        elif rng.random() > (0.06 if self._tags else 0.03):
            return 0
        if self._tags and (self._fixed or rng.random() < 0.8):
            gone = self._tags.pop()
            self.blocks.remove(gone)
            self._size -= len(gone.plain)
            return 3 if self._fixed else int(rng.paretovariate(0.8)) - 1
        kind = _KINDS[self._edits // _TAGGED_EVERY % len(_KINDS)] if self._fixed else rng.random()
        at, tag = self._author.tag(self.blocks, kind)
        self._insert(at, tag)
        self._tags.append(tag)
        return 0

    def _change(self) -> None:
        at = self._place()
        if at is None:
            self._insert(2, self._author.paragraph())
        else:
            old = self.blocks[at]
            new = self.blocks[at] = self._author.changed(old)
            self._size += len(new.plain) - len(old.plain)

    def _insert(self, at: int, block: Block) -> None:
        self.blocks.insert(at, block)
        self._size += len(block.plain)

    def _place(self) -> int | None:
        """Return the place of a block that is neither a tag, nor how a page begins or ends."""
        for _ in range(20):
            at = self._rng.randrange(len(self.blocks) - 1)
            if self.blocks[at].plain.startswith(b"\n\n"):
                return at
        return None


def length(blocks: list[Block]) -> int:
    """Return the length of some blocks in bytes."""
    return sum(len(block.plain) for block in blocks)

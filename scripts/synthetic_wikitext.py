"""Generates synthetic wikitext: words, sentences, paragraphs, tables and neutrality tags.

A page is a list of fragments, and most edits replace a few of them. So a revision costs little
more than joining its fragments, which makes pages of 100 KB and 50,000 revisions possible.
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
# Sentence templates with a reference, a link, an entity and so on, and their shares in percent.
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
# Names from the tag set of the English Wikipedia, or of its wrappers.
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
_TOLERANCE = 500  # bytes, about a paragraph
TAG_INTERVAL = 20  # revisions of a fixed page
_KINDS = (0.0, 1.0, 0.3)  # of the tags on a fixed page, in turn
_MONTHS = "January February March April May June July August September October".split()


@dataclass(frozen=True, slots=True, eq=False)
class Fragment:
    """A fragment of wikitext, in UTF-8, plain and as MediaWiki escapes it in XML."""

    plain: bytes
    escaped: bytes
    is_paragraph: bool = False

    @classmethod
    def of(cls, text: str, *, is_paragraph: bool = False) -> Fragment:
        """Return a fragment with a wikitext."""
        return cls(text.encode(), escaped(text).encode(), is_paragraph)


def escaped(text: str) -> str:
    """Escape a text as MediaWiki does in an XML element."""
    for character, escape in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, escape)
    return text


class Author:
    """Writes wikitext with a synthetic vocabulary, in which few words are frequent."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        made = ("".join(rng.choices(_SYLLABLES, k=1 + n % 4)) for n in range(_VOCABULARY))
        self._vocabulary = list(made)
        # Zipf's law.
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))
        self._forms = [form for _, form in _DECORATIONS]
        self._shares = list(accumulate(share for share, _ in _DECORATIONS))

    def words(self, count: int) -> list[str]:
        """Return random words."""
        return self.rng.choices(self._vocabulary, cum_weights=self._weights, k=count)

    def name(self) -> str:
        """Return a name of two words."""
        return " ".join(self.words(2)).capitalize()

    def sentence(self) -> str:
        """Return a sentence without its full stop."""
        rng = self.rng
        words = self.words(rng.randint(8, 30))
        form = rng.choices(self._forms, cum_weights=self._shares)[0]
        said = " ".join(words[4:]).capitalize()
        return form.format(said, *words[:4], rng.randrange(1000))

    def paragraph(self) -> Fragment:
        """Return a paragraph of a few sentences."""
        count = self.rng.randint(2, 6)
        text = "\n\n" + ". ".join(self.sentence() for _ in range(count)) + "."
        return Fragment.of(text, is_paragraph=True)

    def changed(self, fragment: Fragment) -> Fragment:
        """Return a paragraph with one new sentence; for other fragments, a new paragraph."""
        if not fragment.is_paragraph:
            return self.paragraph()
        sentences = fragment.plain.decode().split(". ")
        at = self.rng.randrange(len(sentences))
        # The first sentence starts with the line break, the last one ends with the full stop.
        start = "\n\n" if at == 0 else ""
        end = "." if at == len(sentences) - 1 else ""
        sentences[at] = start + self.sentence() + end
        return Fragment.of(". ".join(sentences), is_paragraph=True)

    def fragment(self) -> Fragment:
        """Return a new fragment: mostly a paragraph, sometimes a heading, a list or a table."""
        kind = self.rng.random()
        if kind < 0.12:
            return self.heading()
        if kind < 0.2:
            items = (f"\n* [[{self.name()}]], {self.sentence()}" for _ in range(4))
            return Fragment.of("\n" + "".join(items))
        if kind < 0.23:
            return self._table()
        return self.paragraph()

    def heading(self) -> Fragment:
        """Return a heading."""
        return Fragment.of(f"\n\n== {self.name()} ==")

    def beginning(self, title: str) -> list[Fragment]:
        """Return the start of a page: an infobox, and a sentence that defines the topic."""
        fields = "".join(f"\n| {word} = {self.name()}" for word in self.words(5))
        return [
            Fragment.of(f"{{{{Infobox {self.words(1)[0]}\n| name = {title}{fields}\n}}}}\n"),
            Fragment.of(f"'''{title}''' ({self.words(1)[0]}) {self.sentence()}."),
        ]

    def end(self) -> Fragment:
        """Return the end of a page."""
        text = (
            "\n\n== References ==\n<references />\n{{{{{0}-stub}}}}\n\n[[Category:{1}]]\n[[fr:{1}]]"
        )
        return Fragment.of(text.format(self.words(1)[0], self.name()))

    def tag(self, fragments: list[Fragment], kind: float) -> tuple[int, Fragment]:
        """Return a tag and the position to insert it: in a section, inline, or at the top.

        `kind`, from 0 to 1, decides which.
        """
        rng = self.rng
        month = f"{rng.choice(_MONTHS)} {rng.randint(2006, 2020)}"
        headings = [
            n for n, fragment in enumerate(fragments) if fragment.plain.startswith(b"\n\n== ")
        ]
        if kind < 0.15 and headings:
            return rng.choice(headings) + 1, Fragment.of(
                f"\n{rng.choice(_SECTION_TAGS).format(month)}"
            )
        paragraphs = [n for n, fragment in enumerate(fragments) if fragment.is_paragraph]
        if kind < 0.35 and paragraphs:
            return rng.choice(paragraphs) + 1, Fragment.of(rng.choice(_INLINE_TAGS).format(month))
        return 0, Fragment.of(rng.choice(_ARTICLE_TAGS).format(month) + "\n")

    def _table(self) -> Fragment:
        rows = ("\n|-\n| " + " || ".join(self.words(4)) for _ in range(self.rng.randint(3, 12)))
        head = '\n\n{| class="wikitable" style="width: 50%"\n! ' + " !! ".join(self.words(4))
        return Fragment.of(head + "".join(rows) + "\n|}")


class Article:
    """The current version of a page, as a list of fragments."""

    def __init__(self, author: Author, title: str, *, fixed: bool, tagged: bool) -> None:
        self._author = author
        self._rng = author.rng
        self._fixed = fixed
        self._tagged = tagged
        self._tags: list[Fragment] = []
        self._edits = 0
        self.fragments = [*author.beginning(title), author.end()]
        self._size = length(self.fragments)

    def edit(self, size: int) -> None:
        """Change the page, and bring it to about `size` bytes."""
        self.fragments = self.fragments.copy()
        self._edits += 1
        most = len(self.fragments)
        changes = 1 if self._fixed else min(int(self._rng.paretovariate(1.4)), most)
        if self._tagged:
            changes += min(self._tag(), most)
        for _ in range(changes):
            self._change()
        while self._size < size - _TOLERANCE:
            self._insert(self._rng.randrange(2, len(self.fragments)), self._author.fragment())
        while self._size > size + _TOLERANCE and (at := self._replaceable()) is not None:
            self._size -= len(self.fragments.pop(at).plain)

    def vandalised(self) -> list[Fragment]:
        """Return the page after vandalism: blank, replaced by rubbish, or with rubbish in it."""
        rubbish = Fragment.of(self._author.words(1)[0].upper() * 3 + "!!!")
        kind = self._rng.random()
        if kind < 0.4:
            return [] if kind < 0.2 else [rubbish]
        at = self._rng.randrange(len(self.fragments))
        return [*self.fragments[:at], rubbish, *self.fragments[at:]]

    def enlarged(self, size: int) -> list[Fragment]:
        """Return the page with repeated paragraphs, so that it has at least `size` bytes."""
        repeated = [self._author.paragraph() for _ in range(1000)]
        times = max(0, size - self._size) // length(repeated) + 1
        return [*self.fragments[:-1], *repeated * times, self.fragments[-1]]

    def _tag(self) -> int:
        """Sometimes add or remove a tag; return how many other changes the edit makes."""
        rng = self._rng
        if self._fixed:
            if self._edits % TAG_INTERVAL:
                return 0
        elif rng.random() > (0.06 if self._tags else 0.03):
            return 0
        if self._tags and (self._fixed or rng.random() < 0.8):
            gone = self._tags.pop()
            self.fragments.remove(gone)
            self._size -= len(gone.plain)
            return 3 if self._fixed else int(rng.paretovariate(0.8)) - 1
        kind = _KINDS[self._edits // TAG_INTERVAL % len(_KINDS)] if self._fixed else rng.random()
        at, tag = self._author.tag(self.fragments, kind)
        self._insert(at, tag)
        self._tags.append(tag)
        return 0

    def _change(self) -> None:
        at = self._replaceable()
        if at is None:
            self._insert(2, self._author.paragraph())
        else:
            old = self.fragments[at]
            new = self.fragments[at] = self._author.changed(old)
            self._size += len(new.plain) - len(old.plain)

    def _insert(self, at: int, fragment: Fragment) -> None:
        self.fragments.insert(at, fragment)
        self._size += len(fragment.plain)

    def _replaceable(self) -> int | None:
        """Return the index of a fragment that is no tag and not at the start or end of the page."""
        for _ in range(20):
            at = self._rng.randrange(len(self.fragments) - 1)
            if self.fragments[at].plain.startswith(b"\n\n"):
                return at
        return None


class Stub:
    """The current version of a page of a few sentences.

    `tagged_every`: after so many edits a tag comes or goes; 0 for never.
    """

    def __init__(self, author: Author, title: str, *, tagged_every: int) -> None:
        self._author = author
        self._every = tagged_every
        self._edits = 0
        self._tag: list[Fragment] = []
        self._topic = Fragment.of(f"'''{title}''' ({' '.join(author.words(3))}).")
        self._sentences: list[Fragment] = []

    @property
    def fragments(self) -> list[Fragment]:
        """What the page consists of."""
        return [*self._tag, self._topic, *self._sentences]

    def edit(self, size: int) -> None:
        """Replace its last sentences, so that it has about `size` bytes, and see to the tag."""
        self._edits += 1
        if self._every and self._edits % self._every == 0:
            self._tag = [] if self._tag else [self._author.tag([], 1)[1]]
        self._sentences = self._sentences[:-1]
        while True:
            self._sentences.append(Fragment.of(f" {self._author.sentence()}."))
            if length(self.fragments) >= size:
                return

    def vandalised(self) -> list[Fragment]:
        """Return a blank page."""
        return []

    def enlarged(self, size: int) -> list[Fragment]:
        """Return the page with a sentence repeated, so that it has at least `size` bytes."""
        sentence = Fragment.of(f" {self._author.sentence()}.")
        return [*self.fragments, *[sentence] * (size // len(sentence.plain) + 1)]


def length(fragments: list[Fragment]) -> int:
    """Return the total length of fragments in bytes."""
    return sum(len(fragment.plain) for fragment in fragments)

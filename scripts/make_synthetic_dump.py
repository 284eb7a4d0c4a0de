"""Generates a synthetic export with full history, schema 0.11, of any size; seeded.

Pages grow, and successive revisions share nearly all of their text. The number of revisions, the
length of pages and the size of edits are skewed, as on a real wiki. Vandalism is reverted, and on
some pages editors add and remove neutrality tags.
"""

from __future__ import annotations

import argparse
import builtins
import bz2
import gzip
import lzma
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, cast
from xml.sax import saxutils

import py7zr
import zstandard

from wikibias.mediawiki import base36_sha1

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
    return saxutils.escape(text, {'"': "&quot;"})


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


NAMESPACES = {
    -2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Project",
    5: "Project talk", 6: "File", 10: "Template", 11: "Template talk", 14: "Category",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """A new revision: its fragments, author and summary. An IP address has no `number`.

    Its parent is the revision before it of the same `line`.
    """

    fragments: list[Fragment]
    name: str
    number: int | None
    summary: str
    minor: bool = False
    hidden: bool = False
    line: int = 0


def head() -> bytes:
    """Return the start of the export."""
    ends = ((key, f">{name}</namespace>" if name else " />") for key, name in NAMESPACES.items())
    namespaces = "".join(
        f'      <namespace key="{key}" case="first-letter"{end}\n' for key, end in ends
    )
    schema = "http://www.mediawiki.org/xml/export-0.11"
    return (
        f'<mediawiki xmlns="{schema}/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{schema}/ {schema}.xsd" version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n    <sitename>Synthetic</sitename>\n    <dbname>syntheticwiki</dbname>\n"
        "    <base>https://en.synthetic.example/wiki/Main_Page</base>\n"
        "    <generator>MediaWiki 1.45.0</generator>\n    <case>first-letter</case>\n"
        f"    <namespaces>\n{namespaces}    </namespaces>\n  </siteinfo>\n"
    ).encode()


def page_head(title: str, namespace: int, number: int, target: str | None) -> bytes:
    """Return the start of a page."""
    redirect = f'    <redirect title="{escaped(target)}" />\n' if target else ""
    return (
        f"  <page>\n    <title>{escaped(title)}</title>\n    <ns>{namespace}</ns>\n"
        f"    <id>{number}</id>\n{redirect}"
    ).encode()


def revision(edit: Edit, number: int, parent: int | None, time: datetime) -> bytes:
    """Return a revision with its text."""
    sha1 = base36_sha1(b"".join([fragment.plain for fragment in edit.fragments]).decode())
    size = length(edit.fragments)
    head = (
        f"    <revision>\n      <id>{number}</id>\n"
        f"{f'      <parentid>{parent}</parentid>{chr(10)}' if parent else ''}"
        f"      <timestamp>{time:%Y-%m-%dT%H:%M:%SZ}</timestamp>\n"
        f"{_contributor(edit)}{_comment(edit)}      <origin>{number}</origin>\n"
        "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f'      <text bytes="{size}" sha1="{sha1}"'
    )
    content = [fragment.escaped for fragment in edit.fragments]
    if edit.hidden:
        head, content = head + ' deleted="deleted" />', []
    else:
        head += ' xml:space="preserve">' if content else " />"
    end = "</text>" if content else ""
    end += f"\n      <sha1>{sha1}</sha1>\n    </revision>\n"
    return b"".join([head.encode(), *content, end.encode()])


def _contributor(edit: Edit) -> str:
    if edit.hidden:
        return '      <contributor deleted="deleted" />\n'
    who = f"        <ip>{edit.name}</ip>\n"
    if edit.number is not None:
        who = f"        <username>{escaped(edit.name)}</username>\n        <id>{edit.number}</id>\n"
    return f"      <contributor>\n{who}      </contributor>\n"


def _comment(edit: Edit) -> str:
    minor = "      <minor />\n" if edit.minor else ""
    if edit.hidden:
        return f'{minor}      <comment deleted="deleted" />\n'
    comment = f"      <comment>{escaped(edit.summary)}</comment>\n" if edit.summary else ""
    return minor + comment


EXAMPLES = """examples:
  python scripts/make_synthetic_dump.py --pages 200 --seed 7 -o synthetic.xml.7z
  python scripts/make_synthetic_dump.py --fixed --pages 1 --revisions 50000 --tagged 1"""
_FIRST_EDIT = datetime(2006, 1, 1, tzinfo=UTC)
_TEN_YEARS = 10 * 365 * 86_400  # seconds
_OTHER_NAMESPACES = (1, 1, 1, 2, 3, 3, 4, 10, 14)  # by frequency
_SUMMARIES = (
    "", "", "", "copyedit", "/* {0} */", "/* {0} */ more on {1}", "typo", "ref added", "see talk",
    "rm unsourced claim", "[[WP:NPOV]]: {0} & {1}", "{0} {1} {2}", "fmt",
)  # fmt: skip
_REVERTED = "Reverted edits by [[Special:Contributions/{0}|{0}]] to last version by {1}"


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a dump: pages, mean revisions of a page, mean bytes of a revision.

    `fixed`: all pages and revisions have the mean size. `tagged`: share of the articles with tags.
    `giant`: length in bytes of one long revision of the first page; 0 for none. `stubs`: the pages
    are a few sentences.
    """

    pages: int
    revisions: int
    bytes: int
    tagged: float
    fixed: bool
    giant: int
    seed: int
    stubs: bool = False


class Wiki:
    """Generates the pages of one export in order; revision ids increase from page to page."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._rng = random.Random(size.seed)
        self._author = Author(self._rng)
        self._accounts = [(f"{self._author.name()} {n}", n) for n in range(1, 800)]
        self._revision = 0

    def export(self) -> Iterator[bytes]:
        """Yield the export as bytes; no item is longer than a revision."""
        yield head()
        for number in range(1, self._size.pages + 1):
            yield from self._page(number)
        yield b"</mediawiki>\n"

    def _page(self, number: int) -> Iterator[bytes]:
        rng, fixed = self._rng, self._size.fixed
        namespace = 0 if fixed or rng.random() < 0.75 else rng.choice(_OTHER_NAMESPACES)
        name = f"{self._author.name()} {number}"
        title = f"{NAMESPACES[namespace]}:{name}" if namespace else name
        target = None
        if not (fixed or namespace) and rng.random() < 0.15:
            target = self._author.name()
        yield page_head(title, namespace, number, target)
        parent: int | None = None
        # Not far into the future, however many revisions there are.
        interval = min(40_000, _TEN_YEARS / self._size.revisions)
        time = _FIRST_EDIT + timedelta(seconds=0 if fixed else rng.randrange(10**8))
        edits = self._redirects(target) if target else self._edits(name, number, namespace)
        for edit in edits:
            self._revision += 1
            time += timedelta(seconds=60 + int(rng.expovariate(1 / interval)))
            yield revision(edit, self._revision, parent, time)
            parent = self._revision
        yield b"  </page>\n"

    def _redirects(self, target: str) -> Iterator[Edit]:
        for _ in range(self._rng.choice((1, 1, 1, 2, 3))):
            name, number = self._rng.choice(self._accounts)
            yield Edit([Fragment.of(f"#REDIRECT [[{target}]]")], name, number, f"to [[{target}]]")

    def _edits(self, title: str, number: int, namespace: int) -> Iterator[Edit]:
        """Yield the history of a page that is no redirect."""
        rng, fixed = self._rng, self._size.fixed
        count, size = self._size.revisions, self._size.bytes
        if not fixed:
            count = 1 + int(rng.lognormvariate(0, 1.2) / 2.05 * count)
            size = 50 + int(rng.lognormvariate(0, 0.9) / 1.5 * size)
        tagged = self._has_tags(number, namespace)
        article: Article | Stub = (
            Stub(self._author, title, tagged_every=tagged * min(TAG_INTERVAL, 1 + count // 4))
            if self._size.stubs
            else Article(self._author, title, fixed=fixed, tagged=tagged)
        )
        for n in range(count):
            article.edit(size if fixed else int(size * (0.2 + 1.6 * n / count)))
            edit = self._by_random_author(article.fragments)
            if self._size.giant and number == 1 and n == count // 2:
                edit = replace(edit, fragments=article.enlarged(self._size.giant))
            yield edit
            if not fixed and rng.random() < 0.05:
                yield from self._vandalism(article, edit.name)

    def _has_tags(self, number: int, namespace: int) -> bool:
        share = self._size.tagged
        return namespace == 0 and int(number * share) > int((number - 1) * share)

    def _by_random_author(self, fragments: list[Fragment]) -> Edit:
        rng = self._rng
        summary = rng.choice(_SUMMARIES).format(*self._author.words(3))
        if rng.random() < 0.3:
            return Edit(fragments, _ip_address(rng), None, summary, hidden=rng.random() < 0.005)
        # Few accounts make most of the edits, some of them bots.
        place = min(int(rng.paretovariate(0.7)) - 1, len(self._accounts) - 1)
        name, number = self._accounts[place]
        if place % 10 == 3:
            return Edit(fragments, f"{name.split()[0]}Bot", number, "bot: fixing links", minor=True)
        return Edit(fragments, name, number, summary, minor=rng.random() < 0.25)

    def _vandalism(self, article: Article | Stub, last: str) -> Iterator[Edit]:
        rng, vandal = self._rng, _ip_address(self._rng)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            yield Edit(article.vandalised(), vandal, None, "")
        name, number = rng.choice(self._accounts)
        yield Edit(article.fragments, name, number, _REVERTED.format(vandal, last), minor=True)


def _ip_address(rng: random.Random) -> str:
    return ".".join(str(rng.randrange(1, 255)) for _ in range(4))


@contextmanager
def open_target(path: Path | None) -> Iterator[IO[bytes]]:
    """Open the file to write, compressed according to its extension; None is standard output."""
    if path is None:
        yield sys.stdout.buffer
    elif path.suffix == ".7z":
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".xml") as plain:
            yield cast(IO[bytes], plain)
            plain.flush()
            with py7zr.SevenZipFile(path, "w") as archive:
                archive.write(plain.name, path.stem)
    else:
        with _MODULES.get(path.suffix, builtins).open(str(path), "wb") as file:
            yield file


_MODULES: dict[str, Any] = {".bz2": bz2, ".gz": gzip, ".xz": lzma, ".zst": zstandard}


def main() -> None:
    """Write the export."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--revisions", type=int, default=50, help="mean number per page")
    parser.add_argument("--size", type=int, dest="bytes", default=10_000, help="of a revision")
    parser.add_argument("--tagged", type=float, default=0.1, help="share of articles with tags")
    parser.add_argument("--fixed", action="store_true", help="all have the mean size")
    parser.add_argument("--giant", type=int, default=0, help="bytes of one revision of page 1")
    parser.add_argument("--stubs", action="store_true", help="pages of a few sentences")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--out", type=Path, help=".xml, .xml.bz2, .7z, .gz, .xz or .zst")
    options = vars(parser.parse_args())
    try:
        with open_target(options.pop("out")) as file:
            for content in Wiki(Size(**options)).export():
                file.write(content)
    except BrokenPipeError:
        # The reading program has ended.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()

"""XML of a dump to pages and revisions, by a scan of its bytes: the fast reader.

Of most revisions it reads the head alone; the exact matcher sees only texts in which the pattern
of names hits and which are not like the one before. A revision in a form that it does not know is
given to the reference reader, and where that finds it damaged, so is the rest of the part: the
reference tells of the damage in its own words.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from io import BufferedIOBase
from typing import Protocol

from wikibias.dumps.xml import mwxml_reader
from wikibias.dumps.xml.buffer import Blocks
from wikibias.dumps.xml.mwxml_reader import Dump, Place
from wikibias.dumps.xml.revision_parser import PAGE, end_of_revision, plain_text, revision_at
from wikibias.errors import DumpError
from wikibias.records import Page, Revision, Site

_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml(?:(?!encoding)[^<>])*"
    rb"(?:encoding=[\"'](?i:utf-8)[\"'][^<>]*)?\?>\s*)?<mediawiki\s[^!]*\Z"
)
_PAGE_END = re.compile(rb"\s*</page>\s*(?=<page>)")
_REVISION = re.compile(rb"\s*<revision>")
_LAST = re.compile(rb"\s*</page>\s*</mediawiki>\s*\Z")
_POSITION = re.compile(r": line \d+, column \d+")
_SINGLE = b"<mediawiki><siteinfo/><page><title>-</title><ns>0</ns><id>1</id>"
_END = b"</page></mediawiki>"


class TagScanner(Protocol):
    """Looks for tags in the texts of a page, as they stand in the XML; see `tags.scanner`."""

    def begin_page(self) -> None:
        """Forget the texts of the page before."""

    def next_hit(self, block: bytes, start: int, end: int) -> int:
        """Return where the next tag may be called; beyond the end when nowhere."""

    def tags(self, block: bytes, start: int, stop: int, hit: int) -> Mapping[str, str]:
        """Return the tags of the text there, with its first hit at `hit`."""


def read(
    stream: BufferedIOBase,
    blank_summaries: Iterable[str] = (),
    finder_for: Callable[[Site], TagScanner] | None = None,
) -> Dump:
    """Read a MediaWiki export as `reader.read` does, with a finder looking for tags on the way.

    The revisions then carry their tags. They decode their texts when asked.

    Raises:
        DumpError: as `reader.read`.
    """
    blocks = Blocks(stream)
    summaries = tuple(blank_summaries)
    head = blocks.head()
    if head is None or not _HEAD.match(head):
        return mwxml_reader.read(blocks.left(), summaries)
    site = mwxml_reader.read(io.BytesIO(head + b"</mediawiki>")).site
    return Dump(site, _Scan(blocks, head, site, summaries, finder_for and finder_for(site)).pages())


class _Scan:
    """One part, being scanned."""

    def __init__(
        self,
        blocks: Blocks,
        head: bytes,
        site: Site,
        summaries: tuple[str, ...],
        finder: TagScanner | None,
    ) -> None:
        self._blocks = blocks
        self._head = head
        self._site = site
        self._summaries = summaries
        self._blank = mwxml_reader.blank_words(summaries)
        self._finder = finder
        self._next_hit = -1
        self._place = Place()
        self._page_head = b""
        # What the reference reader makes of the rest of the part, once it has taken over.
        self._rest: Iterator[Page] | None = None
        self._ended = False
        self._wanted = False

    def pages(self) -> Iterator[Page]:
        """Yield the pages. One that the caller does not begin to read is passed over."""
        while not self._ended and self._rest is None:
            page = self._page()
            if page is None:
                self._hand_over(self._head)
                break
            if self._finder is not None:
                self._finder.begin_page()
            self._wanted = False
            revisions = self._revisions()
            yield Page(page.id, page.title, page.namespace, self._asked_for(revisions))
            if not self._wanted:
                self._pass_over()
            for _ in revisions:
                pass
        if self._rest is not None:
            yield from self._rest

    def _pass_over(self) -> None:
        """Go over revisions that nobody wants, up to one that is not in the plain form."""
        blocks = self._blocks
        while blocks.at < blocks.end or self._more():
            end = end_of_revision(blocks.block, blocks.at)
            if end is None or blocks.is_odd(end):
                return
            blocks.at = end

    def _page(self) -> Page | None:
        """Read the head of a page; None when it is not well-formed."""
        blocks = self._blocks
        if blocks.at >= blocks.end and not self._more():
            return None
        known = PAGE.match(blocks.block, blocks.at)
        end = known.end() if known else blocks.block.find(b"<revision>", blocks.at)
        self._page_head = blocks.block[blocks.at : end]
        try:
            if known is None or blocks.is_odd(end):
                whole = io.BytesIO(self._head + self._page_head + _END)
                page = next(mwxml_reader.read(whole, self._summaries).pages)
            else:
                number, namespace = int(known[4]), int(known[3])
                title = mwxml_reader.full_title(
                    plain_text(known[2]).replace("_", " "), namespace, self._site
                )
                page = Page(number, title, namespace, iter(()))
        except (DumpError, StopIteration, ValueError):
            return None
        if b"</page>" in self._page_head:
            return None
        self._place.title, self._place.revision = page.title, None
        blocks.at = end
        return page

    def _asked_for(self, revisions: Iterator[Revision]) -> Iterator[Revision]:
        self._wanted = True
        yield from revisions

    def _revisions(self) -> Iterator[Revision]:
        """Yield the revisions of a page, and those that the reference finds after taking over."""
        blocks, place = self._blocks, self._place
        while True:
            if blocks.at >= blocks.end and not self._more():
                self._ended = not blocks.is_damaged and bool(_LAST.match(blocks.block, blocks.at))
                if self._ended:
                    return
                break
            revision = self._revision()
            if revision is None:
                after = _PAGE_END.match(blocks.block, blocks.at)
                if after is None:
                    break
                blocks.at = after.end()
                return
            place.revision = revision.id
            yield revision
        self._hand_over(self._head + self._page_head)
        page = next(self._rest or iter(()), None)
        if page is not None:
            yield from page.revisions

    def _more(self) -> bool:
        self._next_hit = -1
        return self._blocks.more()

    def _revision(self) -> Revision | None:
        """Read one revision; None when there is none, or none that is well-formed."""
        blocks = self._blocks
        try:
            found = revision_at(blocks.block, blocks.at, self._place.title or "", self._blank)
            if found is None or blocks.is_odd(found[1]):
                return self._by_reference()
            revision, end = found
            if self._finder is None:
                revision.tags = None
            elif self._wanted and revision.has_text:
                block, start, stop = revision.block, revision.start, revision.stop
                if self._next_hit < start:
                    self._next_hit = self._finder.next_hit(block, start, blocks.end)
                if self._next_hit < stop:
                    revision.tags = self._finder.tags(block, start, stop, self._next_hit)
        except ValueError:
            return self._by_reference()
        blocks.at = end
        return revision

    def _by_reference(self) -> Revision | None:
        """Give one revision to the reference reader."""
        blocks = self._blocks
        if not _REVISION.match(blocks.block, blocks.at):
            return None
        end = blocks.block.find(b"</revision>", blocks.at) + len(b"</revision>")
        single = _SINGLE + blocks.block[blocks.at : end] + _END
        try:
            dump = mwxml_reader.read(io.BytesIO(single), self._summaries)
            (revision,) = [revision for page in dump.pages for revision in page.revisions]
        except (DumpError, ValueError):
            return None
        blocks.at = end
        return revision

    def _hand_over(self, before: bytes) -> None:
        """Let the reference reader go on from here; `before` opens what is open here."""
        self._rest = self._by_the_reference(before)

    def _by_the_reference(self, before: bytes) -> Iterator[Page]:
        try:
            dump = mwxml_reader.read(self._blocks.left(before), self._summaries, self._place)
            for page in dump.pages:
                yield replace(page, revisions=_without_positions(page.revisions))
        except DumpError as error:
            raise _without_position(error) from error


def _without_positions(revisions: Iterator[Revision]) -> Iterator[Revision]:
    try:
        yield from revisions
    except DumpError as error:
        raise _without_position(error) from error


def _without_position(error: DumpError) -> DumpError:
    """Leave out line and column, which count from where the reference took over."""
    return DumpError(_POSITION.sub("", str(error)))

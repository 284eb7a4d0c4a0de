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
from wikibias.dumps.xml.buffer import RevisionBuffer
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

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return where the next tag may be called; beyond the end when nowhere."""

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> Mapping[str, str]:
        """Return the tags of the text there, with its first hit at `hit`."""


def read(
    stream: BufferedIOBase,
    blank_summaries: Iterable[str] = (),
    scanner_for: Callable[[Site], TagScanner] | None = None,
) -> Dump:
    """Read a MediaWiki export as `reader.read` does, with a scanner looking for tags on the way.

    The revisions then carry their tags. They decode their texts when asked.

    Raises:
        DumpError: as `reader.read`.
    """
    buffer = RevisionBuffer(stream)
    summaries = tuple(blank_summaries)
    head = buffer.head()
    if head is None or not _HEAD.match(head):
        return mwxml_reader.read(buffer.rest(), summaries)
    site = mwxml_reader.read(io.BytesIO(head + b"</mediawiki>")).site
    return Dump(
        site, _Scan(buffer, head, site, summaries, scanner_for and scanner_for(site)).pages()
    )


class _Scan:
    """One part, being scanned."""

    def __init__(
        self,
        buffer: RevisionBuffer,
        head: bytes,
        site: Site,
        summaries: tuple[str, ...],
        scanner: TagScanner | None,
    ) -> None:
        self._buffer = buffer
        self._head = head
        self._site = site
        self._summaries = summaries
        self._blank = mwxml_reader.blank_words(summaries)
        self._scanner = scanner
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
            if self._scanner is not None:
                self._scanner.begin_page()
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
        buffer = self._buffer
        while buffer.at < buffer.end or self._more():
            end = end_of_revision(buffer.chunk, buffer.at)
            if end is None or buffer.is_odd(end):
                return
            buffer.at = end

    def _page(self) -> Page | None:
        """Read the head of a page; None when it is not well-formed."""
        buffer = self._buffer
        if buffer.at >= buffer.end and not self._more():
            return None
        known = PAGE.match(buffer.chunk, buffer.at)
        end = known.end() if known else buffer.chunk.find(b"<revision>", buffer.at)
        self._page_head = buffer.chunk[buffer.at : end]
        try:
            if known is None or buffer.is_odd(end):
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
        buffer.at = end
        return page

    def _asked_for(self, revisions: Iterator[Revision]) -> Iterator[Revision]:
        self._wanted = True
        yield from revisions

    def _revisions(self) -> Iterator[Revision]:
        """Yield the revisions of a page, and those that the reference finds after taking over."""
        buffer, place = self._buffer, self._place
        while True:
            if buffer.at >= buffer.end and not self._more():
                self._ended = not buffer.is_damaged and bool(_LAST.match(buffer.chunk, buffer.at))
                if self._ended:
                    return
                break
            revision = self._revision()
            if revision is None:
                after = _PAGE_END.match(buffer.chunk, buffer.at)
                if after is None:
                    break
                buffer.at = after.end()
                return
            place.revision = revision.id
            yield revision
        self._hand_over(self._head + self._page_head)
        page = next(self._rest or iter(()), None)
        if page is not None:
            yield from page.revisions

    def _more(self) -> bool:
        self._next_hit = -1
        return self._buffer.more()

    def _revision(self) -> Revision | None:
        """Read one revision; None when there is none, or none that is well-formed."""
        buffer = self._buffer
        try:
            found = revision_at(buffer.chunk, buffer.at, self._place.title or "", self._blank)
            if found is None or buffer.is_odd(found[1]):
                return self._by_reference()
            revision, end = found
            if self._scanner is None:
                revision.tags = None
            elif self._wanted and revision.has_text:
                chunk, start, stop = revision.chunk, revision.start, revision.stop
                if self._next_hit < start:
                    self._next_hit = self._scanner.next_hit(chunk, start, buffer.end)
                if self._next_hit < stop:
                    revision.tags = self._scanner.tags(chunk, start, stop, self._next_hit)
        except ValueError:
            return self._by_reference()
        buffer.at = end
        return revision

    def _by_reference(self) -> Revision | None:
        """Give one revision to the reference reader."""
        buffer = self._buffer
        if not _REVISION.match(buffer.chunk, buffer.at):
            return None
        end = buffer.chunk.find(b"</revision>", buffer.at) + len(b"</revision>")
        single = _SINGLE + buffer.chunk[buffer.at : end] + _END
        try:
            dump = mwxml_reader.read(io.BytesIO(single), self._summaries)
            (revision,) = [revision for page in dump.pages for revision in page.revisions]
        except (DumpError, ValueError):
            return None
        buffer.at = end
        return revision

    def _hand_over(self, before: bytes) -> None:
        """Let the reference reader go on from here; `before` opens what is open here."""
        self._rest = self._by_the_reference(before)

    def _by_the_reference(self, before: bytes) -> Iterator[Page]:
        try:
            dump = mwxml_reader.read(self._buffer.rest(before), self._summaries, self._place)
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

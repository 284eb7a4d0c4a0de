"""Revisions of a dump by byte patterns; mwxml reads the head and what is odd."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from wikibias.dumps.compression.formats import untold
from wikibias.dumps.compression.streams import DAMAGE
from wikibias.dumps.xml import mwxml_reader
from wikibias.dumps.xml.mwxml_reader import LONGEST_VALUE, Dump, Place, Report, end_part
from wikibias.dumps.xml.revision_parser import ODD, PAGE, ScannedRevision, around_text, plain_text
from wikibias.errors import DumpError
from wikibias.records import Page, Revision, Site, Unreadable

# Larger chunks do not fit in the processor's cache and were slower.
_CHUNK_SIZE = 1 << 19
_MAX_HEAD = 1 << 22
# Bytes of the longest revision that is read here. MediaWiki saves texts of up to 2 MB, of which
# escapes may make 12.
_LONGEST_REVISION = 1 << 24
_REVISION_END = b"</revision>"
_NEVER = 1 << 62
_FEW = 1000


class RevisionBuffer:
    """Holds one chunk of a part at a time.

    `at` is the reading position in the chunk, `end` the end of its last whole revision. Damage of
    the archive, or too little memory, ends the part; the stream of `rest` raises it again.
    """

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self.chunk = b""
        self.at = self.end = 0
        self._stream = stream
        self.error: Exception | None = None
        self._next_odd = _NEVER

    def head(self) -> bytes | None:
        """Read up to the first page and return the bytes before it; None if there is no page."""
        while (start := self.chunk.find(b"<page>")) < 0:
            more = self._read()
            self.chunk = b"".join([self.chunk, *more])
            if not more or len(self.chunk) > _MAX_HEAD:
                return None
        self.at = self.end = start
        return self.chunk[:start]

    def more(self) -> bool:
        """Read until the chunk holds another whole revision; return False if there is none.

        That is at the end of the part, and before a revision that is too long to be held.
        """
        chunk, self.at, wanted = self.chunk[self.at :], 0, _CHUNK_SIZE
        end = _last_end(chunk, 0)
        while end < 0:
            more = self._read(wanted) if len(chunk) < _LONGEST_REVISION else []
            # Read twice as much each time, so that a long revision is copied only a few times.
            searched, wanted = max(0, len(chunk) - len(_REVISION_END)), len(chunk)
            chunk = b"".join([chunk, *more])
            end = _last_end(chunk, searched)
            if not more:
                self.chunk, self.end = chunk, 0
                return False
        self.chunk, self.end = chunk, end + len(_REVISION_END)
        self._next_odd = self._find_odd(0)
        return True

    def is_odd(self, end: int) -> bool:
        """Return whether only an XML parser can resolve some reference from `at` to `end`."""
        if self._next_odd < self.at:
            self._next_odd = self._find_odd(self.at)
        return self._next_odd < end

    def rest(self, before: bytes | None = None) -> io.BufferedReader:
        """Return a stream of `before` and the unread rest; with None, of all that was read."""
        prefix = self.chunk if before is None else before + self.chunk[self.at :]
        return io.BufferedReader(_Rest(prefix, self._stream, self.error), _CHUNK_SIZE)

    def _find_odd(self, start: int) -> int:
        odd = ODD.search(self.chunk, start, self.end)
        return _NEVER if odd is None else int(odd.start())

    def _read(self, wanted: int = _CHUNK_SIZE) -> list[bytes]:
        """Read about `wanted` bytes, at least a chunk; less at the end or before damage."""
        wanted = max(wanted, _CHUNK_SIZE)
        found: list[bytes] = []
        size = 0
        try:
            while size < wanted and self.error is None:
                read = self._stream.read1()
                if not read:
                    break
                found.append(read)
                size += len(read)
        except (MemoryError, *DAMAGE) as error:
            self.error = error
        return found


def _last_end(chunk: bytes, start: int) -> int:
    """Return the position of the last `</revision>` from `start` on, or -1.

    Only a few "<" follow it in a dump, and searching for one byte is much faster than for several.
    """
    at = len(chunk)
    for _ in range(_FEW):
        at = chunk.rfind(b"<", start, at)
        if at < 0 or chunk.startswith(_REVISION_END, at):
            return at
    return chunk.rfind(_REVISION_END, start, at)


class _Rest(io.RawIOBase):
    """A stream of bytes read already, then of the rest of a stream, then its error, if any."""

    def __init__(self, prefix: bytes, stream: io.BufferedIOBase, error: Exception | None) -> None:
        self._prefix = memoryview(prefix)
        self._stream = stream
        self._error = error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        read: bytes | memoryview = self._prefix[: len(view)]
        self._prefix = self._prefix[len(read) :]
        if not read:
            if self._error is not None:
                raise self._error
            read = self._stream.read1(len(view))
        view[: len(read)] = read
        return len(read)


_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml(?:(?!encoding)[^<>])*"
    rb"(?:encoding=[\"'](?i:utf-8)[\"'][^<>]*)?\?>\s*)?<mediawiki\s[^!]*\Z"
)
_PAGE_END = re.compile(rb"\s*</page>\s*(?=<page>)")
_REVISION = re.compile(rb"\s*<revision>")
_LAST = re.compile(rb"\s*</page>\s*</mediawiki>\s*\Z")
_POSITION = re.compile(r": line \d+, column \d+")
_ANY_PAGE = b"<page><title>-</title><ns>0</ns><id>1</id>"
_SINGLE = b"<mediawiki><siteinfo/>" + _ANY_PAGE
_END = b"</page></mediawiki>"
_ANY_REVISION = b"<revision><id>1</id><timestamp>2001-01-15T00:00:00Z</timestamp></revision>"


class Scanner(Protocol):
    """Finds tags in the texts of a page, which are escaped as in the XML; see `tags.scanner`."""

    def begin_page(self) -> None:
        """Forget the texts of the previous page."""

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return the next position of a possible tag; a number beyond the end if there is none."""

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> Mapping[str, str]:
        """Return the tags of the text from `start` to `stop`, whose first hit is at `hit`."""


def read(
    stream: io.BufferedIOBase,
    blank_summaries: Iterable[str] = (),
    scanner_for: Callable[[Site], Scanner] | None = None,
    report: Report = end_part,
    on_odd: Callable[[], None] = untold,
) -> Dump:
    """Read a MediaWiki export as `mwxml_reader.read` does, and find tags with a scanner.

    The revisions then carry their tags. They decode their texts on demand. `on_odd` is told where
    a text is not written as MediaWiki writes it, such as with a reference to a letter.

    Raises:
        DumpError: as `mwxml_reader.read`.
    """
    buffer = RevisionBuffer(stream)
    summaries = tuple(blank_summaries)
    head = buffer.head()
    try:
        # A page that has attributes belongs to no head.
        if head is None or b"<page" in head or not _HEAD.match(head):
            raise DumpError("has an odd head")
        site = mwxml_reader.read(io.BytesIO(head + b"</mediawiki>")).site
    except DumpError:
        on_odd()
        return mwxml_reader.read(buffer.rest(), summaries, report=report)
    scanner = scanner_for and scanner_for(site)
    reader = _FastReader(buffer, head, site, summaries, scanner, report, on_odd)
    return Dump(site, reader.pages())


@dataclass(slots=True)
class _OpenPage:
    """The page that is being read; of a lost one no more revisions are given."""

    id: int
    title: str
    namespace: int
    is_lost: bool = False


class _LostRevisionError(Exception):
    """A revision cannot be worked out, so that its page ends there."""

    def __init__(self, what: Unreadable) -> None:
        super().__init__(what.cause)
        self.what = what


@dataclass
class _FastReader:
    """Reads one part."""

    _buffer: RevisionBuffer
    _head: bytes
    _site: Site
    _summaries: tuple[str, ...]
    _scanner: Scanner | None
    _report: Report
    _on_odd: Callable[[], None]
    _next_hit: int = -1
    _place: Place = field(default_factory=Place)
    _page_head: bytes = b""
    # The pages of the rest of the part, once the reference reader has taken over.
    _rest: Iterator[Page] | None = None
    _ended: bool = False
    _wanted: bool = False

    def __post_init__(self) -> None:
        self._blank = mwxml_reader.blank_words(self._summaries)

    def pages(self) -> Iterator[Page]:
        """Yield the pages; skip the revisions of a page that the caller does not read."""
        while not self._ended and self._rest is None:
            page = self._page()
            if page is None:
                self._rest = self._rest_by_reference(self._head)
                break
            if self._scanner is not None:
                self._scanner.begin_page()
            self._wanted = False
            revisions = self._revisions(page)
            if not page.is_lost:
                yield Page(page.id, page.title, page.namespace, self._on_demand(revisions))
            if not self._wanted:
                page.is_lost = True
                self._skip()
            for _ in revisions:
                pass
        if self._rest is not None:
            yield from self._rest

    def _skip(self) -> None:
        """Skip unwanted revisions, up to one that the patterns do not match."""
        buffer = self._buffer
        while buffer.at < buffer.end or self._more():
            found = around_text(buffer.chunk, buffer.at)
            if found is None or buffer.is_odd(found[1].end()):
                return
            buffer.at = found[1].end()

    def _page(self) -> _OpenPage | None:
        """Read the head of a page; return None if it is not well-formed."""
        buffer = self._buffer
        if buffer.at >= buffer.end and not self._more():
            return None
        known = PAGE.match(buffer.chunk, buffer.at)
        end = known.end() if known else buffer.chunk.find(b"<revision>", buffer.at)
        head = self._page_head = buffer.chunk[buffer.at : end]
        try:
            if known is None or len(head) > LONGEST_VALUE or buffer.is_odd(end):
                page = self._page_by_reference(head)
            else:
                number, namespace = int(known[4]), int(known[3])
                title = plain_text(known[2]).replace("_", " ")
                title = mwxml_reader.full_title(title, namespace, self._site)
                page = _OpenPage(number, title, namespace)
        except (DumpError, ValueError):
            return None
        if page is None:
            return None
        if page.is_lost:
            self._page_head = _ANY_PAGE
        else:
            self._place.title, self._place.revision = page.title, None
        buffer.at = end
        return page

    def _page_by_reference(self, head: bytes) -> _OpenPage | None:
        # A revision that has attributes, or is empty, belongs to no head.
        if b"</page>" in head or b"<revision" in head:
            return None
        whole, lost = io.BytesIO(self._head + head + _END), list[Unreadable]()
        dump = mwxml_reader.read(whole, self._summaries, report=lost.append)
        for page in dump.pages:
            return _OpenPage(page.id, page.title, page.namespace)
        for what in lost:
            self._report(what)
        return _OpenPage(0, "", 0, is_lost=True) if lost else None

    def _on_demand(self, revisions: Iterator[Revision]) -> Iterator[Revision]:
        self._wanted = True
        yield from revisions

    def _revisions(self, page: _OpenPage) -> Iterator[Revision]:
        """Yield the revisions of a page, also those that the reference reader takes over."""
        buffer, place, begun = self._buffer, self._place, b""
        while True:
            if buffer.at >= buffer.end and not self._more():
                self._ended = buffer.error is None and bool(_LAST.match(buffer.chunk, buffer.at))
                if self._ended:
                    return
                break
            try:
                revision = self._revision()
                begun = begun if revision is None else _ANY_REVISION
            except _LostRevisionError as error:
                begun = _ANY_REVISION
                if not page.is_lost:
                    self._report(replace(error.what, page=page.title, page_id=page.id))
                page.is_lost = True
                continue
            if revision is None:
                after = _PAGE_END.match(buffer.chunk, buffer.at)
                if after is None:
                    break
                buffer.at = after.end()
                return
            if not page.is_lost:
                place.revision = revision.id
                yield revision
        # Behind a revision no more of the head may follow, so that another stands for those read.
        self._rest = self._rest_by_reference(self._head + self._page_head + begun)
        rest, last = next(self._rest, None), place.revision
        if rest is not None and not page.is_lost:
            if begun:
                next(rest.revisions, None)
                place.revision = last
            yield from rest.revisions

    def _more(self) -> bool:
        self._next_hit = -1
        try:
            return self._buffer.more()
        except MemoryError as error:
            raise DumpError(f"needs more memory than there is {self._place}") from error

    def _revision(self) -> Revision | None:
        """Read one revision; return None if there is none or it is not well-formed.

        Raises:
            _LostRevisionError: it cannot be worked out; the one after it can be read.
        """
        buffer = self._buffer
        chunk = buffer.chunk
        found = around_text(chunk, buffer.at)
        if found is None or buffer.is_odd(end := found[1].end()):
            return self._by_reference()
        try:
            revision = ScannedRevision(*found, self._place.title or "", self._blank)
            if self._scanner is None:
                revision.tags = None
            elif self._next_hit < revision.stop and self._wanted and revision.has_text:
                start, stop = revision.start, revision.stop
                if self._next_hit < start:
                    self._next_hit = self._scanner.next_hit(chunk, start, buffer.end)
                if self._next_hit < stop:
                    revision.tags = self._scanner.tags(chunk, start, stop, self._next_hit)
        except (MemoryError, ValueError):
            return self._by_reference()
        buffer.at = end
        return revision

    def _by_reference(self) -> Revision | None:
        """Read one revision with the reference reader."""
        buffer = self._buffer
        if not _REVISION.match(buffer.chunk, buffer.at):
            return None
        end = buffer.chunk.find(b"</revision>", buffer.at) + len(b"</revision>")
        single, lost = _SINGLE + buffer.chunk[buffer.at : end] + _END, list[Unreadable]()
        if b"<!" in single or ODD.search(single):
            self._on_odd()
        try:
            dump = mwxml_reader.read(io.BytesIO(single), self._summaries, report=lost.append)
            found = [revision for page in dump.pages for revision in page.revisions]
        except DumpError:
            return None
        if len(found) + len(lost) != 1:
            return None
        buffer.at = end
        if lost:
            raise _LostRevisionError(lost[0])
        return found[0]

    def _rest_by_reference(self, before: bytes) -> Iterator[Page]:
        """Let the reference reader read the rest; `before` reopens the elements open here."""
        self._on_odd()
        with _without_position():
            rest = self._buffer.rest(before)
            dump = mwxml_reader.read(rest, self._summaries, self._place, self._report)
            for page in dump.pages:
                yield replace(page, revisions=_without_positions(page.revisions))


def _without_positions(revisions: Iterator[Revision]) -> Iterator[Revision]:
    with _without_position():
        yield from revisions


@contextmanager
def _without_position() -> Iterator[None]:
    """Remove line and column of an error, which count from where the reference reader took over."""
    try:
        yield
    except DumpError as error:
        raise DumpError(_POSITION.sub("", str(error))) from error

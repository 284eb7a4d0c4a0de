"""Pages of a part, read from its files as from one dump and counted, up to the end or damage.

Pages that span files are merged, and sizes and checksums of the files are taken as they are read.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from heapq import heappop, heappush
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from wikibias.config.languages import languages, load_language
from wikibias.dumps.compression.streams import STDIN, Source, is_url, open_part
from wikibias.dumps.page_index import CallsFor, PageIndex, PageIndexer
from wikibias.dumps.parts import Part, file_name, first_revision
from wikibias.dumps.xml import fast_reader
from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError, FetchError, UsageError
from wikibias.execution.pool import DEADLY, Trace
from wikibias.kits.files import checksum
from wikibias.mediawiki import is_intact
from wikibias.records import MOST_NAMED, Page, Revision, Site, Unreadable

_log = logging.getLogger(__name__)
# Reporting progress costs as much as reading a short revision.
_REVISIONS_PER_PROGRESS_REPORT = 16


@dataclass(slots=True)
class Tally:
    """Counts of one part. `error` is the damage that ended the reading, if any.

    `unknown_texts` includes `too_long_texts`. `steps_back_in_time` counts the revisions that are
    older than the revision before them in the dump. `unreadable` counts what could not be worked
    out, of which `first_unreadable` names the first hundred; among them are `wrong_texts`, which
    do not match their checksums. `has_checksums` tells whether the dump holds any, `has_texts` that
    some text is not empty. Without any it is a stub dump: in the end, `is_stub` is set, and
    `unknown_texts` is 0. `first_page` and `last_page` are the lowest and the highest id of the
    pages, `newest` the time of the newest revision. `without_beginning` counts the pages whose
    first revision has a parent.
    """

    pages: int = 0
    revisions: int = 0
    unknown_texts: int = 0
    too_long_texts: int = 0
    steps_back_in_time: int = 0
    unreadable: int = 0
    first_unreadable: list[Unreadable] = field(default_factory=list)
    wrong_texts: int = 0
    first_wrong_text: str | None = None
    has_checksums: bool = False
    has_texts: bool = False
    is_stub: bool = False
    error: str | None = None
    first_page: int | None = None
    last_page: int | None = None
    newest: datetime | None = None
    without_beginning: int = 0

    def begin(self, page: Page) -> None:
        """Count a page."""
        self.pages += 1
        self.first_page = min(page.id, self.first_page or page.id)
        self.last_page = max(page.id, self.last_page or page.id)

    def skip(self, what: Unreadable) -> None:
        """Count a page, a revision or a text that could not be worked out; the rest goes on."""
        self.unreadable += 1
        if len(self.first_unreadable) < MOST_NAMED:
            self.first_unreadable.append(what)
            at = what.page, what.page_id, what.revision, what.cause
            _log.warning("left out: %s (page %s, revision %s): %s", *at)

    def add_unreadable(self, other: Tally) -> None:
        """Count and name as well what `other` has skipped."""
        self.unreadable += other.unreadable
        named = [*self.first_unreadable, *other.first_unreadable]
        self.first_unreadable = named[:MOST_NAMED]

    def skip_text(self, page: Page, revision: Revision) -> None:
        """Count a text that does not match its checksum, with which the part is not whole."""
        self.wrong_texts += 1
        cause = "its text does not match its checksum"
        self.skip(Unreadable(page.title, page.id, revision.id, cause))
        if self.first_wrong_text is None:
            self.first_wrong_text = f"revision {revision.id} of page {page.title!r}"

    def is_flawless(self) -> bool:
        """Return whether all was read that there is, and it is not a stub dump."""
        return self.error is None and not self.unreadable and self.has_texts

    def counts(self) -> dict[str, Any]:
        """Return the counts as JSON holds them."""
        return asdict(self) | {"newest": self.newest and self.newest.isoformat()}

    def as_in(self, counts: Mapping[str, Any]) -> None:
        """Take over the `counts` of a reading of all pages; this one has passed over some."""
        for name, value in counts.items():
            setattr(self, name, value)
        self.newest = datetime.fromisoformat(counts["newest"])

    def finish(self) -> None:
        """Say so where damage did not end the reading, but was found in texts.

        Of a stub dump no text is lost: it never had any.
        """
        if self.unknown_texts > self.too_long_texts and not self.has_texts:
            self.is_stub, self.unknown_texts = True, 0
        if self.wrong_texts and self.error is None:
            texts = "1 text does not match its checksum, that"
            if self.wrong_texts > 1:
                texts = f"{self.wrong_texts:,} texts do not match their checksums, the first that"
            self.error = f"is damaged: {texts} of {self.first_wrong_text}; fetch it again"


def iterate_pages(
    dump: Dump,
    tally: Tally,
    *,
    namespaces: Collection[int],
    limit: int | None,
    on_progress: Callable[[], None],
    verify: bool = False,
) -> Iterator[Page]:
    """Yield the pages in `namespaces`, at most `limit`, and count them in `tally`.

    Damage ends the iteration, also inside a page: everything before the damage is yielded, and
    `tally.error` gives the reason. `on_progress` is called every few revisions. With `verify`,
    every text is compared with its checksum.
    """
    try:
        for page in dump.pages:
            if page.namespace not in namespaces:
                on_progress()
                continue
            tally.begin(page)
            revisions = _counted(page.revisions, tally, on_progress)
            if verify:
                revisions = _verified(page, revisions, tally)
            yield replace(page, revisions=revisions)
            if tally.error or tally.pages == limit:
                return
    except DumpError as error:
        tally.error = str(error)


def _counted(
    revisions: Iterator[Revision], tally: Tally, on_progress: Callable[[], None]
) -> Iterator[Revision]:
    latest: datetime | None = None
    try:
        for revision in revisions:
            tally.revisions += 1
            if not revision.has_text:
                tally.unknown_texts += 1
                tally.too_long_texts += revision.is_too_long
            elif not (tally.has_checksums and tally.has_texts):
                tally.has_checksums = tally.has_checksums or revision.checksum is not None
                tally.has_texts = tally.has_texts or bool(
                    revision.peek() if revision.size is None else revision.size
                )
            timestamp = revision.timestamp
            if latest is None:
                tally.without_beginning += bool(revision.parent_id)
            elif timestamp < latest:
                tally.steps_back_in_time += 1
            latest = timestamp
            if tally.newest is None or timestamp > tally.newest:
                tally.newest = timestamp
            if not tally.revisions % _REVISIONS_PER_PROGRESS_REPORT:
                on_progress()
            yield revision
    except DumpError as error:
        tally.error = str(error)


def _verified(page: Page, revisions: Iterator[Revision], tally: Tally) -> Iterator[Revision]:
    for revision in revisions:
        if not is_intact(revision):
            tally.skip_text(page, revision)
        yield revision


def traced(pages: Iterable[Page], trace: Trace, tally: Tally) -> Iterator[Page]:
    """Say which page is read; pass over those that ended the process before."""
    for number, page in enumerate(pages, 1):
        if trace.at(f"page {number}"):
            yield page
        else:
            tally.skip(Unreadable(page.title, page.id, None, DEADLY))


def older_than(end: datetime, pages: Iterable[Page]) -> Iterator[Page]:
    """Yield the pages with those of their revisions that are older, however they are ordered."""
    for page in pages:
        yield replace(page, revisions=(r for r in page.revisions if r.timestamp < end))


_EARLIEST = (datetime.min.replace(tzinfo=UTC), 0)


@dataclass(frozen=True, slots=True)
class File:
    """A file to merge: its name for messages, and a function that opens it, called up to twice.

    `first_revision` is the lowest revision id in its name; it counts only if the file is damaged.
    """

    name: str
    first_revision: int
    open: Callable[[], AbstractContextManager[Dump]]


@contextmanager
def merge_files(files: Sequence[File]) -> Iterator[Dump]:
    """Yield one dump of all files, in which a page from several files is one page.

    Revisions are ordered by timestamp, then id, if they are in each file; a revision in two files
    is yielded once. Pages are ordered by id. A file is opened once to read its first revision,
    and again when the merge reaches that revision; it is closed after its last one. One revision
    of each open file is in memory, and no text is decoded.

    If a file is damaged, the page ends there, even if other files go on. If nothing of a file can
    be read, the page ends before the first revision id that the file may hold.

    Raises:
        DumpError: the first file is damaged at its start; later, from the iterators: a file is
            damaged or its pages are not in order. The message names the file.
    """
    opened: list[_Opened] = []
    damages: list[_Damage] = []
    with ExitStack() as stack:
        for file in files:
            try:
                opened.append(_Opened(file))
            except DumpError as error:
                if not opened:
                    raise
                damages.append(_Damage(error, file.first_revision))
            else:
                stack.callback(opened[-1].close)
        first = min(damages, key=lambda damage: damage.first_revision, default=None)
        yield Dump(opened[0].site, _pages(opened, first))


@dataclass(frozen=True, slots=True)
class _Damage:
    """The reason why a file cannot be read at all, and the first revision id that it may hold."""

    error: DumpError
    first_revision: int


class _Opened:
    """A file of the group and its reading position.

    `page` is the current or next page, None at the end. `start` is the timestamp and id of its
    first revision, or an earlier one.
    """

    def __init__(self, file: File) -> None:
        self._file = file
        self._stack = ExitStack()
        self._pages: Iterator[Page] | None = None
        self.start = _EARLIEST
        try:
            with file.open() as dump:
                self.site, self.page = dump.site, next(dump.pages, None)
                if self.page is not None:
                    first = next(self.page.revisions, None)
                    self.start = (first.timestamp, first.id) if first else _EARLIEST
                    self.page = replace(self.page, revisions=iter(()))
        except DumpError as error:
            raise self._named(error) from error

    def close(self) -> None:
        """Close the file, even before its end."""
        self._stack.close()

    def revision(self) -> Revision | None:
        """Return the next revision of the page; after the last, move to the next page."""
        try:
            if self._pages is None:
                self._open()
            revision = next(self.page.revisions, None) if self.page is not None else None
        except DumpError as error:
            raise self._named(error) from error
        if revision is None:
            self.advance()
        return revision

    def advance(self) -> None:
        """Move to the next page; close the file if there is none."""
        try:
            pages = self._pages or self._open()
            before, self.page = self.page, next(pages, None)
        except DumpError as error:
            raise self._named(error) from error
        self.start = _EARLIEST
        if self.page is None:
            self.close()
        elif before is not None and self.page.id <= before.id:
            disorder = DumpError(
                f"has page {self.page.id} after page {before.id}; if a page is split over files, "
                "the pages of each file must be in the order of their ids"
            )
            raise self._named(disorder)

    def _open(self) -> Iterator[Page]:
        self._pages = self._stack.enter_context(self._file.open()).pages
        self.page = next(self._pages, None)
        return self._pages

    def _named(self, error: DumpError) -> DumpError:
        return DumpError(f"is incomplete: {self._file.name} {error}")


def _pages(files: Sequence[_Opened], damage: _Damage | None) -> Iterator[Page]:
    while heads := [(file, file.page) for file in files if file.page is not None]:
        page_id = min(page.id for _, page in heads)
        same_page = [(file, page) for file, page in heads if page.id == page_id]
        _, first = same_page[0]
        revisions = _merged([file for file, _ in same_page], damage)
        yield Page(first.id, first.title, first.namespace, revisions)
        for file, _ in same_page:
            if file.page is not None and file.page.id == page_id:
                file.advance()
    if damage is not None:
        raise damage.error


def _merged(files: Sequence[_Opened], damage: _Damage | None) -> Iterator[Revision]:
    """Yield the revisions of the page that all the files are positioned at."""
    waiting = deque(sorted(files, key=lambda file: file.start))
    reading: list[_Opened] = []
    heads: list[tuple[datetime, int, int, Revision]] = []
    now, seen = _EARLIEST[0], set[int]()

    def take(number: int) -> None:
        revision = reading[number].revision()
        if revision is not None:
            heappush(heads, (revision.timestamp, revision.id, number, revision))

    while True:
        while waiting and (not heads or waiting[0].start <= heads[0][:2]):
            reading.append(waiting.popleft())
            take(len(reading) - 1)
        if not heads:
            return
        time, revision_id, number, revision = heappop(heads)
        if damage is not None and revision_id >= damage.first_revision:
            raise damage.error
        if time != now:
            now, seen = time, set()
        if revision_id not in seen:
            seen.add(revision_id)
            yield revision
        del revision  # its text is large, and the next one is about to be read
        take(number)


class Sources:
    """Counts and hashes the bytes of a part's files as they are read."""

    def __init__(self) -> None:
        self._open: dict[str, Source] = {}
        self._sizes: dict[str, int] = {}
        self._sums: dict[str, str] = {}
        # Whether each file that was opened holds a checksum of what is packed in it.
        self.are_checked = True
        # Whether one of those that were read is of several streams.
        self.have_streams = False

    @property
    def read_bytes(self) -> int:
        """The number of bytes read so far, of all files together."""
        now = [source.read_bytes for source in self._open.values()]
        return sum(now) + sum(size for path, size in self._sizes.items() if path not in self._open)

    @contextmanager
    def following(self, path: str, source: Source) -> Iterator[None]:
        """Count the bytes of a file while it is open; a file opened twice is counted once."""
        self._open[path] = source
        self.are_checked &= source.is_checked
        try:
            yield
        finally:
            self._sizes[path] = source.read_bytes
            self.have_streams |= source.has_streams
            del self._open[path]

    def take(self, path: str, about: Mapping[str, Any]) -> None:
        """Take over what is known of a file that is not read to its end."""
        self._sums[path], self._sizes[path] = about["sha256"], about["size"]
        self.have_streams |= about["streams"]

    def sha256(self, path: str) -> tuple[str, int] | None:
        """Return checksum and size of a file, or None if it was closed before its end.

        Raises:
            FetchError: the server does not deliver the rest of the file.
        """
        if path in self._open:
            source = self._open[path]
            self._sums[path] = source.sha256()
            self._sizes[path] = source.read_bytes
        return self.known(path)

    def known(self, path: str) -> tuple[str, int] | None:
        """Return checksum and size of a file that has been read to its end, else None."""
        return (self._sums[path], self._sizes[path]) if path in self._sums else None


@contextmanager
def open_dump(
    part: Part,
    read: Callable[[BufferedIOBase], Dump],
    threads: int = 1,
    indexer: PageIndexer | None = None,
) -> Iterator[tuple[Dump, Sources]]:
    """Open the files of a part, read their XML with `read`, and yield them as one dump.

    Up to `threads` threads decompress a file; `indexer` takes its blocks.

    Raises:
        DumpError: see `streams.open_part`, `fast_reader.read` and `merge_files`.
    """
    sources = Sources()
    openers = {path: partial(_opened, path, read, sources, threads, indexer) for path in part.files}
    with ExitStack() as stack:
        if len(openers) == 1:
            dump = stack.enter_context(openers[part.files[0]]())
        else:
            files = [File(path, first_revision(path), open_) for path, open_ in openers.items()]
            dump = stack.enter_context(merge_files(files))
        yield dump, sources


@contextmanager
def _opened(
    path: str,
    read: Callable[[BufferedIOBase], Dump],
    sources: Sources,
    threads: int,
    indexer: PageIndexer | None,
) -> Iterator[Dump]:
    with open_part(path, threads, indexer) as (stream, source), sources.following(path, source):
        dump = read(stream)
        yield replace(dump, pages=_to_the_end(dump.pages, path, sources))


@contextmanager
def open_indexed(
    index: PageIndex, read: Callable[[BufferedIOBase], Dump], calls: CallsFor
) -> Iterator[tuple[Dump, Sources]]:
    """Open a file as `open_dump` does, with only the pages that may have some of the `calls`."""
    sources = Sources()
    sources.take(str(index.path), index.about)
    yield read(index.stream(calls)), sources


def _to_the_end(pages: Iterator[Page], path: str, sources: Sources) -> Iterator[Page]:
    """Yield the pages, then compute the checksum, since the file may be closed before the part."""
    yield from pages
    with suppress(OSError, FetchError):
        sources.sha256(path)


_OF_WIKI = re.compile("([a-z]{2,3})wik")


def language_of(part: Part) -> str:
    """Return the code of the language of a part: by the head of its first file, else by its name.

    Raises:
        UsageError: neither tells it, or wikibias does not have the language; says what to do.
    """
    path, said, cause = part.files[0], list[str](), ""
    try:
        if site := site_of(path):
            said = [site.language, site.wiki]
    except DumpError as error:
        cause = f"{path} {error}"
    names = (_OF_WIKI.match(name) for name in [*said[1:], file_name(path)])
    codes = [*filter(None, said[:1]), *(name[1] for name in names if name)]
    if not codes:
        unknown = f"cannot tell the language of {path}; name it, such as --lang fr"
        raise UsageError(cause or unknown)
    # The wiki `no` says nb.
    lang = next((code for code in codes if code in languages()), codes[0])
    load_language(lang)
    return lang


def site_of(path: str) -> Site | None:
    """Return what the head of a dump says; None of a pipe, which cannot be read twice."""
    if path == STDIN or Path(path).is_fifo():
        return None
    with open_part(path) as (stream, _):
        return fast_reader.read(stream).site


def refuse_no_dumps(parts: Sequence[Part]) -> None:
    """Refuse parts of which none begins as a dump does; pipes and URLs are not looked at.

    Raises:
        DumpError: names the first of them.
    """
    errors: list[str] = []
    for path in (part.files[0] for part in parts):
        try:
            if not is_url(path):
                site_of(path)
        except DumpError as error:
            errors.append(f"{path} {error}")
        else:
            return
    if errors:
        raise DumpError(errors[0])


_NAMED = re.compile(r"([a-z_]+wik[a-z]+)-\d{8}")


def refuse_other_wiki(parts: Sequence[Part], lang: str, todo: str) -> None:
    """Refuse a file of the wiki of another language that wikibias has.

    Of the files that a dump's name says to be of one wiki, the first is looked at; of an unknown
    language, which its settings tell, none.

    Raises:
        UsageError: names the file, and what to do: `todo`, with the language of its wiki for {}.
    """
    if lang not in languages():
        return
    by_name = {(m[1] if (m := _NAMED.match(part.name)) else ""): part for part in parts[::-1]}
    for path in (part.files[0] for part in by_name.values() if not is_url(part.files[0])):
        site = None
        with suppress(DumpError):  # which the run will tell
            site = site_of(path)
        if site is None or (its := site.language) not in languages() or its == lang:
            continue
        # A small wiki may say `en` and be written in another language.
        if site.wiki.endswith(f"{its}wiki"):
            raise UsageError(f"{path} is of a wiki in {its!r}, not {lang!r}; {todo.format(its)}")


def identity(part: Part, sources: Sources | None, *, whole: bool) -> dict[str, Any]:
    """Return size, modification time and checksum of a part's input, as far as known.

    If there are several files, `files` holds those of each. Only a `whole` input gets checksums,
    because a run with `--limit` must not read the rest of a file just for its checksum.
    """
    known = [_identity(path, sources, whole=whole) for path in part.files]
    if len(known) == 1:
        return known[0]
    sizes = [file["size"] for file in known]
    return {
        "size": None if None in sizes else sum(sizes),
        "mtime_ns": None,
        "sha256": None,
        "files": [
            {"name": file_name(path), **file} for path, file in zip(part.files, known, strict=True)
        ],
    }


def _identity(path: str, sources: Sources | None, *, whole: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"size": None, "mtime_ns": None, "sha256": None}
    is_local = path != STDIN and not is_url(path)
    if is_local:
        with suppress(OSError):
            stat = Path(path).stat()
            found |= {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    if not whole:
        return found
    if is_local and Path(path).is_file():
        with suppress(OSError):
            read = sources.sha256(path) if sources else None
            found["sha256"] = read[0] if read else checksum(Path(path))
    # A device, a pipe or a server may have no end, so of these no more is read for a checksum.
    elif sources and (known := sources.known(path)):
        found["sha256"], found["size"] = known
    return found

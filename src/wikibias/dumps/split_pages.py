"""Merges the files that one page is split over, by timestamp, then by revision id.

Wikimedia splits such a page by time: one file ends before the next starts, and the file names give
the first and the last revision. Nothing here relies on that: if the times of files overlap, the
files are read in parallel.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from heapq import heappop, heappush

from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError
from wikibias.records import Page, Revision

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

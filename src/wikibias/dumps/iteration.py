"""Iterates over the wanted pages of a part and counts them, up to the end or the first damage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError
from wikibias.records import Page, Revision, Unreadable

# Reporting progress costs as much as reading a short revision.
_REVISIONS_PER_PROGRESS_REPORT = 16
# A hostile dump may hold millions of them.
_MOST_NAMED = 100


@dataclass(slots=True)
class Tally:
    """Counts of one part. `error` is the damage that ended the reading, if any.

    `unknown_texts` includes `too_long_texts`. `steps_back_in_time` counts the revisions that are
    older than the revision before them in the dump. `unreadable` counts what could not be worked
    out, of which `first_unreadable` names the first hundred.
    """

    pages: int = 0
    revisions: int = 0
    unknown_texts: int = 0
    too_long_texts: int = 0
    steps_back_in_time: int = 0
    unreadable: int = 0
    first_unreadable: list[Unreadable] = field(default_factory=list)
    error: str | None = None

    def skip(self, what: Unreadable) -> None:
        """Count a page, a revision or a text that could not be worked out; the rest goes on."""
        self.unreadable += 1
        if len(self.first_unreadable) < _MOST_NAMED:
            self.first_unreadable.append(what)

    def add_unreadable(self, other: Tally) -> None:
        """Count and name as well what `other` has skipped."""
        self.unreadable += other.unreadable
        named = [*self.first_unreadable, *other.first_unreadable]
        self.first_unreadable = named[:_MOST_NAMED]


def iterate_pages(
    dump: Dump,
    tally: Tally,
    *,
    namespaces: Collection[int],
    limit: int | None,
    on_progress: Callable[[], None],
) -> Iterator[Page]:
    """Yield the pages in `namespaces`, at most `limit`, and count them in `tally`.

    Damage ends the iteration, also inside a page: everything before the damage is yielded, and
    `tally.error` gives the reason. `on_progress` is called every few revisions.
    """
    try:
        for page in dump.pages:
            if page.namespace not in namespaces:
                on_progress()
                continue
            tally.pages += 1
            yield replace(page, revisions=_counted(page.revisions, tally, on_progress))
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
            if latest is not None and revision.timestamp < latest:
                tally.steps_back_in_time += 1
            latest = revision.timestamp
            if not tally.revisions % _REVISIONS_PER_PROGRESS_REPORT:
                on_progress()
            yield revision
    except DumpError as error:
        tally.error = str(error)

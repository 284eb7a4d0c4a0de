"""Iterates over the wanted pages of a part and counts them, up to the end or the first damage."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError
from wikibias.mediawiki.revisions import is_intact
from wikibias.records import MOST_NAMED, Page, Revision, Unreadable

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

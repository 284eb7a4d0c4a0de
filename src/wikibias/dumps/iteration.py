"""The wanted pages of a part, counted as they go by, up to its end or to its damage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from wikibias.dumps.xml.mwxml_reader import Dump
from wikibias.errors import DumpError
from wikibias.records import Page, Revision

# To report costs as much as to read a short revision.
_OFTEN = 16


@dataclass(slots=True)
class Tally:
    """What was seen of a part. `error` is the damage that ended the reading, if any.

    Those that are too long are among the unknown texts.
    """

    pages: int = 0
    revisions: int = 0
    unknown_texts: int = 0
    too_long_texts: int = 0
    steps_back_in_time: int = 0
    error: str | None = None


def walk(
    dump: Dump,
    tally: Tally,
    *,
    namespaces: Collection[int],
    limit: int | None,
    report: Callable[[], None],
) -> Iterator[Page]:
    """Yield the pages in `namespaces`, at most `limit`, filling `tally`.

    Damage ends the walk, inside a page too: what came before it has been yielded, and the
    reason is in `tally.error`. `report` is called now and then.
    """
    try:
        for page in dump.pages:
            if page.namespace not in namespaces:
                report()
                continue
            tally.pages += 1
            yield replace(page, revisions=_counted(page.revisions, tally, report))
            if tally.error or tally.pages == limit:
                return
    except DumpError as error:
        tally.error = str(error)


def _counted(
    revisions: Iterator[Revision], tally: Tally, report: Callable[[], None]
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
            if not tally.revisions % _OFTEN:
                report()
            yield revision
    except DumpError as error:
        tally.error = str(error)

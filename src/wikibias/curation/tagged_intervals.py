"""Tagged intervals: from the edit that puts a tag into a page to the one that takes it out."""

from array import array
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wikibias.dumps.parts import dump_date
from wikibias.errors import UsageError
from wikibias.kits import parquet, schemas
from wikibias.records import Int32, Kind, Pairing

_ALWAYS = ("wiki", "page_id", "kind", "after_rev_id", "after_timestamp")
# Columns that a table of an early version may lack; where they are, every row has them.
_MOSTLY = ("page_title", "namespace", "pairing", "reverted", "diff_url")
_DAY = timedelta(days=1)
# Of a part whose dump has no known end.
_UNKNOWN = datetime.min.replace(tzinfo=UTC)
# A span is of two edits with rows of their own; an edit found by anything else changed no tag.
_NO_CHANGES = ("tagged-span", "summary-edit", "intent-edit", "featured-span")


@dataclass(frozen=True, slots=True)
class Change:
    """An edit that put tags in or took them out: the columns of `transitions` that tell of it."""

    wiki: str
    page_id: int
    page_title: str
    namespace: Int32
    kind: Kind
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    before_rev_id: int | None
    after_rev_id: int
    before_timestamp: datetime | None
    after_timestamp: datetime
    reverted: bool
    diff_url: str
    pairing: Pairing
    parent_rev_id: int | None
    restores_rev_id: int | None
    tags_left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """The columns that tell which pages a part holds."""

    wiki: str
    page_id: int
    pairing: Pairing


_CHANGES = schemas.Table("transitions", Change)
_PLACES = schemas.Table("transitions", _Place)
_page_of = attrgetter("wiki", "page_id")
_Page = tuple[str, int]


class _Range(NamedTuple):
    """The pages of a part, its newest revision, and the day of its dump."""

    wiki: str
    first: int
    last: int
    until: datetime
    day: str


def changes_by_page(
    folder: Path, ids: Collection[int] | None = None
) -> Iterator[tuple[Iterable[Change], datetime]]:
    """Yield for each page its changes, oldest first, and up to when its dump tells.

    The changes of a page must be taken before the next page. Memory holds 8 bytes for each page,
    and the changes of the pages that several parts share, which are put together. With `ids`, only
    the pages with these ids are read.

    Raises:
        UsageError: the folder holds no transitions.
        WikibiasError: a file of it is damaged.
    """
    paths = sorted((folder / "transitions").glob("*.parquet"))
    if not paths and ids is None:
        raise UsageError(
            f"{folder} holds no transitions; give a folder that `wikibias extract` or `detect` made"
        )
    shared = _shared_pages(paths) if ids is None else None
    held: dict[_Page, list[tuple[list[Change], datetime]]] = {}
    for path in paths:
        until = _end_of_dump(path)
        for page, run in groupby(_changes(path, ids), _page_of):
            if shared is None or page in shared:
                held.setdefault(page, []).append(([*run], until))
            else:
                yield run, until
    for runs in held.values():
        parts, ends = zip(*runs, strict=True)
        yield parts[0] if len(parts) == 1 else _in_order(chain(*parts)), max(ends)


class LaterDumps:
    """Tells which pages a later dump of the same wiki does not hold any more: deleted ones.

    Known where the parts note their pages and their newest revision, and their names the day of
    the dump; parts of one dump may have pages of the same range.
    """

    def __init__(self, folder: Path) -> None:
        self._ranges: list[_Range] = []
        for path in sorted((folder / "transitions").glob("*.parquet")):
            meta = parquet.read_meta(path) or {}
            until, day = _end_of_dump(path), dump_date(path.name)
            first, last = meta.get("first_page"), meta.get("last_page")
            if isinstance(first, int) and isinstance(last, int) and day:
                self._ranges.append(_Range(str(meta.get("wiki")), first, last, until, day))

    def lack(self, wiki: str, page_id: int, until: datetime) -> bool:
        """Return whether a later dump would hold a page that was seen up to a time, if it was."""
        found = [r for r in self._ranges if r.wiki == wiki and r.first <= page_id <= r.last]
        own = max((r.day for r in found if r.until == until), default=None)
        return own is not None and any(r.day > own and r.until > until for r in found)


def _shared_pages(paths: Iterable[Path]) -> set[_Page]:
    """Return the pages whose changes stand in several places."""
    ids: dict[str, array[int]] = {}
    for path in paths:
        places = (
            row for row in parquet.read_records(path, _PLACES) if row.pairing not in _NO_CHANGES
        )
        for (wiki, number), _ in groupby(places, _page_of):
            # One without a number is damage, which is told when the changes are read.
            ids.setdefault(wiki, array("q")).append(number or 0)
    found = set()
    for wiki, of_wiki in ids.items():
        numbers, counts = np.unique(np.frombuffer(of_wiki, np.int64), return_counts=True)
        found |= {(wiki, number) for number in numbers[counts > 1].tolist()}
    return found


def _end_of_dump(path: Path) -> datetime:
    """Return up to when a part tells, as its metadata say, else the name of its dump."""
    with suppress(ValueError):
        newest = datetime.fromisoformat(str((parquet.read_meta(path) or {}).get("newest")))
        return newest if newest.tzinfo else newest.replace(tzinfo=UTC)
    with suppress(ValueError):
        return datetime.strptime(dump_date(path.name) or "", "%Y%m%d").replace(tzinfo=UTC)
    return _UNKNOWN


def _changes(path: Path, ids: Collection[int] | None) -> Iterator[Change]:
    """Yield the changes in a part, perhaps only those of some pages.

    Raises:
        DamagedTableError: something is missing in a row that `detect` always writes.
    """
    with parquet.open_file(path) as file:
        needed = (*_ALWAYS, *(name for name in _MOSTLY if name in file.schema_arrow.names))
    rows = None if ids is None else parquet.rows_with(path, "page_id", ids)
    for row in parquet.read_records(path, _CHANGES, rows):
        for name in needed:
            if getattr(row, name) is None:
                raise parquet.DamagedTableError(path, f"a row has no {name}")
        if row.pairing not in _NO_CHANGES:
            yield row


def _in_order(changes: Iterable[Change]) -> list[Change]:
    """Return the changes of a page from several parts, each once, oldest first."""
    # Removals first, as `detect` writes them.
    unique = {(c.after_timestamp, c.after_rev_id, c.kind == "added", c.tags): c for c in changes}
    return [unique[place] for place in sorted(unique)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedInterval:
    """The time that a tag stood on a page without a break.

    Attributes:
        tag: the canonical tag; a change from one of its names to another ends nothing.
        alias: its name as it was put in.
        put_in: when it was put in, or was first seen where `begins_unseen`: the page had the tag in
            the first of its revisions that was read, or the edit could not be read.
        put_in_rev: the revision that has it first.
        reverted: an identity revert undid the edit that put it in.
        put_in_restores: the edit that put it in gave the page an earlier text again.
        taken_out: when it was taken out; None where it `stands`, or where that was not seen.
        taken_out_rev: the first revision without it.
        taken_out_reverted: an identity revert undid the edit that took it out.
        stands: the newest revision has it, and the page was not deleted since.
        days: from `put_in` to `taken_out`, or to `observed_until`.
        observed_until: when the dump ends; for a spell that ended unseen, when the tag was last
            seen.
    """

    wiki: str
    page_id: int
    page_title: str
    namespace: Int32
    tag: str
    alias: str
    put_in: datetime
    put_in_rev: int
    put_in_diff_url: str
    reverted: bool
    put_in_restores: bool
    begins_unseen: bool
    taken_out: datetime | None = None
    taken_out_rev: int | None = None
    taken_out_diff_url: str = ""
    taken_out_reverted: bool = False
    stands: bool = False
    days: float = 0.0
    observed_until: datetime


def tagged_intervals(
    folder: Path, pages: Collection[int] | None = None
) -> Iterator[TaggedInterval]:
    """Yield the intervals of all tags in the `transitions` of a result folder.

    Those of one page come together, in the order in which they end; the ones that stand come last.
    With `pages`, only those of the pages with these ids.

    Raises:
        UsageError: the folder holds no transitions.
        WikibiasError: a file of it is damaged.
    """
    later = LaterDumps(folder)
    for changes, until in changes_by_page(folder, pages):
        for spell in _of_page(changes, until):
            # A deleted page has no tag, though nobody took it out.
            gone = spell.stands and later.lack(spell.wiki, spell.page_id, spell.observed_until)
            yield replace(spell, stands=False) if gone else spell


def without_reverts(found: Iterable[TaggedInterval]) -> Iterator[TaggedInterval]:
    """Yield spells as the editors meant them: without what reverts undid.

    A spell whose addition was undone is left out. One whose removal was undone goes on with the
    spell that brought the tag back.
    """
    for _, of_page in groupby(found, _page_of):
        last: dict[str, TaggedInterval] = {}
        for spell in of_page:
            earlier = last.pop(spell.tag, None)
            if earlier is not None and earlier.taken_out_reverted and spell.put_in_restores:
                last[spell.tag] = _together(earlier, spell)
                continue
            if earlier is not None and not earlier.reverted:
                yield earlier
            last[spell.tag] = spell
        yield from (spell for spell in last.values() if not spell.reverted)


def _together(earlier: TaggedInterval, later: TaggedInterval) -> TaggedInterval:
    return replace(
        later,
        alias=earlier.alias,
        put_in=earlier.put_in,
        put_in_rev=earlier.put_in_rev,
        put_in_diff_url=earlier.put_in_diff_url,
        # A tag that a revert brought back was not undone, whatever became of its first edit.
        reverted=earlier.reverted and later.reverted,
        put_in_restores=earlier.put_in_restores,
        begins_unseen=earlier.begins_unseen,
        days=_days(earlier.put_in, later.taken_out or later.observed_until),
    )


def _of_page(changes: Iterable[Change], until: datetime) -> Iterator[TaggedInterval]:
    """Yield the spells of one page from its changes, oldest first.

    Each change says which tags the page had besides. So what the table does not tell shows: an
    edit whose text is damaged, or with `--per any` a tag that came while another stood.
    """
    standing: dict[str, TaggedInterval] = {}
    seen: Change | None = None
    for change in changes:
        gone = change.tags if change.kind == "removed" else ()
        for tag in (*gone, *change.tags_left):
            if tag not in standing:
                standing[tag] = _begun(change, tag, unseen=True)
        for tag in [t for t in standing if t not in change.tags and t not in change.tags_left]:
            yield _lost(standing.pop(tag), seen or change)
        for tag in gone:
            yield _ended(standing.pop(tag), change, until)
        if change.kind == "added":
            for tag in change.tags:
                if tag in standing:
                    yield _lost(standing.pop(tag), seen or change)
                standing[tag] = _begun(change, tag, unseen=_is_cut_off(change))
        seen = change
    if seen is not None:
        until = max(until, seen.after_timestamp)
        for spell in standing.values():
            yield _observed(replace(spell, page_title=seen.page_title, stands=True), until)


def _is_cut_off(change: Change) -> bool:
    """Return whether a page with tags at first had revisions before, which are not known."""
    return change.before_rev_id is None and bool(change.parent_rev_id)


def _begun(change: Change, tag: str, *, unseen: bool) -> TaggedInterval:
    """Return a spell that begins with a change, or that stood before it where that is `unseen`."""
    earlier = unseen and tag not in (change.tags if change.kind == "added" else ())
    aliases = dict(zip(change.tags, change.aliases, strict=False))
    at = (change.before_timestamp if earlier else None) or change.after_timestamp
    revision = (change.before_rev_id if earlier else None) or change.after_rev_id
    return TaggedInterval(
        wiki=change.wiki,
        page_id=change.page_id,
        page_title=change.page_title,
        namespace=change.namespace,
        tag=tag,
        alias=aliases.get(tag, tag),
        put_in=at,
        put_in_rev=revision,
        put_in_diff_url="" if earlier else change.diff_url,
        reverted=change.reverted and not earlier,
        put_in_restores=change.restores_rev_id is not None and not earlier,
        begins_unseen=unseen,
        observed_until=at,
    )


def _ended(spell: TaggedInterval, change: Change, until: datetime) -> TaggedInterval:
    at = change.after_timestamp
    return replace(
        spell,
        page_title=change.page_title,
        taken_out=at,
        taken_out_rev=change.after_rev_id,
        taken_out_diff_url=change.diff_url,
        taken_out_reverted=change.reverted,
        days=_days(spell.put_in, at),
        observed_until=max(at, until),
    )


def _lost(spell: TaggedInterval, seen: Change) -> TaggedInterval:
    """Return a spell that ended in what is not known, after the change that saw the tag last."""
    return _observed(replace(spell, page_title=seen.page_title), seen.after_timestamp)


def _observed(spell: TaggedInterval, until: datetime) -> TaggedInterval:
    return replace(spell, days=_days(spell.put_in, until), observed_until=until)


def _days(since: datetime, until: datetime) -> float:
    # The clock of a wiki may have gone back.
    return max(0.0, (until - since) / _DAY)

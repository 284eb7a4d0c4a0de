"""The changes of tags on each page of a result folder, in order, over all of its parts."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from wikibias.dumps.parts import dump_date
from wikibias.errors import UsageError
from wikibias.kits.parquet import (
    DamagedTableError,
    column_names,
    read_meta,
    read_records,
    rows_with,
)
from wikibias.kits.schemas import Table
from wikibias.records import Int32, Kind, Pairing

R = TypeVar("R", "Change", "_Place")
_ALWAYS = ("wiki", "page_id", "kind", "after_rev_id", "after_timestamp")
# Columns that a table of an early version may lack; where they are, every row has them.
_MOSTLY = ("page_title", "namespace", "pairing", "reverted", "diff_url")
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
    """The columns that tell which pages a part holds, and up to when."""

    wiki: str
    page_id: int
    pairing: Pairing
    after_timestamp: datetime
    survived_days: float | None


_CHANGES = Table("transitions", Change)
_PLACES = Table("transitions", _Place)
_Key = tuple[str, int]


@dataclass(slots=True)
class _Part:
    """One file of the table: where its first page stands, and when its dump ends."""

    path: Path
    first: _Key
    until: datetime


class _Range(NamedTuple):
    """The pages of a part, its newest revision, and the day of its dump."""

    wiki: str
    first: int
    last: int
    until: datetime
    day: str


def pages(folder: Path) -> Iterator[tuple[Iterable[Change], datetime]]:
    """Yield for each page its changes, oldest first, and up to when its dump tells.

    The changes of a page must be taken before the next page. One of which several parts hold
    changes is put together. Memory holds 8 bytes for each page, and the changes of the pages that
    several parts share.

    Raises:
        UsageError: the folder holds no transitions.
        WikibiasError: a file of it is damaged.
    """
    paths = sorted((folder / "transitions").glob("*.parquet"))
    if not paths:
        raise UsageError(
            f"{folder} holds no transitions; give a folder that `wikibias extract` or `detect` made"
        )
    parts, shared = _survey(paths)
    held: dict[_Key, tuple[list[Change], datetime]] = {}
    for part in parts:
        for key, run in groupby(_changes(part.path), lambda change: (change.wiki, change.page_id)):
            if key not in shared:
                yield run, part.until
                continue
            changes, until = held.pop(key, ([], part.until))
            held[key] = ([*changes, *run], max(until, part.until))
            shared[key] -= 1
            if not shared[key]:
                changes, until = held.pop(key)
                yield _in_order(changes), until


def pages_of(folder: Path, ids: Collection[int]) -> Iterator[tuple[Iterable[Change], datetime]]:
    """Yield the same for the pages with these ids alone; of the others little is read.

    Raises:
        WikibiasError: a file of the folder is damaged.
    """
    found: dict[_Key, list[list[Change]]] = {}
    until: dict[_Key, datetime] = {}
    for path in sorted((folder / "transitions").glob("*.parquet")):
        rows = rows_with(path, "page_id", ids)
        if rows and (changes := list(_changes(path, rows))):
            end = _end_of_dump(path) or max(part.until for part in _survey([path])[0])
            for key, run in groupby(changes, lambda change: (change.wiki, change.page_id)):
                found.setdefault(key, []).append([*run])
                until[key] = max(until.get(key, end), end)
    for key, runs in found.items():
        yield runs[0] if len(runs) == 1 else _in_order(chain.from_iterable(runs)), until[key]


class LaterDumps:
    """Tells which pages a later dump of the same wiki does not hold any more: deleted ones.

    Known where the parts note their pages and their newest revision, and their names the day of
    the dump; parts of one dump may have pages of the same range.
    """

    def __init__(self, folder: Path) -> None:
        self._ranges: list[_Range] = []
        for path in sorted((folder / "transitions").glob("*.parquet")):
            told = read_meta(path) or {}
            first, last, until = told.get("first_page"), told.get("last_page"), _end_of_dump(path)
            day = dump_date(path.name)
            if isinstance(first, int) and isinstance(last, int) and until and day:
                self._ranges.append(_Range(str(told.get("wiki")), first, last, until, day))

    def lack(self, wiki: str, page_id: int, until: datetime) -> bool:
        """Return whether a later dump would hold a page that was seen up to a time, if it was."""
        found = [r for r in self._ranges if r.wiki == wiki and r.first <= page_id <= r.last]
        own = max((r.day for r in found if r.until == until), default=None)
        return own is not None and any(r.day > own and r.until > until for r in found)


def _survey(paths: Sequence[Path]) -> tuple[list[_Part], Counter[_Key]]:
    """Return the parts in the order of their pages, and how often pages come that come again."""
    parts = []
    ids: dict[str, array[int]] = {}
    for path in paths:
        first: _Key | None = None
        until = datetime.min.replace(tzinfo=UTC)
        last: _Key | None = None
        for row in _whole(path, read_records(path, _PLACES)):
            with suppress(OverflowError, ValueError):
                until = max(until, row.after_timestamp + timedelta(days=row.survived_days or 0))
            key = (row.wiki, row.page_id)
            if row.pairing not in _NO_CHANGES and key != last:
                ids.setdefault(row.wiki, array("q")).append(row.page_id)
                first, last = first or key, key
        if first is not None:
            parts.append(_Part(path, first, max(until, _end_of_dump(path) or until)))
    parts.sort(key=lambda part: (part.first, part.path.name))
    return parts, Counter(dict(_repeated(ids)))


def _repeated(ids: Mapping[str, array[int]]) -> Iterator[tuple[_Key, int]]:
    for wiki, of_wiki in ids.items():
        numbers, counts = np.unique(np.frombuffer(of_wiki, np.int64), return_counts=True)
        for number, count in zip(numbers[counts > 1], counts[counts > 1], strict=True):
            yield (wiki, int(number)), int(count)


def _end_of_dump(path: Path) -> datetime | None:
    """Return up to when a part tells, as its metadata say, else the name of its dump."""
    if told := _time((read_meta(path) or {}).get("newest")):
        return told
    if named := dump_date(path.name):
        with suppress(ValueError):
            return datetime.strptime(named, "%Y%m%d").replace(tzinfo=UTC)
    return None


def _time(told: object) -> datetime | None:
    if not isinstance(told, str):
        return None
    with suppress(ValueError):
        found = datetime.fromisoformat(told)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


def _changes(path: Path, rows: Sequence[int] | None = None) -> Iterator[Change]:
    found = _whole(path, read_records(path, _CHANGES, rows))
    return (row for row in found if row.pairing not in _NO_CHANGES)


def _whole(path: Path, rows: Iterable[R]) -> Iterator[R]:
    """Yield rows in which nothing is missing that `detect` always writes.

    Raises:
        DamagedTableError: something is.
    """
    there: list[str] = column_names(path)
    needed = (*_ALWAYS, *(name for name in _MOSTLY if name in there))
    for row in rows:
        for name in needed:
            if getattr(row, name, "") is None:
                raise DamagedTableError(path, f"a row has no {name}")
        yield row


def _in_order(changes: Iterable[Change]) -> list[Change]:
    """Return the changes of a page from several parts, each once, oldest first."""
    # Removals first, as `detect` writes them.
    unique = {(c.after_timestamp, c.after_rev_id, c.kind == "added", c.tags): c for c in changes}
    return [unique[place] for place in sorted(unique)]

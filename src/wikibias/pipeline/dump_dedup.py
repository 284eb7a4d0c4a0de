"""What stands in several dumps of a wiki counts once: the newest dump's rows do.

Next month's full-history dump holds the same pages again. An edit is known by its revision and by
what it was found by: of the rows that say what a revision did to the tags, those of the newest dump
stay, which knows most of what came after; so do those that its summary or an intent led to. The
state of a featured article is known by the edit that began its featured time: next month another
state may have stood longest. The others are taken out of the tables of the older parts. Reading the
keys again finds nothing more to do, and so a run that was killed in the middle is mended by the
next one.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wikibias.config.choices import ROW_COUNTS, counted_as, signal_of
from wikibias.dumps.parts import Part, dump_date
from wikibias.kits import parquet, schemas
from wikibias.pipeline import jobs, stages
from wikibias.records import KEPT, MOST_NAMED

_Ids = NDArray[np.int64]
# The kind of a row, and what it was found by.
_Sort = tuple[str, str]
_NO_IDS: _Ids = np.zeros(0, np.int64)
# The columns that tell what a row is about; of `transitions` there are more.
_KEY = ["kind", "before_rev_id", "after_rev_id", "signal"]
_PAGE = ["page_id", "page_title", "pairing", "reverted"]


def _sort(row: schemas.Row) -> _Sort:
    """Return what a row says of its revision."""
    return row["kind"], row["signal"]


def _revision(row: schemas.Row) -> int:
    """Return the revision by which a row is known."""
    is_state = signal_of(row["signal"]).gives == "negatives" and row["before_rev_id"] is not None
    return int(row["before_rev_id" if is_state else "after_rev_id"])


@dataclass(slots=True)
class Repeats:
    """What the older dumps have to do with the newer ones.

    Attributes:
        rewritten: the parts that have lost rows now.
        gone_pages: pages of an older dump that a newer one does not hold, or not with these
            edits: `wiki`, `page_id` and `page_title` of the first of them.
        renamed_pages: pages with another title in a newer dump; `was` is the title in the oldest.
    """

    rewritten: list[str] = field(default_factory=list)
    gone_pages: list[dict[str, Any]] = field(default_factory=list)
    renamed_pages: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Read:
    """A part that has been read: its place among all parts, and the facts of its output."""

    part: Part
    place: int
    facts: Mapping[str, Any]

    @property
    def is_whole(self) -> bool:
        return not self.facts.get("error")

    @property
    def pages(self) -> tuple[float, float]:
        """The lowest and the highest page id; an older version noted none, so all."""
        first, last = self.facts.get("first_page"), self.facts.get("last_page")
        if first is None or last is None:
            return (0, float("inf")) if self.facts["pages"] else (0, -1)
        return first, last

    @property
    def rank(self) -> tuple[bool, str, str, int]:
        """The rank of its rows, the newest dump's highest; what is damaged may lack some."""
        newest = self.facts.get("newest") or ""
        date = dump_date(self.part.name) or newest[:10].replace("-", "")
        return self.is_whole, date, newest, self.place


@dataclass(slots=True)
class _Rows:
    """The numbers of the rows that stay, how many go, and counts of those that stay."""

    stay: array[int] = field(default_factory=lambda: array("q"))
    go: int = 0
    counts: Counter[str] = field(default_factory=Counter)


def supersede(
    folder: Path,
    parts: Sequence[Part],
    before: Mapping[str, Any] | None = None,
    *,
    with_editors: bool = False,
) -> Repeats:
    """Take out of the older parts what newer ones hold as well; see the module.

    Holds eight bytes for each transition of a wiki with parts that overlap, and the titles of the
    pages.

    Args:
        folder: the result folder, with the tables of all parts.
        parts: in order.
        before: the manifest so far, whose renamed pages are remembered.
        with_editors: whether the tables have the column on request.

    Raises:
        DiskError: a table cannot be written.
        WikibiasError: a table cannot be read.
    """
    of_wiki: dict[Any, list[_Read]] = {}
    for place, part in enumerate(parts):
        facts = jobs.recorded(folder, stages.STAGES[0], part.name)
        if facts is not None:
            of_wiki.setdefault(facts.get("wiki"), []).append(_Read(part, place, facts))
    found = Repeats()
    for wiki, reads in of_wiki.items():
        if _overlap(reads):
            known = [p for p in (before or {}).get("renamed_pages", ()) if p["wiki"] == wiki]
            _Tables(folder, with_editors).compare(wiki, reads, known, found)
    found.rewritten.sort()
    return found


def _overlap(reads: Sequence[_Read]) -> bool:
    """Return whether two parts may hold the same page."""
    ranges = sorted(read.pages for read in reads if read.pages[0] <= read.pages[1])
    return any(one[1] >= other[0] for one, other in pairwise(ranges))


class _Tables:
    """The tables of a result folder; `known` are the revisions that newer parts hold."""

    def __init__(self, folder: Path, with_editors: bool) -> None:
        self._folder, self._with_editors = folder, with_editors
        self._known: dict[_Sort, _Ids] = {}

    def compare(
        self,
        wiki: str | None,
        reads: Sequence[_Read],
        renamed_before: Sequence[Mapping[str, Any]],
        found: Repeats,
    ) -> None:
        """Take out what newer parts of a wiki hold as well, and note gone and renamed pages."""
        titles: dict[int, str] = {}
        was: dict[int, str] = {page["page_id"]: page["was"] for page in renamed_before}
        gone: dict[int, str] = {}
        newer: list[_Read] = []
        for read in sorted(reads, key=lambda read: read.rank, reverse=True):
            path = self._path(schemas.TRANSITIONS_TABLE, read.part)
            ids: defaultdict[_Sort, array[int]] = defaultdict(lambda: array("q"))
            own: dict[int, str] = {}
            for row in parquet.read_table(path, [*_KEY, *_PAGE]):
                ids[_sort(row)].append(_revision(row))
                own[row["page_id"]] = row["page_title"]
            revisions = {sort: np.frombuffer(of_sort, np.int64) for sort, of_sort in ids.items()}
            # Where no row is repeated, or ever was, the other tables need not be read.
            repeats = any(np.isin(revisions[s], self._ids(s)).any() for s in revisions)
            repeats = repeats or any(_superseded(parquet.read_meta(path) or {}).values())
            if repeats and self._take_out(read.part):
                found.rewritten.append(read.part.name)
            facts = parquet.read_meta(path) or {}  # again: they tell what has just been taken out
            ranges = [each.pages for each in newer if _follows(each, read, facts)]
            if ranges:
                was |= {p: title for p, title in own.items() if titles.get(p, title) != title}
            titles = own | titles
            for row in parquet.read_table(path, _PAGE) if ranges else ():
                if any(first <= row["page_id"] <= last for first, last in ranges):
                    gone.setdefault(row["page_id"], row["page_title"])
            for sort, of_sort in revisions.items():
                self._known[sort] = np.union1d(self._ids(sort), of_sort)
            newer.append(read)
        found.gone_pages += _named(wiki, gone)
        changed = {page: title for page, title in was.items() if titles.get(page, title) != title}
        found.renamed_pages += [
            {**page, "page_title": titles[page["page_id"]], "was": page["page_title"]}
            for page in _named(wiki, changed)
        ]

    def _path(self, table: schemas.Table[Any], part: Part) -> Path:
        return jobs.output(self._folder, table.name, part.name)

    def _ids(self, sort: _Sort) -> _Ids:
        return self._known.get(sort, _NO_IDS)

    def _take_out(self, part: Part) -> bool:
        """Take the rows of known revisions out of all tables of a part; return whether any went.

        The verdicts stand with `edits`, which is written before `rejects`: so after a kill between
        the two `rejects` still tells what is to be done.
        """
        diffs, edits, rejects = (
            self._rows(table, part)
            for table in (schemas.DIFFS_TABLE, schemas.EDITS_TABLE, schemas.REJECTS_TABLE)
        )
        changed = False
        if diffs is not None and diffs.go:
            self._write(schemas.DIFFS_TABLE, part, diffs, {})
            changed = True
        if edits is not None and rejects is not None and (edits.go or rejects.go):
            verdicts = rejects.counts + Counter({KEPT: len(edits.stay)})
            self._write(schemas.EDITS_TABLE, part, edits, {"verdicts": verdicts})
            self._write(schemas.REJECTS_TABLE, part, rejects, {"verdicts": verdicts})
            changed = True
        return self._take_out_transitions(part) or changed

    def _rows(self, table: schemas.Table[Any], part: Part) -> _Rows | None:
        """Return which rows of a table stay; None where the stage that makes it is to be done."""
        if not self._path(table, part).is_file():
            return None
        rows = _Rows()
        columns = [*_KEY, "verdict"] if table is schemas.REJECTS_TABLE else _KEY
        for number, (row, goes) in enumerate(self._marked(table, part, columns)):
            if goes:
                rows.go += 1
                continue
            rows.stay.append(number)
            if "verdict" in row:
                rows.counts[row["verdict"]] += 1
        return rows

    def _marked(
        self, table: schemas.Table[Any], part: Part, columns: list[str]
    ) -> Iterator[tuple[schemas.Row, bool]]:
        """Yield the rows of a table, and whether the revision of each is known."""
        for row in parquet.read_table(self._path(table, part), columns):
            ids, revision = self._ids(_sort(row)), _revision(row)
            at = int(np.searchsorted(ids, revision))
            yield row, at < len(ids) and bool(ids[at] == revision)

    def _take_out_transitions(self, part: Part) -> bool:
        rows, counts, left = _Rows(), jobs.RowCounts(), Counter[str]()
        marked = self._marked(schemas.TRANSITIONS_TABLE, part, [*_KEY, *_PAGE])
        for number, (row, goes) in enumerate(marked):
            if goes:
                left[counted_as(row["kind"], row["pairing"])] += 1
                continue
            rows.stay.append(number)
            counts.count(row["kind"], row["pairing"], row["signal"], undone=row["reverted"])
        if not left:
            return False
        meta = parquet.read_meta(self._path(schemas.TRANSITIONS_TABLE, part)) or {}
        earlier = _superseded(meta)
        facts = {
            **counts.by_kind(),
            "superseded": {kind: earlier[kind] + left[kind] for kind in ROW_COUNTS},
            **counts.by_intent(meta.get("intents", ())),
        }
        self._write(schemas.TRANSITIONS_TABLE, part, rows, facts)
        return True

    def _write(
        self, table: schemas.Table[Any], part: Part, rows: _Rows, facts: Mapping[str, Any]
    ) -> None:
        """Write a table anew with the rows that stay, and what its metadata say of them."""
        path = self._path(table, part)
        meta = parquet.read_meta(path) or {}
        for key, value in facts.items():
            # In the order in which the stage announced the reasons.
            in_order = key == "verdicts" and key in meta
            meta[key] = {n: value[n] for n in meta[key]} if in_order else value
        with parquet.writing(path, table, lambda: meta, with_editors=self._with_editors) as writer:
            for record in parquet.read_records(path, table, rows.stay):
                writer.write(record)


def _superseded(facts: Mapping[str, Any]) -> dict[str, int]:
    return {kind: facts.get("superseded", {}).get(kind, 0) for kind in ROW_COUNTS}


def _follows(newer: _Read, older: _Read, facts: Mapping[str, Any]) -> bool:
    """Return whether one part is a later dump of the pages of another, and so tells what is gone.

    Ranges may overlap by chance where somebody has exported single pages; then no row stands in
    both, as the `facts` of the older one tell.
    """
    dates = dump_date(newer.part.name), dump_date(older.part.name)
    if all(dates):
        return newer.is_whole and str(dates[0]) > str(dates[1])
    return newer.is_whole and any(_superseded(facts).values())


def _named(wiki: str | None, pages: Mapping[int, str]) -> list[dict[str, Any]]:
    return [
        {"wiki": wiki, "page_id": page, "page_title": pages[page]}
        for page in sorted(pages)[:MOST_NAMED]
    ]

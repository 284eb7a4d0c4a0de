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

from wikibias.config.signals import ROW_COUNTS, counted_as, signal_of
from wikibias.dumps.parts import Part, dump_date
from wikibias.kits import parquet
from wikibias.kits.schemas import DIFFS_TABLE, EDITS_TABLE, REJECTS_TABLE, TRANSITIONS_TABLE, Table
from wikibias.pipeline import stages
from wikibias.pipeline.outputs import output, recorded
from wikibias.pipeline.stages import KEPT
from wikibias.records import MOST_NAMED

_Ids = NDArray[np.int64]
# The kind of a row, and what it was found by.
_Sort = tuple[str, str]
_NO_IDS: _Ids = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class _Key:
    """The columns of `transitions` that tell what a row is about."""

    page_id: int
    page_title: str
    kind: str
    pairing: str
    before_rev_id: int | None
    after_rev_id: int
    reverted: bool
    signal: str


@dataclass(frozen=True, slots=True)
class _Compared:
    """The columns of `diffs` and `edits` that do."""

    kind: str
    before_rev_id: int | None
    after_rev_id: int
    signal: str


@dataclass(frozen=True, slots=True)
class _Rejected:
    """The same of `rejects`, and the verdict."""

    kind: str
    before_rev_id: int | None
    after_rev_id: int
    signal: str
    verdict: str


_KEYS = Table(TRANSITIONS_TABLE.name, _Key)


def _sort(row: _Key | _Compared | _Rejected) -> _Sort:
    """Return what a row says of its revision."""
    return row.kind, row.signal


def _revision(row: _Key | _Compared | _Rejected) -> int:
    """Return the revision by which a row is known."""
    if signal_of(row.signal).gives == "negatives" and row.before_rev_id is not None:
        return row.before_rev_id
    return row.after_rev_id


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
        facts = recorded(folder, stages.STAGES[0], part.name)
        if facts is not None:
            of_wiki.setdefault(facts.get("wiki"), []).append(_Read(part, place, facts))
    found = Repeats()
    for wiki, reads in of_wiki.items():
        if _overlap(reads):
            known = [p for p in (before or {}).get("renamed_pages", ()) if p["wiki"] == wiki]
            _of_wiki(folder, wiki, reads, known, found, with_editors=with_editors)
    found.rewritten.sort()
    return found


def _overlap(reads: Sequence[_Read]) -> bool:
    """Return whether two parts may hold the same page."""
    ranges = sorted(read.pages for read in reads if read.pages[0] <= read.pages[1])
    return any(one[1] >= other[0] for one, other in pairwise(ranges))


def _of_wiki(
    folder: Path,
    wiki: str | None,
    reads: Sequence[_Read],
    renamed_before: Sequence[Mapping[str, Any]],
    found: Repeats,
    *,
    with_editors: bool,
) -> None:
    known: dict[_Sort, _Ids] = {}
    titles: dict[int, str] = {}
    was: dict[int, str] = {page["page_id"]: page["was"] for page in renamed_before}
    gone: dict[int, str] = {}
    newer: list[_Read] = []
    for read in sorted(reads, key=lambda read: read.rank, reverse=True):
        path = _path(folder, _KEYS, read.part)
        ids: defaultdict[_Sort, array[int]] = defaultdict(lambda: array("q"))
        own: dict[int, str] = {}
        for key in parquet.read_records(path, _KEYS):
            ids[_sort(key)].append(_revision(key))
            own[key.page_id] = key.page_title
        revisions = {sort: np.frombuffer(of_sort, np.int64) for sort, of_sort in ids.items()}
        # Where no row is repeated, or ever was, the other tables need not be read.
        repeats = any(np.isin(revisions[s], known.get(s, _NO_IDS)).any() for s in revisions)
        repeats = repeats or any(_superseded(parquet.read_meta(path) or {}).values())
        if repeats and _take_out(folder, read.part, known, with_editors=with_editors):
            found.rewritten.append(read.part.name)
        facts = parquet.read_meta(path) or {}  # read again: they tell what has just been taken out
        ranges = [each.pages for each in newer if _follows(each, read, facts)]
        if ranges:
            was |= {page: title for page, title in own.items() if titles.get(page, title) != title}
        titles = own | titles
        for key in parquet.read_records(path, _KEYS) if ranges else ():
            if any(first <= key.page_id <= last for first, last in ranges):
                gone.setdefault(key.page_id, key.page_title)
        for sort, of_sort in revisions.items():
            known[sort] = np.union1d(known.get(sort, _NO_IDS), of_sort)
        newer.append(read)
    found.gone_pages += _named(wiki, gone)
    changed = {page: title for page, title in was.items() if titles.get(page, title) != title}
    found.renamed_pages += [
        {**page, "page_title": titles[page["page_id"]], "was": page["page_title"]}
        for page in _named(wiki, changed)
    ]


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


def _path(folder: Path, table: Table[Any], part: Part) -> Path:
    return output(folder, table.name, part.name)


def _superseded(facts: Mapping[str, Any]) -> dict[str, int]:
    return {kind: facts.get("superseded", {}).get(kind, 0) for kind in ROW_COUNTS}


def _take_out(folder: Path, part: Part, known: Mapping[_Sort, _Ids], *, with_editors: bool) -> bool:
    """Take the rows of known revisions out of all tables of a part; return whether there are any.

    The verdicts stand with `edits`, which is written before `rejects`: so after a kill between the
    two `rejects` still tells what is to be done.
    """
    changed = False
    compared = _rows(folder, Table(DIFFS_TABLE.name, _Compared), part, known)
    if compared is not None and compared.go:
        _write(folder, DIFFS_TABLE, part, compared.stay, {}, with_editors=with_editors)
        changed = True
    edits = _rows(folder, Table(EDITS_TABLE.name, _Compared), part, known)
    rejects = _rows(folder, Table(REJECTS_TABLE.name, _Rejected), part, known)
    if edits is not None and rejects is not None and (edits.go or rejects.go):
        verdicts = rejects.counts + Counter({KEPT: len(edits.stay)})
        for table, rows in ((EDITS_TABLE, edits), (REJECTS_TABLE, rejects)):
            _write(
                folder, table, part, rows.stay, {"verdicts": verdicts}, with_editors=with_editors
            )
        changed = True
    return _take_out_transitions(folder, part, known, with_editors=with_editors) or changed


@dataclass(slots=True)
class _Rows:
    """The numbers of the rows that stay, how many go, and counts of those that stay."""

    stay: array[int] = field(default_factory=lambda: array("q"))
    go: int = 0
    counts: Counter[str] = field(default_factory=Counter)


def _rows(folder: Path, table: Table[Any], part: Part, known: Mapping[_Sort, _Ids]) -> _Rows | None:
    """Return which rows of a table stay; None where the stage that makes it is still to be done."""
    path = _path(folder, table, part)
    if not path.is_file():
        return None
    rows = _Rows()
    for number, (record, goes) in enumerate(_marked(path, table, known)):
        if goes:
            rows.go += 1
            continue
        rows.stay.append(number)
        if isinstance(record, _Rejected):
            rows.counts[record.verdict] += 1
    return rows


def _marked(
    path: Path, table: Table[Any], known: Mapping[_Sort, _Ids]
) -> Iterator[tuple[Any, bool]]:
    """Yield the records of a table, and whether the revision of each is known."""
    for record in parquet.read_records(path, table):
        ids, revision = known.get(_sort(record), _NO_IDS), _revision(record)
        at = int(np.searchsorted(ids, revision))
        yield record, at < len(ids) and bool(ids[at] == revision)


def _take_out_transitions(
    folder: Path, part: Part, known: Mapping[_Sort, _Ids], *, with_editors: bool
) -> bool:
    path, rows = _path(folder, _KEYS, part), _Rows()
    left: Counter[str] = Counter()
    of_intents, undone = Counter[str](), Counter[str]()
    for number, (key, goes) in enumerate(_marked(path, _KEYS, known)):
        kind = counted_as(key.kind, key.pairing)
        if goes:
            left[kind] += 1
            continue
        rows.stay.append(number)
        rows.counts[kind] += 1
        rows.counts["reverted"] += key.reverted
        if not signal_of(key.signal).keeps_texts:
            of_intents[key.signal] += 1
            undone[key.signal] += key.reverted
    if not left:
        return False
    meta = parquet.read_meta(path) or {}
    earlier = _superseded(meta)
    counts = {kind: rows.counts[kind] for kind in (*ROW_COUNTS, "reverted")}
    superseded = {kind: earlier[kind] + left[kind] for kind in ROW_COUNTS}
    facts = {**counts, "superseded": superseded}
    for name, now in (("intents", of_intents), ("intents_reverted", undone)):
        if name in meta:  # which names the intents asked for
            facts[name] = {intent: now[intent] for intent in meta[name]}
    _write(folder, TRANSITIONS_TABLE, part, rows.stay, facts, with_editors=with_editors)
    return True


def _write(
    folder: Path,
    table: Table[Any],
    part: Part,
    rows: Sequence[int],
    facts: Mapping[str, Any],
    *,
    with_editors: bool,
) -> None:
    """Write a table anew with some of its rows, and what its metadata say of them."""
    path = _path(folder, table, part)
    meta = parquet.read_meta(path) or {}
    for key, value in facts.items():
        # In the order in which the stage announced the reasons.
        meta[key] = {n: value[n] for n in meta[key]} if key == "verdicts" and key in meta else value
    with parquet.writing(path, table, lambda: meta, with_editors=with_editors) as writer:
        for record in parquet.read_records(path, table, rows):
            writer.write(record)

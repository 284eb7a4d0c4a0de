"""Fills the texts that a dump does not hold into the transitions of a result folder.

A stub dump tells which edits are about neutrality; the two texts of each are those of the wiki
itself. What it tells is kept in the folder (`TextCache`), so that a run which was stopped
goes on and nothing is asked for twice. The tables of `transitions` keep their settings, so that
later stages take them for what `detect` has written.
"""

import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from wikibias.config.choices import INTENT, signal_of
from wikibias.dumps.parts import Part
from wikibias.dumps.web import http, wiki_api
from wikibias.errors import UsageError
from wikibias.kits import parquet, schemas, sqlite
from wikibias.kits.folders import locked, refuse_links
from wikibias.mediawiki import is_text_of
from wikibias.pipeline import jobs, manifest, stages
from wikibias.pipeline.manifest import Manifest, RunRecord
from wikibias.pipeline.settings import Settings
from wikibias.records import LONGEST_TEXT, Transition

OK = "ok"
_APPLICATION = 0
_ANEW = "remove it, then run the same command again: it asks for its texts anew"
_TABLES = """
CREATE TABLE IF NOT EXISTS texts (
    wiki TEXT NOT NULL, revision INTEGER NOT NULL, state TEXT NOT NULL, text BLOB,
    PRIMARY KEY (wiki, revision)
);
"""
_WANTED_TABLE = """
CREATE TEMP TABLE wanted (
    wiki TEXT NOT NULL, revision INTEGER NOT NULL, sha1 TEXT, year INTEGER,
    PRIMARY KEY (wiki, revision)
) WITHOUT ROWID;
"""
_UNKNOWN_TEXTS = """
FROM wanted LEFT JOIN texts USING (wiki, revision) WHERE wiki = ? AND texts.state IS NULL
"""
# UTF-8 has no longer character.
_MOST_BYTES = 4 * LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class WantedRevision:
    """A revision of which the text is wanted, with what is known of it.

    `sha1` is MediaWiki's checksum in base 36, where the dump holds one; `year` that of the edit.
    """

    wiki: str
    id: int
    sha1: str | None
    year: int


class TextCache:
    """The texts of a folder, and what of them a run wants."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute(_WANTED_TABLE)

    def want(self, revisions: Iterable[WantedRevision]) -> None:
        """Add to what is wanted."""
        rows = ((one.wiki, one.id, one.sha1, one.year) for one in revisions)
        with self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO wanted VALUES (?, ?, ?, ?)", rows)

    def wanted(self) -> int:
        """Return how many revisions are wanted."""
        return int(self._row("SELECT count(*) FROM wanted")[0])

    def missing(self, wiki: str) -> int:
        """Return of how many wanted revisions of a wiki nothing is known."""
        return int(self._row(f"SELECT count(*) {_UNKNOWN_TEXTS}", wiki)[0])

    def batches(self, wiki: str, size: int) -> Iterator[list[WantedRevision]]:
        """Yield the wanted revisions of a wiki of which nothing is known, by id, some at a time."""
        last = -1
        ask = f"SELECT wiki, revision, sha1, year {_UNKNOWN_TEXTS} AND revision > ? "
        while True:
            rows = self._connection.execute(
                f"{ask} ORDER BY revision LIMIT ?", [wiki, last, size]
            ).fetchall()
            if not rows:
                return
            last = rows[-1][1]
            yield [WantedRevision(*row) for row in rows]

    def keep(self, wiki: str, told: Sequence[tuple[int, str, str | None]]) -> None:
        """Keep what was told of some revisions: id, state, and the text where that is "ok"."""
        rows = [
            (wiki, number, state, None if text is None else zlib.compress(text.encode()))
            for number, state, text in told
        ]
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)", rows)

    def state(self, wiki: str, revision: int) -> str | None:
        """Return the state of a revision; None where nothing is known of it."""
        row = self._row("SELECT state FROM texts WHERE wiki = ? AND revision = ?", wiki, revision)
        return str(row[0]) if row else None

    def text(self, wiki: str, revision: int) -> str | None:
        """Return the text of a revision; None where there is none."""
        ask = "SELECT text FROM texts WHERE wiki = ? AND revision = ? AND state = ?"
        row = self._row(ask, wiki, revision, OK)
        if row is None:
            return None
        try:
            return zlib.decompressobj().decompress(memoryview(row[0]), _MOST_BYTES).decode()
        except (TypeError, ValueError, zlib.error) as error:
            raise sqlite3.DatabaseError(f"the text of revision {revision}: {error}") from error

    def _row(self, ask: str, *values: str | int) -> Any:
        return self._connection.execute(ask, values).fetchone()


@contextmanager
def text_cache(path: Path, *, read_only: bool = False) -> Iterator[TextCache]:
    """Open the file at `path`; with `read_only`, nothing is written, nor a file made.

    Raises:
        UsageError: the file is damaged, or is a link.
        DiskError: it cannot be written.
    """
    file = sqlite.SqliteFile(path, "texts of revisions", _ANEW, _APPLICATION, read_only)
    with file.faults(), file.opened(_TABLES) as connection:
        yield TextCache(connection)


MISMATCH, UNTOLD = "mismatch", "untold"
STATES = ("deleted", "suppressed", "lost", "too long", MISMATCH, UNTOLD)
"""Why a text is not there: what the API tells (`wiki_api.State`); it does not match the checksum of
the dump; or the wiki said nothing of it."""
# The key under which the metadata of a table tell of its texts.
FACTS = "texts"
# Called with how many revisions are known, and how many are wanted.
Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The columns of `transitions` that tell which texts are missing."""

    wiki: str
    diff_url: str
    before_rev_id: int | None
    after_rev_id: int
    before_timestamp: datetime | None
    after_timestamp: datetime
    before_text: str | None
    after_text: str | None
    before_sha1: str | None
    after_sha1: str | None
    pairing: str


_MISSING = schemas.Table(schemas.TRANSITIONS_TABLE.name, _Texts)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is to be asked for.

    Attributes:
        wanted: the revisions of which a text is missing.
        unknown: those of which the wiki has told nothing yet.
        requests: so many questions at least.
        apis: the address of the API of each wiki.
    """

    wanted: int
    unknown: int
    requests: int
    apis: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Filled:
    """What a run has done: the texts that were filled in, and why others are not there."""

    filled: int
    left: Mapping[str, int]
    parts: Sequence[str]


def look_ahead(folder: Path, api: str | None = None) -> Outlook:
    """Return what `fill_texts` would ask for; nothing is written.

    Raises:
        UsageError: see `fill_texts`.
    """
    recorded = _recorded(folder, api)
    with text_cache(folder / jobs.REVISION_TEXTS, read_only=True) as cache:
        return _outlook(folder, manifest.parts_of(recorded), cache, api)


def fill_texts(folder: Path, api: str | None, web: http.Web, report: Report) -> Filled:
    """Ask the wiki for the texts that are missing, and fill them into `transitions`.

    What later stages have made of the parts that change is removed.

    Args:
        folder: the result, with the tables of `transitions`.
        api: the address of the wiki's API; None for that of the wiki that the dump names.
        web: asks for them.
        report: takes the progress.

    Raises:
        UsageError: the folder holds no result, or is in use; or the API's address is not known.
        FetchError: the wiki cannot be reached or refuses; what it told before is kept.
        DiskError: the folder cannot be written to.
    """
    _recorded(folder, api)
    with locked(folder):
        recorded = _recorded(folder, api)
        refuse_links(folder, [table.name for stage in stages.STAGES for table in stage.writes])
        parts = manifest.parts_of(recorded)
        jobs.remove_unfinished(folder, stages.STAGES, parts)
        settings = manifest.settings_of(folder, recorded)
        with text_cache(folder / jobs.REVISION_TEXTS) as cache:
            ahead = _outlook(folder, parts, cache, api)
            _ask(cache, ahead, web, report)
            found = _fill(folder, parts, settings, cache)
        _record(folder, parts, settings, recorded, found)
        return found


def _recorded(folder: Path, api: str | None) -> Manifest:
    if api is not None:
        wiki_api.refuse_no_address(api)
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; give the one that `wikibias detect` made")
    return manifest.load_recorded(folder)


def _outlook(folder: Path, parts: Sequence[Part], cache: TextCache, api: str | None) -> Outlook:
    wikis: dict[str, str] = {}
    for part in parts:
        path = jobs.output(folder, schemas.TRANSITIONS_TABLE.name, part.name)
        if path.is_file():
            cache.want(_revisions_without_text(path, wikis))
    if api is not None and len(wikis) > 1:
        raise UsageError(
            f"{folder} holds {' and '.join(sorted(wikis))}, and --api is the address of one wiki; "
            "leave it out, or detect them into folders of their own"
        )
    unknown = {wiki: number for wiki in wikis if (number := cache.missing(wiki))}
    return Outlook(
        wanted=cache.wanted(),
        unknown=sum(unknown.values()),
        requests=sum(-(-number // wiki_api.AT_ONCE) for number in unknown.values()),
        apis={wiki: api or wiki_api.api_of(wikis[wiki]) for wiki in unknown},
    )


def _revisions_without_text(path: Path, wikis: dict[str, str]) -> Iterator[WantedRevision]:
    """Yield the revisions whose text is missing; note their wikis, with the address of a diff."""
    for row in parquet.read_records(path, _MISSING):
        if row.pairing in INTENT.pairings:
            continue
        for number, text, sha1, time in (
            (row.before_rev_id, row.before_text, row.before_sha1, row.before_timestamp),
            (row.after_rev_id, row.after_text, row.after_sha1, row.after_timestamp),
        ):
            if number is not None and text is None:
                wikis.setdefault(row.wiki, row.diff_url)
                yield WantedRevision(row.wiki, number, sha1, time.year if time else 0)


def _ask(cache: TextCache, ahead: Outlook, web: http.Web, report: Report) -> None:
    known = ahead.wanted - ahead.unknown
    report(known, ahead.wanted)
    for wiki, api in ahead.apis.items():
        for batch in cache.batches(wiki, wiki_api.AT_ONCE):
            wanted = {one.id: one for one in batch}
            told = [_checked(wanted[t.id], t) for t in wiki_api.tell(web, api, [*wanted])]
            cache.keep(wiki, told)
            known += len(told)
            report(known, ahead.wanted)


def _checked(wanted: WantedRevision, told: wiki_api.RevisionAnswer) -> tuple[int, str, str | None]:
    """Return id, state and text of what a wiki told; a text that is another one is not used."""
    if told.text is not None and not is_text_of(told.text, wanted.sha1, None, wanted.year):
        return told.id, MISMATCH, None
    return told.id, told.state, told.text


def _fill(folder: Path, parts: Sequence[Part], settings: Settings, cache: TextCache) -> Filled:
    filled, left, changed = 0, Counter[str](), list[str]()
    for part in parts:
        path = jobs.output(folder, schemas.TRANSITIONS_TABLE.name, part.name)
        meta = parquet.read_meta(path)
        if meta is None:
            continue
        # How many are known now, and why others are not.
        lacking = _revisions_without_text(path, {})
        states = Counter(cache.state(one.wiki, one.id) or UNTOLD for one in lacking)
        now, missing = states.pop(OK, 0), {name: states[name] for name in STATES if states[name]}
        facts = {"filled": meta.get(FACTS, {}).get("filled", 0) + now, **missing}
        if now:
            # First, since what was made of the rows as they were must not outlive them.
            jobs.remove_of_part(folder, stages.per_part()[1:], part.name)
            changed.append(part.name)
        if now or (missing and facts != meta.get(FACTS)):
            _rewrite(path, cache, {**meta, FACTS: facts}, settings)
        filled += now
        left.update(missing)
    return Filled(filled, {name: left[name] for name in STATES if left[name]}, changed)


def _rewrite(path: Path, cache: TextCache, meta: Mapping[str, Any], settings: Settings) -> None:
    """Write a table anew with the texts that are known now."""
    with parquet.writing(
        path, schemas.TRANSITIONS_TABLE, lambda: meta, with_editors=settings.detect.with_editors
    ) as writer:
        for row in parquet.read_records(path, schemas.TRANSITIONS_TABLE):
            writer.write(replace(row, **_told(cache, row)))


def _told(cache: TextCache, row: Transition) -> dict[str, Any]:
    """Return the texts of a row that are known now, and that their checksums are not missed."""
    made, found = row.provenance, dict[str, Any]()
    sides = (
        ("before", made.before_rev_id, row.before_text),
        ("after", made.after_rev_id, row.after_text),
    )
    for side, number, text in sides if signal_of(made.signal).keeps_texts else ():
        if number is not None and text is None:
            told = cache.text(made.wiki, number)
            found |= {} if told is None else {f"{side}_text": told, f"{side}_sha1": None}
    return found


def _record(
    folder: Path, parts: Sequence[Part], settings: Settings, recorded: Manifest, found: Filled
) -> None:
    """Write the manifest; remove what was made of all parts, where rows have changed."""
    corpus, commands = recorded.get("corpus"), recorded.get("commands", {})
    if found.parts:
        jobs.remove_all(folder, [stage for stage in stages.STAGES if stage.files])
        first = stages.STAGES[0].name
        corpus, commands = None, {name: typed for name, typed in commands.items() if name == first}
    RunRecord(
        folder,
        parts,
        settings,
        commands=commands,
        corpus=corpus,
        failures=manifest.failures_of(recorded),
        before=recorded,
    ).save()

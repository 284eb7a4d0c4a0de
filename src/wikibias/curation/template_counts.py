"""Counts of how often each template of a wiki is called, and the names that lead to it.

They come from the dump alone, in one pass over each part: calls are counted in some namespaces, and
the redirects that the Template namespace holds, or held once, are collected on the way. A tag that
stands in a parameter of a wrapper, as the tag sets of the language have it, counts as a name of its
own, `Multiple issues|weasel`.
"""

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

from wikibias import mediawiki
from wikibias.config.languages import load_mediawiki
from wikibias.dumps.compression.streams import STDIN
from wikibias.dumps.iteration import Tally, identity, iterate_pages, language_of, open_dump, traced
from wikibias.dumps.parts import Part, local_size
from wikibias.dumps.xml import fast_reader
from wikibias.dumps.xml.revision_parser import scanned_text
from wikibias.errors import DiskError, DumpError, UsageError, WikibiasError, cause_of
from wikibias.execution.pool import WorkerPool
from wikibias.execution.processes import ProgressCallback, no_progress
from wikibias.kits.checked import convert
from wikibias.kits.files import ascii_json, atomic_file, disk_errors, from_json, remove_unfinished
from wikibias.mediawiki import TEMPLATE, Namespaces, redirect_pattern, template_name
from wikibias.pipeline.dispatch import Failed, PartTask, Workers, run_tasks
from wikibias.records import Page, Revision, Unreadable
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import TagSet, load_tagset, tagset_languages, tagset_names
from wikibias.tags.template_parser import LONGEST_NAME, Call, active, calls, settled_active

Names = frozenset[str]
_CACHE_SIZE = 1 << 14
# A parameter without braces and brackets in it; a call up to what ends its name, or tells that it
# is no title: "|", "}}", a bracket, or an opening brace, which is left; else the braces alone.
_OPENING = re.compile(
    r"\{\{\{(?!\{)[^{}\[\]]*+\}\}\}"
    rf"|\{{\{{(?!\{{)[^{{}}\[\]|]{{0,{LONGEST_NAME}}}+(?:\||\}}\}}|[\[\]]|(?=\{{))"
    r"|\{\{+"
)
# Characters that the parser reads of a call which is never closed and has no bar, on one line.
_UNCLOSED_NAME = 200
# Stands for a name that an opening alone does not tell; no title is empty.
_UNTOLD = ""
# Characters that a title cannot contain (see MediaWiki's $wgLegalTitleChars).
_IMPOSSIBLE = re.compile(r"[\[\]{}|<>#\x00-\x1f\x7f]")
_MAX_BYTES = 255
# Parser functions in lower case. Most others, such as {{DEFAULTSORT:...}}, are recognised by their
# capital letters, in most languages.
_FUNCTIONS = frozenset(
    """anchorencode bidi canonicalurl filepath formatdate formatnum fullurl gender grammar int lc
    lcfirst localurl ns nse padleft padright plural special tag uc ucfirst urlencode subst
    safesubst ترتيب_افتراضي""".split()
)
# Magic words, which look like a template without parameters.
_VARIABLE = re.compile(
    r"""(?x) (?: (?:FULL|BASE|SUB|ROOT|TALK|SUBJECT|ARTICLE)?PAGENAMEE? | (?:TALK|SUBJECT|ARTICLE)
    ?SPACEE? | NAMESPACE(?:E|NUMBER)? | (?:CURRENT|LOCAL)(?:YEAR|MONTH\w*|DAY\w*|TIME\w*|HOUR|WEEK|
    DOW|VERSION) | NUMBEROF\w+ | REVISION\w+ | PAGE(?:ID|LANGUAGE) | SITENAME | SERVER(?:NAME)? |
    SCRIPTPATH | STYLEPATH | DIR(?:ECTION)?MARK | CONTENTLANG(?:UAGE)? | ! )"""
)


class TemplateNames:
    """Finds the templates that wikitexts of one wiki call.

    Leaves out parser functions, magic words, pages of other namespaces, and names that cannot be a
    title. Titles come without the namespace.

    To know calls, braces must be paired; to know their names, hardly ever. Two braces open a call
    wherever it closes, and its name ends at the first bar or at two closing braces, unless a brace
    or a bracket comes before, of which no title can be made. So a pattern tells the names, and the
    exact parser reads only the texts where that does not hold, and those with a wrapper of one of
    the tag sets: what it carries counts as well.
    """

    def __init__(self, namespaces: Namespaces, tagsets: Sequence[TagSet] = ()) -> None:
        self.namespaces = namespaces
        self._matchers = [Matcher(tagset, namespaces) for tagset in tagsets]
        self._wrappers = {key.casefold() for each in tagsets for key in each.wrappers_by_key()}
        # Every revision of a page calls nearly the same templates as the previous one.
        self._title = lru_cache(_CACHE_SIZE)(self._title_of)
        self._told = lru_cache(_CACHE_SIZE)(self._told_by)
        every = (name for names in namespaces.names.values() for name in names)
        self._has_odd_namespace = any(map(_IMPOSSIBLE.search, every))

    def of(self, text: str) -> frozenset[str]:
        """Return the titles of all templates that a text calls."""
        if "{" not in text:
            return frozenset()
        told = self._told_in(active(text))
        return self.parsed(text) if told is None else told

    def parsed(self, text: str) -> frozenset[str]:
        """Return what `of` does, by the exact parser."""
        found = list(calls(active(text)))
        named = (self._title(call.name) for call in found if len(call.name) <= LONGEST_NAME)
        return self._carried(found).union(title for title in named if title is not None)

    def _carried(self, among: Sequence[Call]) -> Names:
        """Return the tags that wrappers carry in parameters, each as `Wrapper|parameter`."""
        found = {alias for matcher in self._matchers for _, alias, _ in matcher.found(among)}
        return frozenset(mediawiki.title_key(a, ignore_case=False) for a in found if "|" in a)

    def of_piece(self, text: str, *, is_last: bool) -> frozenset[str] | None:
        """Return the titles of all templates that a piece of a text calls; None: it cannot tell.

        The piece begins where one before it ended that could tell, or the text begins. Unless it
        is the last, it ends at the end of a line. Then the text calls what its pieces call.
        """
        if "<" not in text:
            return self._told_in(text, is_last=is_last)
        shown = active(text) if is_last else settled_active(text)
        return None if shown is None else self._told_in(shown, is_last=is_last)

    def _told_in(self, shown: str, *, is_last: bool = True) -> frozenset[str] | None:
        """Return the titles that the openings in an active wikitext tell; None if one does not."""
        openings = _OPENING.findall(shown)
        if not openings:
            return frozenset()
        if self._has_odd_namespace:
            return None
        found = set(map(self._told, openings))
        if _UNTOLD in found:
            return None
        names, unclosed = frozenset(filter(None, found)), list[int]()
        if not self._wrappers.isdisjoint(map(str.casefold, names)):
            names |= self._carried(list(calls(shown, unclosed)))
        # What is open may still close behind the piece, and then hold more.
        return None if unclosed and not is_last else names

    def _told_by(self, opening: str) -> str | None:
        """Return the title that an opening tells; None for no title."""
        if opening.endswith("{"):
            return _UNTOLD
        if opening.endswith("|"):
            return self._title_of(opening[2:-1])
        if opening.endswith("}}}"):
            return None
        if opening.endswith("}}"):
            return self._title_of(opening[2:-2])
        # Whatever follows, the name holds this brace or bracket; it can be a title only if that
        # stands behind a "#", or if the call is never closed and the name ends with its line.
        name = opening[2:] if opening[-1] in "[]" else opening[2:] + "{"
        on_one_line = "\n" not in name.lstrip() and len(name) <= _UNCLOSED_NAME
        return None if on_one_line and self._title_of(name) is None else _UNTOLD

    def _title_of(self, raw: str) -> str | None:
        name = template_name(raw, self.namespaces)
        if name is None or _IMPOSSIBLE.search(name) or len(name.encode()) > _MAX_BYTES:
            return None
        if _VARIABLE.fullmatch(name):
            return None
        prefix, colon, _ = name.partition(":")
        if colon and (
            (prefix.isupper() and len(prefix) > 2)
            or prefix.replace(" ", "_").lower() in _FUNCTIONS
            or self.namespaces.knows(prefix)
        ):
            return None
        return mediawiki.title_key(name, ignore_case=False)


# The least bytes of a piece of a text, and those of all pieces that are remembered.
_SIZE, _MOST_BYTES = 2000, 1 << 24


class CalledNames:
    """Finds the titles that one revision after another calls.

    A text is cut at ends of lines into pieces of `size` bytes at least. Most of them are known from
    the revision before, so that only those with a change are read.
    """

    def __init__(self, names: TemplateNames, size: int = _SIZE) -> None:
        self._names = names
        self._size = size
        # What pieces call, escaped as in the XML; None for one that cannot tell.
        self._known: dict[bytes, Names | None] = {}
        self._bytes = 0

    def of(self, revision: Revision) -> Names:
        """Return what `TemplateNames.of` finds in the text of a revision; the text is known.

        Raises:
            DumpError: the text is not well-formed.
        """
        raw = revision.raw_text
        with suppress(ValueError):
            if raw is not None and (found := self._by_pieces(raw)) is not None:
                return found
        return self._names.of(revision.peek() or "")

    def _by_pieces(self, raw: bytes) -> Names | None:
        """Return the titles that a text calls; None if its pieces cannot tell.

        Raises:
            ValueError: a piece is not well-formed.
        """
        found = set[Names]()
        begin, size = 0, self._size
        while begin < len(raw):
            end = raw.find(b"\n", begin + size - 1) + 1 or len(raw)
            names = self._of_piece(raw[begin:end], is_last=end == len(raw))
            if names is not None:
                found.add(names)
                begin, size = end, self._size
            elif end == len(raw):
                return None
            else:
                size = 2 * (end - begin)
        return frozenset().union(*found)

    def _of_piece(self, piece: bytes, *, is_last: bool) -> Names | None:
        if is_last:
            return self._names.of_piece(scanned_text(piece), is_last=True)
        if piece not in self._known:
            self._bytes += len(piece)
            if self._bytes > _MOST_BYTES:
                self._known, self._bytes = {}, len(piece)
            self._known[piece] = self._names.of_piece(scanned_text(piece), is_last=False)
        return self._known[piece]


_MAX_IN_MEMORY = 50_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS names (
    name TEXT PRIMARY KEY, pages INTEGER, revisions INTEGER, first INTEGER, last INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS redirects (
    alias TEXT, since TEXT, target TEXT, until TEXT, PRIMARY KEY (alias, since, target)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
_ADD_NAME = """
INSERT INTO names VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
    pages = pages + excluded.pages, revisions = revisions + excluded.revisions,
    first = min(first, excluded.first), last = max(last, excluded.last)
"""
_ADD_REDIRECT = "INSERT OR REPLACE INTO redirects VALUES (?, ?, ?, ?)"
_REDIRECTS = "SELECT alias, since, target, until FROM part.redirects"


def read_about(path: Path) -> dict[str, Any]:
    """Return the description in a file of counts; {} where it is damaged, or no such file."""
    with suppress(sqlite3.Error, ValueError, RecursionError):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        with closing(db):
            if not _is_ours(db, "main"):
                return {}
            found = db.execute("SELECT value FROM about").fetchone()
        about = from_json(found[0]) if found else {}
        return about if isinstance(about, dict) else {}
    return {}


def _is_ours(db: sqlite3.Connection, schema: str) -> bool:
    """Return whether a database holds our tables and nothing else, such as views."""
    query = "SELECT type, name, sql FROM {}.sqlite_master ORDER BY name"
    with closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(_SCHEMA)
        return (
            ours.execute(query.format("main")).fetchall()
            == db.execute(query.format(schema)).fetchall()
        )


class CountsDatabase:
    """The counts of one or several parts in one SQLite file.

    Counts are collected in memory and added to the file when there are many, `max_in_memory`, so
    that memory does not grow with the wiki; the order of the additions does not change the result.
    """

    def __init__(self, path: Path, max_in_memory: int = _MAX_IN_MEMORY) -> None:
        self._path = path
        self._max_in_memory = max_in_memory
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with self._errors():
            self._db = sqlite3.connect(path)
            # Nothing here has to survive a crash: an unfinished part is counted again.
            self._db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA)
        # Of each name the pages, the revisions, and the first and the last year.
        self._names: dict[str, list[int]] = {}

    def add(self, page: Mapping[str, Sequence[int]]) -> None:
        """Add the counts of one page: name -> revisions, first and last year."""
        for name, (revisions, first, last) in page.items():
            entry = self._names.setdefault(name, [0, 0, first, last])
            entry[0] += 1
            entry[1] += revisions
            entry[2], entry[3] = min(entry[2], first), max(entry[3], last)
        if len(self._names) >= self._max_in_memory:
            self.flush()

    def add_redirect(self, alias: str, since: str, target: str, until: str) -> None:
        """Add a period in which `alias` redirected to `target`: ISO times, "" if it goes on."""
        with self._errors():
            self._db.execute(_ADD_REDIRECT, (alias, since, target, until))

    def flush(self) -> None:
        """Write the counts in memory to the file."""
        with self._errors():
            rows = ((name, *entry) for name, entry in self._names.items())
            self._db.executemany(_ADD_NAME, rows)
            self._db.commit()
        self._names.clear()

    def merge(self, part: Path) -> None:
        """Add the counts of another file.

        Raises:
            WikibiasError: it is damaged.
        """
        with self._errors(), self._damage(part):
            self._db.execute("ATTACH ? AS part", (str(part),))
            if not _is_ours(self._db, "part"):
                raise sqlite3.DatabaseError("it does not hold our tables")
            self._db.executemany(_ADD_NAME, self._db.execute("SELECT * FROM part.names"))
            self._db.executemany(_ADD_REDIRECT, self._db.execute(_REDIRECTS))
            self._db.commit()
            self._db.execute("DETACH part")

    def remember(self, about: dict[str, Any]) -> None:
        """Store a description of these counts."""
        with self._errors():
            self._db.execute(
                "INSERT OR REPLACE INTO about VALUES ('about', ?)", [ascii_json(about)]
            )
            self._db.commit()

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; only one is in memory."""
        with self._errors():
            yield from self._db.execute(query, values)

    def define(self, name: str, function: Callable[[Any], Any]) -> None:
        """Make a function of one value available to queries."""
        with self._errors():
            self._db.create_function(name, 1, function, deterministic=True)

    def run(self, script: str) -> None:
        """Run statements that prepare a query."""
        with self._errors():
            self._db.executescript(script)

    def close(self) -> None:
        """Write the counts in memory and close the file."""
        self.flush()
        self._db.close()

    @contextmanager
    def _damage(self, part: Path) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError:  # the disk is full, or the like
            raise
        except sqlite3.DatabaseError as error:
            raise WikibiasError(
                f"{part} is damaged ({error}); remove it, then run the same command again: it "
                "counts only this part again"
            ) from error

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with disk_errors(self._path):
            try:
                yield
            except sqlite3.Error as error:
                raise OSError(str(error)) from error


# Raised when what a part's file holds changes its meaning, so that old ones are made again.
_FORM = 3
# What its progress is called: that of reading a dump.
_STEP = "detect"
# The number of the namespace in which calls are counted.
_ARTICLES = 0
_TARGET_ENDS = re.compile(r"[\]|#\n]")


@dataclass(slots=True)
class Counted:
    """What was read of a part: pages and revisions in which calls were counted, and templates.

    `since` and `until` are the times (ISO) of the earliest and the latest revision. Of the pages
    that could not be counted, `unreadable` is the number, and `first_unreadable` names the first.
    """

    wiki: str | None = None
    pages: int = 0
    revisions: int = 0
    templates: int = 0
    since: str = ""
    until: str = ""
    error: str | None = None
    unreadable: int = 0
    first_unreadable: list[dict[str, Any]] = field(default_factory=list)


def count_parts(
    folder: Path,
    parts: Sequence[Part],
    *,
    workers: int = 1,
    on_progress: ProgressCallback = no_progress,
) -> list[tuple[Part, Counted]]:
    """Count each part into `folder/parts/<part>.sqlite`, where that is not done yet.

    The caller holds the lock of the folder, until the tables are written too.

    Returns:
        What was read of each part, in the order of `parts`. A damaged part has an `error`, holds
        what came before the damage, and is counted again the next time.

    Raises:
        DiskError: the folder cannot be written to.
    """
    remove_unfinished(folder / "parts")
    tagsets = with_wrappers(parts[0])
    found = {part.name: _done(folder, part, tagsets) for part in parts}
    count = partial(count_part, tagsets=tagsets)
    tasks = [PartTask(folder, part, count) for part in parts if found[part.name] is None]
    for task in tasks:
        part_file(folder, task.part).unlink(missing_ok=True)
    for part in parts:
        _post_done(part, found[part.name], on_progress)
    try:
        for part, counted in run_tasks(tasks, Workers(workers), on_progress):
            if isinstance(counted, Failed):
                found[part.name] = Counted(error=counted.reason)
                continue
            found[part.name] = counted
            _post_done(part, counted, on_progress)
    finally:
        remove_unfinished(folder / "parts")
    return [(part, done) for part in parts if (done := found[part.name]) is not None]


def _post_done(part: Part, counted: Counted | None, on_progress: ProgressCallback) -> None:
    if counted is not None:
        size = local_size(part)
        on_progress(part.name, _STEP, size, counted.pages, counted.templates)


def part_file(folder: Path, part: Part) -> Path:
    """Return where the counts of a part lie."""
    return folder / "parts" / f"{part.name}.sqlite"


def with_wrappers(part: Part) -> tuple[TagSet, ...]:
    """Return the tag sets of the language of a part that know wrappers.

    Raises:
        UsageError: one of them is broken.
    """
    try:
        lang = language_of(part)
    except UsageError:  # nothing tells it, or there are no sets
        return ()
    named = (name for name in tagset_names() if lang in tagset_languages(name))
    return tuple(found for name in named if (found := load_tagset(name, lang)).wrappers)


def count_part(
    folder: Path,
    part: Part,
    post: ProgressCallback,
    pool: WorkerPool,
    tagsets: Sequence[TagSet] = (),
) -> Counted:
    """Count one part, unpacked by as many threads as the pool has processes.

    Args:
        folder: of the result.
        part: what to count.
        post: told how far it is.
        pool: gives the number of threads.
        tagsets: those whose wrappers carry tags in parameters.

    Raises:
        DiskError: the counts cannot be written.
    """
    counted, tally = Counted(), Tally()
    path = part_file(folder, part)
    with atomic_file(path) as temporary, closing(CountsDatabase(temporary)) as store:
        try:
            _count(part, store, counted, tally, post, pool, tagsets)
        except DumpError as error:
            tally.error = str(error)
        counted.error, counted.unreadable = tally.error, tally.unreadable
        counted.first_unreadable = [asdict(page) for page in tally.first_unreadable]
        store.flush()
        store.remember({**_identity(part, tagsets), "counted": asdict(counted)})
    return counted


def _count(
    part: Part,
    store: CountsDatabase,
    counted: Counted,
    tally: Tally,
    post: ProgressCallback,
    pool: WorkerPool,
    tagsets: Sequence[TagSet],
) -> None:
    read = partial(fast_reader.read, report=tally.skip)
    with open_dump(part, read, pool.size) as (dump, source):
        counted.wiki = dump.site.wiki
        namespaces = Namespaces.of(dump.site.namespaces)
        pages = iterate_pages(
            dump,
            tally,
            namespaces={_ARTICLES, TEMPLATE},
            limit=None,
            on_progress=lambda: post(
                part.name, _STEP, source.read_bytes, counted.pages, counted.templates
            ),
        )
        counter = _Counter(store, counted, TemplateNames(namespaces, tagsets))
        for page in traced(pages, pool.trace, tally):
            try:
                counter.count(page)
            except (DumpError, DiskError):
                raise
            except Exception as error:  # whatever a stranger's page may cause
                tally.skip(Unreadable(page.title, page.id, None, cause_of(error)))


class _Counter:
    """Counts the pages of one part."""

    def __init__(self, store: CountsDatabase, counted: Counted, names: TemplateNames) -> None:
        self._store = store
        self._counted = counted
        self._namespaces = names.namespaces
        self._called = CalledNames(names)
        redirect = redirect_pattern(load_mediawiki().redirect_words)
        self._target_of = partial(_target, redirect=redirect, namespaces=names.namespaces)
        self._since = datetime.max.replace(tzinfo=UTC)
        self._until = datetime.min.replace(tzinfo=UTC)

    def count(self, page: Page) -> None:
        """Count one page: the calls of an article, the redirects of a template."""
        revisions = self._watched(page.revisions)
        if page.namespace == TEMPLATE:
            periods = Periods(self._target_of)
            for revision in revisions:
                periods.see(revision)
            _keep(self._store, page, periods, self._namespaces)
            self._counted.templates += 1
            return
        calls: dict[str, list[int]] = {}
        # Most revisions call what the one before them calls.
        for (names, year), run in groupby(self._names_and_years(revisions)):
            number = sum(1 for _ in run)
            for name in names:
                entry = calls.setdefault(name, [0, year, year])
                entry[0] += number
                entry[1], entry[2] = min(entry[1], year), max(entry[2], year)
        # Half characters are told here, and not when many pages are stored together.
        "".join(calls).encode()
        self._store.add(calls)
        self._counted.pages += 1

    def _names_and_years(
        self, revisions: Iterable[Revision]
    ) -> Iterator[tuple[frozenset[str], int]]:
        for revision in revisions:
            self._counted.revisions += 1
            if revision.has_text:
                yield self._called.of(revision), revision.timestamp.year

    def _watched(self, revisions: Iterable[Revision]) -> Iterator[Revision]:
        for revision in revisions:
            time = revision.timestamp
            if time < self._since:
                self._since, self._counted.since = time, _iso(time)
            if time > self._until:
                self._until, self._counted.until = time, _iso(time)
            yield revision


class Periods:
    """The times in which one page was a redirect, and to where; takes its revisions in order."""

    def __init__(self, target_of: Callable[[str], str | None]) -> None:
        self._target_of = target_of
        self._now: tuple[str, str] | None = None
        self._ended: list[tuple[str, str, str]] = []

    def see(self, revision: Revision) -> None:
        """Take the next revision; one whose text is not known changes nothing."""
        if revision.text is None:
            return
        target, time = self._target_of(revision.text), _iso(revision.timestamp)
        if self._now is not None and self._now[0] != target:
            self._ended.append((*self._now, time))
            self._now = None
        if target is not None and self._now is None:
            self._now = (target, time)

    def all(self) -> list[tuple[str, str, str]]:
        """Return target, since and until (ISO times; "" where it lasts) of each period."""
        return [*self._ended, (*self._now, "")] if self._now else list(self._ended)


def _target(text: str, redirect: re.Pattern[str], namespaces: Namespaces) -> str | None:
    """Return the template that a page's text redirects to, or None."""
    opening = redirect.match(text)
    if opening is None:
        return None
    raw = _TARGET_ENDS.split(text[opening.end() : opening.end() + 300], maxsplit=1)[0]
    prefix, colon, rest = mediawiki.clean_title(raw).lstrip(": ").partition(":")
    if not colon or not namespaces.has(TEMPLATE, prefix) or not rest.strip():
        return None
    return mediawiki.title_key(rest, ignore_case=False)


def _keep(store: CountsDatabase, page: Page, periods: Periods, namespaces: Namespaces) -> None:
    prefix, colon, rest = mediawiki.clean_title(page.title).partition(":")
    title = rest if colon and namespaces.has(TEMPLATE, prefix) else page.title
    alias = mediawiki.title_key(title, ignore_case=False)
    for target, since, until in periods.all():
        if target != alias:
            store.add_redirect(alias, since, target, until)


def _done(folder: Path, part: Part, tagsets: Sequence[TagSet]) -> Counted | None:
    """Return what was read of a part if it is counted already, and whole."""
    path = part_file(folder, part)
    if STDIN in part.files or not path.is_file():
        return None
    about, now = read_about(path), _identity(part, tagsets)
    if {key: about.get(key) for key in now} != now:
        return None
    counted = _counted_of(about)
    return counted if counted and not counted.error else None


def is_counted(path: Path) -> bool:
    """Return whether a file holds the counts of a part."""
    return _counted_of(read_about(path)) is not None


def _counted_of(about: Mapping[str, Any]) -> Counted | None:
    with suppress(ValueError):
        return convert(about.get("counted"), Counted)
    return None


def _identity(part: Part, tagsets: Sequence[TagSet]) -> dict[str, Any]:
    # The names of tags matter only where a wrapper takes them as values.
    told = [(t.wrappers, [w.positional and t.tags for w in t.wrappers]) for t in tagsets]
    wrappers = hashlib.sha256(repr(told).encode()).hexdigest()[:12] if told else None
    return {"form": _FORM, "wrappers": wrappers, **identity(part, None, whole=False)}


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

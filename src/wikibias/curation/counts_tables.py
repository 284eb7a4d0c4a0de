"""Writes the tables of template counts, and returns the most frequent names."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from wikibias.curation.template_counts import Counted, CountsDatabase, is_counted, part_file
from wikibias.dumps.parts import Part
from wikibias.errors import UsageError
from wikibias.kits import checked, files, parquet, tables
from wikibias.kits.schemas import Table
from wikibias.records import Int32


@dataclass(frozen=True, slots=True)
class TemplateCount:
    """A template: how many pages and revisions call it, and in which years."""

    name: str
    target: str | None
    pages: int
    revisions: int
    first_year: Int32
    last_year: Int32
    ratio: float


@dataclass(frozen=True, slots=True)
class AliasCount:
    """A name that redirects to a template: since when, until when, and how often it is called."""

    alias: str
    target: str
    since: datetime | None
    until: datetime | None
    resolved: str | None
    pages: int
    revisions: int


COUNTS = Table("counts", TemplateCount)
ALIASES = Table("aliases", AliasCount)


R = TypeVar("R")
ABOUT = "census.json"
# Chains of redirects are followed for ten steps; a longer chain is a circle.
_RESOLVE = """
CREATE TEMP TABLE now AS SELECT alias, target FROM redirects WHERE until = '';
CREATE INDEX temp.now_alias ON now (alias);
CREATE TEMP TABLE chain AS
    WITH RECURSIVE steps (alias, target, step) AS (
        SELECT alias, target, 1 FROM now UNION ALL
        SELECT steps.alias, now.target, step + 1 FROM steps JOIN now ON now.alias = steps.target
        WHERE step < 10
    ) SELECT alias, target, max(step) AS step FROM steps GROUP BY alias;
CREATE TEMP TABLE resolved AS SELECT alias, target FROM chain WHERE step < 10;
CREATE UNIQUE INDEX temp.resolved_alias ON resolved (alias);
"""
_COUNTS = """
SELECT name, target, pages, revisions, first, last, CAST(revisions AS REAL) / sum(revisions)
    OVER (PARTITION BY coalesce(target, name)) AS ratio
FROM names LEFT JOIN resolved ON alias = name ORDER BY revisions DESC, name
"""
# `resolved` is the end of the chain of redirects that starts at the target.
_ALIASES = """
SELECT redirects.alias, redirects.target, since, until,
    coalesce(further.target, redirects.target), coalesce(pages, 0), coalesce(revisions, 0)
FROM redirects LEFT JOIN resolved AS further ON further.alias = redirects.target
LEFT JOIN names ON names.name = redirects.alias
ORDER BY redirects.alias, since, redirects.target
"""
_LIKE = """
SELECT name, target, pages, revisions, first, last, CAST(revisions AS REAL) / sum(revisions) OVER ()
FROM names LEFT JOIN resolved ON alias = name WHERE like_name(name)
ORDER BY revisions DESC, name LIMIT 20
"""
_TOP = _COUNTS + " LIMIT 20"


@dataclass(frozen=True, slots=True)
class Result:
    """The summary of the counts, which `census.json` holds, and the most frequent names."""

    about: dict[str, Any]
    top: list[TemplateCount]


def write_count_tables(
    folder: Path, counted: Sequence[tuple[Part, Counted]], *, like: str | None = None
) -> Result:
    """Merge the counts of all parts and write `counts` and `aliases` as TSV and Parquet.

    Returns:
        The summary and the most frequent names. With `like`, only names that contain it,
        ignoring case; their ratio is the share of all such names (the paper's Table 1).

    Raises:
        DiskError: the folder cannot be written to.
    """
    with _merged(folder, [part for part, _ in counted]) as store:
        about = _about(store, counted)
        _write(folder, COUNTS, lambda: store.rows(_COUNTS), about)
        _write(folder, ALIASES, lambda: store.rows(_ALIASES), about)
        files.write_text(folder / ABOUT, files.to_json(about, indent=2) + "\n")
        if like is None:
            return Result(about, [TemplateCount(*row) for row in store.rows(_TOP)])
        store.define("like_name", lambda name: like.casefold() in str(name).casefold())
        return Result(about, [TemplateCount(*row) for row in store.rows(_LIKE)])


def read_about(folder: Path) -> dict[str, Any]:
    """Return the summary of the counts in a folder.

    Raises:
        UsageError: the folder holds no counts.
    """
    with suppress(OSError, ValueError):
        about: dict[str, Any] = files.read_json(folder / ABOUT)
        checked.convert(about, _About)
        return about
    raise UsageError(
        f"{folder}: no template counts; run `wikibias tags count -o {folder} DUMP` first"
    )


@dataclass(frozen=True, slots=True)
class _About:
    """What is asked of a summary."""

    wiki: str
    until: str
    parts: list[str]


def is_counts(folder: Path) -> bool:
    """Return whether a folder holds template counts, of one part at least, or their begin."""
    with suppress(UsageError):
        return bool(read_about(folder))
    parts = folder / "parts"
    # A run that is killed before its first part is done leaves no more than these.
    begun = (folder / ".lock").is_file() and _visible(folder) == ["parts"] and not _visible(parts)
    return begun or any(map(is_counted, parts.glob("*.sqlite")))


def _visible(folder: Path) -> list[str]:
    with suppress(OSError):
        return [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    return []


@contextmanager
def _merged(folder: Path, parts: Sequence[Part]) -> Iterator[CountsDatabase]:
    """Merge the counts of all parts into a temporary file; yield it open, then remove it."""
    files.remove_unfinished(folder)
    with files.scratch_file(folder) as temporary, closing(CountsDatabase(temporary)) as store:
        for part in parts:
            # A part that failed as a whole has none.
            if part_file(folder, part).is_file():
                store.merge(part_file(folder, part))
        store.run(_RESOLVE)
        yield store


def _about(store: CountsDatabase, counted: Sequence[tuple[Part, Counted]]) -> dict[str, Any]:
    (names,) = next(store.rows("SELECT count(*) FROM names"))
    (aliases,) = next(store.rows("SELECT count(DISTINCT alias) FROM redirects"))
    return {
        "wiki": ", ".join(sorted({c.wiki for _, c in counted if c.wiki})),
        "parts": [part.name for part, _ in counted],
        "pages": sum(c.pages for _, c in counted),
        "revisions": sum(c.revisions for _, c in counted),
        "templates": sum(c.templates for _, c in counted),
        "since": min((c.since for _, c in counted if c.since), default=""),
        "until": max((c.until for _, c in counted), default=""),
        "names": names,
        "aliases": aliases,
        "errors": {part.name: c.error for part, c in counted if c.error},
        "unreadable": [
            {"part": part.name, **page} for part, c in counted for page in c.first_unreadable
        ],
    }


def _write(
    folder: Path,
    table: Table[R],
    rows: Callable[[], Iterator[tuple[Any, ...]]],
    about: dict[str, Any],
) -> None:
    names = [column.name for column in table.columns]
    with (
        files.atomic_file(folder / f"{table.name}.tsv") as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
    ):
        file.write("\t".join(names) + "\n")
        file.writelines("\t".join(_plain(value) for value in row) + "\n" for row in rows())
    with parquet.writing(folder / f"{table.name}.parquet", table, lambda: about) as writer:
        for row in rows():
            cells = dict(zip(names, row, strict=True))
            times = {name: _time(cells[name]) for name in ("since", "until") if name in cells}
            writer.write(table.record_of(cells | times))


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6f}"
    return "" if value is None else tables.tsv_cell(str(value))


def _time(iso: str) -> datetime | None:
    return datetime.strptime(iso, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) if iso else None

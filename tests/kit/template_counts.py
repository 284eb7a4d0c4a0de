"""Counts the templates of synthetic dumps, for tests of curation."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from exports import Page, Revision, export, wikibias
from wikibias.mediawiki import TEMPLATE

Row = tuple[Any, ...]


def redirect(alias: str, *targets: str) -> Page:
    """Return a template page that redirected to each target in turn; "" is no redirect."""
    texts = [f"#REDIRECT [[Template:{t}]]" if t else "a box" for t in targets]
    return Page(alias, [Revision(text) for text in texts], TEMPLATE)


def counted(tmp_path: Path, *pages: Page, options: tuple[str, ...] = ()) -> dict[str, Row]:
    """Count a dump of the pages; return name -> (target, pages, revisions, first, last)."""
    dump = tmp_path / "a.xml"
    dump.write_bytes(export(pages))
    ended = wikibias("tags", "count", "-q", *options, "-o", tmp_path / "o", dump)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    table = pq.read_table(tmp_path / "o/counts.parquet").to_pylist()
    columns = ("target", "pages", "revisions", "first_year", "last_year")
    return {row["name"]: tuple(row[c] for c in columns) for row in table}


def aliases(tmp_path: Path) -> list[Row]:
    """Return alias, target, resolved target, and whether it is current, of each redirect."""
    rows = pq.read_table(tmp_path / "o/aliases.parquet").to_pylist()
    return [(r["alias"], r["target"], r["resolved"], r["until"] is None) for r in rows]

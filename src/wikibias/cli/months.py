"""Lines that say what the dumps of several months have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from wikibias.dumps.parts import dump_date
from wikibias.messages import counted
from wikibias.pipeline.manifest import OTHER_EDITS
from wikibias.records import MOST_NAMED

_MOST_SHOWN = 5


def month_lines(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield a line for the dumps, where they are of several dates, and what `repeat_lines` says."""
    dates = Counter(dump_date(entry["part"]) for entry in manifest["inputs"])
    dated = sorted(date for date in dates if date is not None)
    if len(dated) > 1:
        of_each = (f"{d[:4]}-{d[4:6]}-{d[6:]} ({counted(dates[d], 'part')})" for d in dated)
        yield f"Dumps: {', '.join(of_each)}."
    yield from repeat_lines(manifest)


def repeat_lines(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield a line for what stands in several dumps, for pages that are gone, and for renamed ones.

    There is none where nothing is to be said.
    """
    repeated = manifest.get("repeated", {})
    removed, added = repeated.get("removed", 0), repeated.get("added", 0)
    found = [counted(removed, "removal"), counted(added, "addition")] if removed or added else []
    for kind, word in OTHER_EDITS.items():
        if number := repeated.get(kind, 0):
            found.append(counted(number, word))
    if found:
        listed = " and ".join(filter(None, (", ".join(found[:-1]), found[-1])))
        yield (
            f"{listed} stand in an earlier dump as well and count once; "
            "pages and revisions are those of all dumps together."
        )
    gone, renamed = manifest.get("gone_pages", []), manifest.get("renamed_pages", [])
    if gone:
        yield (
            f"{_pages(gone)} of an earlier dump, or tagged revisions of them, are "
            f"not in the newest one; their edits stay: {_first([p['page_title'] for p in gone])}."
        )
    if renamed:
        titles = [f"{page['page_title']} (was {page['was']})" for page in renamed]
        yield f"{_pages(renamed)} with another title now: {_first(titles)}."


def _pages(named: list[dict[str, Any]]) -> str:
    return f"{'At least ' * (len(named) >= MOST_NAMED)}{counted(len(named), 'page')}"


def _first(names: list[str]) -> str:
    more = len(names) - _MOST_SHOWN
    shown = ", ".join(names[:_MOST_SHOWN])
    return shown if more <= 0 else f"{shown}, and {more:,} more (manifest.json)"

"""Puts the output of the benchmark between the markers of a page: `bench.py --update`."""

from __future__ import annotations

import re
from pathlib import Path

BEGIN = "<!-- made by scripts/bench.py {name}: begin -->"
END = "<!-- made by scripts/bench.py {name}: end -->"


def place(page: str, name: str, text: str) -> str | None:
    """Return a page with `text` between the markers of a section; None if it has no such markers.

    The heading of the output is left out, because the page has its own.
    """
    begin, end = BEGIN.format(name=name), END.format(name=name)
    before, found, rest = page.partition(f"{begin}\n")
    _, closed, after = rest.partition(f"{end}\n")
    if not found or not closed:
        return None
    body = re.sub(r"\A## [^\n]*\n+", "", text.strip())
    return f"{before}{begin}\n\n{body}\n\n{end}\n{after}"


def update(path: Path, name: str, text: str) -> bool:
    """Put the output of a section into the file; say whether it has a place for it."""
    page = place(path.read_text(encoding="utf-8"), name, text)
    if page is None:
        return False
    path.write_text(page, encoding="utf-8")
    return True

"""Replaces what a script made in a page, between two comments that name it."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "scale.md"


def replace_section(name: str, text: str, page: Path = PAGE) -> None:
    """Put a text between `<!-- made: NAME -->` and `<!-- end: NAME -->` of a page.

    Raises:
        ValueError: the page lacks the two lines.
    """
    content = page.read_text(encoding="utf-8")
    begin, end = f"<!-- made: {name} -->\n", f"<!-- end: {name} -->\n"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(content):
        raise ValueError(f"{page} has no section {name}")
    made = f"{begin}\n{text.strip()}\n\n{end}"
    page.write_text(pattern.sub(lambda _: made, content, count=1), encoding="utf-8")

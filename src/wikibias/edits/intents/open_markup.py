"""Whether a place of a line lies inside open markup, and what kind of line it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Open = Literal["link", "template", "reference", "comment"]
LineKind = Literal[
    "prose",
    "blank",
    "heading",
    "list",
    "table",
    "infobox",
    "category",
    "image",
    "interwiki",
    "preformatted",
    "rule",
]

_MARKS = re.compile(r"\[\[|\]\]|\{\{|\}\}|<!--|-->|<ref\b|</ref\b|[<>]", re.IGNORECASE)
_BRACKETS: dict[str, tuple[Open, int]] = {
    "[[": ("link", 1),
    "]]": ("link", -1),
    "{{": ("template", 1),
    "}}": ("template", -1),
    "<!--": ("comment", 1),
    "-->": ("comment", -1),
}
_ORDER: tuple[Open, ...] = ("comment", "reference", "template", "link")
_FIRST: dict[str, LineKind] = {
    "=": "heading",
    "*": "list",
    "#": "list",
    ":": "list",
    ";": "list",
    "!": "table",
    "|": "table",
    " ": "preformatted",
    "{|": "table",
    "|}": "table",
    "----": "rule",
}
_INFOBOX = re.compile(r"\|[a-zA-Z0-9 ]+=")
# A link with a prefix, and whether the line holds nothing else.
_LINK_WITH_PREFIX = re.compile(r"\[\[\s*([^\[\]|:]{1,40}):[^\[\]\n]*(\]\]\s*\Z)?")
_IMAGES = frozenset({"file", "image", "media"})


def open_markup(line: str, places: Iterable[int]) -> list[Open | None]:
    """Return what is open at each place of a line; places in ascending order.

    A link or a template is open where more were opened before the place than closed, a reference
    from its tag, the name included, to `</ref>`. Of several the outermost kind is told: a comment
    before a reference, before a template, before a link. It reads the line once.
    """
    counts: dict[Open, int] = dict.fromkeys(_ORDER, 0)
    in_tag = False
    marks = _MARKS.finditer(line)
    mark = next(marks, None)
    found: list[Open | None] = []
    for place in places:
        while mark is not None and mark.end() <= place:
            in_tag = _follow(line, mark, counts, in_tag)
            mark = next(marks, None)
        found.append(next((kind for kind in _ORDER if counts[kind] > 0), None))
    return found


def _follow(line: str, mark: re.Match[str], counts: dict[Open, int], in_tag: bool) -> bool:
    """Take the next mark; return whether the tag of a reference is open behind it."""
    text = mark[0].lower()
    if text in _BRACKETS:
        kind, step = _BRACKETS[text]
        counts[kind] += step
    elif text == "<ref":
        counts["reference"] += 1
        return True
    elif text == "</ref":
        counts["reference"] -= 1
    elif in_tag:
        if text == ">" and line[mark.start() - 1] == "/":
            counts["reference"] -= 1
        return False
    return in_tag


def line_kind(line: str) -> LineKind:
    """Return what kind of line a line of wikitext is, by how it begins."""
    if not line or line.isspace():
        return "blank"
    if _INFOBOX.match(line):
        return "infobox"
    kind = _FIRST.get(line[0]) or _FIRST.get(line[:2]) or _FIRST.get(line[:4])
    return kind or _of_link(line)


def _of_link(line: str) -> LineKind:
    found = _LINK_WITH_PREFIX.match(line)
    if found is None:
        return "prose"
    prefix = found[1].strip().lower()
    if prefix in _IMAGES:
        return "image"
    # Whatever the language calls its categories: nothing but a link stands there.
    only_a_link: LineKind = "interwiki" if found[2] else "prose"
    return "category" if prefix == "category" else only_a_link

"""Cuts a wikitext into blocks that mean the same by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

# What may open or close something, and line breaks. A lone "<" begins a broken element. Links and
# calls without markup inside are passed over whole. Python looks for a first character quickly.
_NESTING = re.compile(
    r"[\n{}\[\]<](?:(?<=<)(?:(/?+)([a-zA-Z][^\s<>/]*+)[^<>]*+>|(?=/?+[a-zA-Z]))"
    r"|(?<=\[)\[[^{}\[\]<>\n]*+\]\]|(?<=\{)\{[^{}\[\]<>\n]*+\}\}|(?<!<))"
)
_OPENED_BY = {"}": "{", "]": "["}
_VOID = frozenset("br hr wbr img meta link".split())
# The least length of a block, in characters: cleaning many short ones takes longer.
_SHORTEST = 500
# No page that somebody can read is nested deeper, and to look through all that is open takes time.
_DEEPEST = 100


def markup_blocks(wikitext: str, shortest: int = _SHORTEST) -> Iterator[str]:
    """Cut a wikitext without comments into blocks that mean the same by themselves.

    Each has at least the `shortest` number of characters, and ends with a line after which no
    bracket, brace or element is open. Where they cross, or one is never closed, the rest is one.
    """
    opened: list[str] = []
    begin = 0
    for token in _NESTING.finditer(wikitext):
        what = token.group()
        if what == "\n":
            if not opened and token.end() - begin >= shortest:
                yield wikitext[begin : token.end()]
                begin = token.end()
        elif what in "{[":
            opened.append(what)
        elif what[0] in "{[":
            continue
        elif what in _OPENED_BY:
            # What closes nothing is plain text.
            if _OPENED_BY[what] in opened and opened.pop() != _OPENED_BY[what]:
                break
        elif not _follow(token, opened):
            break
        if len(opened) > _DEEPEST:
            break
    yield wikitext[begin:]


def _follow(tag: re.Match[str], opened: list[str]) -> bool:
    """Follow an element's tag in what is `opened`; False where it is not clear what it does."""
    what, name = tag.group(), (tag[2] or "").lower()
    # In quotation marks, ">" and "/" end nothing.
    if not name or what.count('"') % 2 or what.count("'") % 2:
        return False
    if what.endswith("/>") or name in _VOID or (not opened and tag[1]):
        return True
    if tag[1]:
        return opened.pop() == name
    # No element but an address in angle brackets.
    if ":" not in name:
        opened.append(name)
    return True

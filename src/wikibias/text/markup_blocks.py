"""Cuts a wikitext into blocks that mean the same by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wikibias.text.parser_cost import Cost, parsing_cost

# What may open or close something, and line breaks. A lone "<" begins a broken element. Links and
# calls without markup inside are passed over whole. Python looks for a first character quickly.
_NESTING = re.compile(
    r"[\n{}\[\]<](?:(?<=<)(?:(/?+)([a-zA-Z][^\s<>/]*+)[^<>]*+>|(?=/?+[a-zA-Z]))"
    r"|(?<=\[)\[[^{}\[\]<>\n]*+\]\]|(?<=\{)\{[^{}\[\]<>\n]*+\}\}|(?<!<))"
)
_OPENED_BY = {"}": "{", "]": "["}
_VOID = frozenset("br hr wbr img meta link".split())
# The least length of a block, in characters: many short ones take longer, but of long ones an edit
# leaves more to be cleaned again.
_SHORTEST = 100
# No page that somebody can read is nested deeper, and to look through all that is open takes time.
_DEEPEST = 100
# What a cutter remembers, in characters, and of how many a block may have: a page of broken markup
# is one.
_MOST_REMEMBERED = 4_000_000
_LONGEST = 20_000


def markup_blocks(wikitext: str, shortest: int = _SHORTEST) -> Iterator[str]:
    """Cut a wikitext without comments into blocks that mean the same by themselves.

    Each has at least the `shortest` number of characters, and ends with a line after which no
    bracket, brace or element is open. Where they cross, or one is never closed, the rest is one.
    """
    begin = 0
    while (end := _end(wikitext, begin, shortest)) is not None:
        yield wikitext[begin:end]
        begin = end
    yield wikitext[begin:]


@dataclass(slots=True, eq=False)
class Block:
    """A block, what it costs to parse, what followed on it last, and what it shows, if known."""

    text: str
    cost: Cost
    following: Block | None = None
    shown: str | None = None


class BlockCutter:
    """Cuts texts as `markup_blocks` does, but reads only what it has not read before.

    Where a block ends depends on nothing but what stands in it. So where a text goes on as it did
    behind the same block before, it is cut there again. Remembers a bounded number of characters.
    """

    def __init__(self, shortest: int = _SHORTEST, most: int = _MOST_REMEMBERED) -> None:
        self._shortest, self._most, self._chars = shortest, most, 0
        self._forget()

    def __call__(self, wikitext: str) -> list[Block]:
        """Return the blocks of a wikitext without comments."""
        blocks: list[Block] = []
        begin, last = 0, self._first
        while True:
            block = last.following
            if block is None or wikitext[begin : begin + len(block.text)] != block.text:
                end = _end(wikitext, begin, self._shortest)
                block = self._block(wikitext[begin:end])
                if end is None:
                    return [*blocks, block]
                if len(block.text) <= _LONGEST:
                    last.following = block
            blocks.append(block)
            begin += len(block.text)
            last = block

    def _block(self, text: str) -> Block:
        block = self._known.get(text)
        if block is None:
            block = Block(text, parsing_cost(text))
            if len(text) <= _LONGEST:
                self._chars += len(text)
                if self._chars > self._most:
                    self._forget()
                    self._chars = len(text)
                self._known[text] = block
        return block

    def _forget(self) -> None:
        self._first, self._known, self._chars = Block("", Cost(0, 0)), dict[str, Block](), 0


def _end(wikitext: str, begin: int, shortest: int) -> int | None:
    """Return where the block that begins here ends; None where that is the end of the text."""
    opened: list[str] = []
    for token in _NESTING.finditer(wikitext, begin):
        what = token.group()
        if what == "\n":
            if not opened and token.end() - begin >= shortest:
                return token.end()
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
    return None


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

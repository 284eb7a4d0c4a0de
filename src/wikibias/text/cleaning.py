"""Cleaning of wikitext to paragraphs of plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from wikibias.execution.isolation import Isolated, IsolationError
from wikibias.records import Paragraph
from wikibias.text import markup_tree
from wikibias.text.parser_cost import Cost, parsing_cost
from wikibias.text.parsing import Rules, parsed_text, request
from wikibias.text.tidying import paragraphs, without_marks

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


@dataclass(slots=True, eq=False)
class Block:
    """A block, what it costs to parse, what followed on it last, and what it shows, if known."""

    text: str
    cost: Cost
    following: Block | None = None
    shown: str | None = None


class BlockCutter:
    """Cuts wikitexts without comments into blocks that mean the same by themselves.

    Each has at least the `shortest` number of characters, and ends with a line after which no
    bracket, brace or element is open. Where they cross, or one is never closed, the rest is one.

    It reads only what it has not read before. Where a block ends depends on nothing but what stands
    in it. So where a text goes on as it did behind the same block before, it is cut there again.
    Remembers a bounded number of characters.
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


__all__ = ["Rules", "UnreadableError", "visible_paragraphs"]

# Every pattern takes time that grows with the length only, whatever it is given.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# -{text}-, -{zh-hans:text; zh-hant:text}- and -{flags|...}-: Chinese in two scripts. MediaWiki's
# flags H and T and - show nothing.
_VARIANTS = re.compile(r"-\{(?!\{)(?:([-+;\sA-Za-z]{0,40})\|)?+([^{}]*+)\}-")
_VARIANT = re.compile(
    r"\s*+zh(?:-[a-z]++)?+\s*+:(.*?)(?:;\s*+(?:zh(?:-[a-z]++)?+\s*+:|\Z)|\Z)", re.DOTALL
)
_SHOW_NOTHING = frozenset("HT-")
# No text of a wiki holds them, but a string may.
_NO_CHARACTER = re.compile(r"[\0\ud800-\udfff]")
# Of all marks.
_FIRST_BYTE = b"\xef"
# What parsing a text may take, as `parsing_cost` counts it: for any text, more for each character,
# and never more than. Real articles take a tenth; those full of cells or elements take a half.
_NANOSECONDS = 1_000_000_000
_NANOSECONDS_PER_CHARACTER = 7_600
_MOST_NANOSECONDS = 7_000_000_000
# The stack of the parser holds so many.
_MOST_SIGNS = 2_000
# Depth, doubts and signs of markup beyond doubt. What has more is parsed by a process of its own.
_PLAIN = 16, 8, 400
# Limits of that process, far above what the budget lets through.
_parsed_apart = Isolated(
    "wikibias.text.parsing:serve_parsed_text", cpu_seconds=20, seconds=200, memory=4 << 30
)


class UnreadableError(ValueError):
    """A wikitext that is too long, or so broken that parsing it would take for ever.

    `is_limit` says that it is only longer than a setting allows.
    """

    is_limit = False


def visible_paragraphs(wikitext: str, rules: Rules) -> list[Paragraph]:
    """Return the paragraphs and list items that a reader sees, without those that are empty.

    No templates, references, tables, file or category links, headings, list markers, HTML or
    magic words; entities are resolved and the text of links is kept (2019 paper, section 3.3).
    Whoever wrote the wikitext, 100 KB take two seconds at most, and 2 MB ten.

    Raises:
        UnreadableError: longer than `rules.max_chars`, or broken beyond what can be parsed.
    """
    if len(wikitext) > rules.max_chars:
        error = UnreadableError(f"longer than {rules.max_chars:,} characters")
        error.is_limit = True
        raise error
    wikitext = without_comments(wikitext)
    blocks = _cutter(rules)(wikitext)
    _check_costs(blocks, len(wikitext))
    for block in blocks:
        if block.shown is None:
            block.shown = _block_text(block.text, block.cost, rules)
    raw = "".join([block.shown or "" for block in blocks])
    return list(paragraphs(raw, rules.sections))


@lru_cache(4)
def _cutter(_: Rules) -> BlockCutter:
    """Return what remembers the blocks of a wiki; two revisions share nearly all of them."""
    return BlockCutter()


def without_comments(wikitext: str) -> str:
    """Return a wikitext without comments, other scripts of Chinese, and what is no character."""
    try:
        encoded = wikitext.encode()
    except UnicodeEncodeError:
        wikitext = _NO_CHARACTER.sub("\ufffd", wikitext)
        encoded = wikitext.encode()
    # Single bytes are looked for fastest.
    if b"\0" in encoded:
        wikitext = wikitext.replace("\0", "\ufffd")
    wikitext = _COMMENT.sub("", wikitext)
    if _FIRST_BYTE in encoded:
        wikitext = without_marks(wikitext)
    return _VARIANTS.sub(_first_variant, wikitext)


def _check_costs(blocks: list[Block], length: int) -> None:
    costs = [block.cost for block in blocks]
    linear = sum(cost.linear for cost in costs)
    budget = min(_NANOSECONDS + _NANOSECONDS_PER_CHARACTER * length, _MOST_NANOSECONDS)
    worst = max(costs, key=lambda cost: cost.nanoseconds)
    if worst.signs > _MOST_SIGNS:
        raise UnreadableError("a heading with too many equals signs")
    if linear > budget:
        raise UnreadableError("too much markup")
    if sum(cost.nanoseconds for cost in costs) > budget:
        deep = worst.depth > 2 * worst.doubtful
        raise UnreadableError("markup nested too deeply" if deep else "too much unclosed markup")


def _block_text(block: str, cost: Cost, rules: Rules) -> str:
    """Return what a reader sees of a block, which takes longer than all else."""
    if _is_plain(cost):
        try:
            return parsed_text(block, rules)
        except ValueError as error:
            raise UnreadableError(str(error)) from error
    try:
        answer = _parsed_apart(request(block, rules))
    except IsolationError as error:
        raise UnreadableError("markup that ended its parser") from error
    if not answer:
        raise UnreadableError("markup nested too deeply")
    return answer[1:].decode()


def _is_plain(cost: Cost) -> bool:
    depth, doubts, signs = _PLAIN
    return cost.depth <= depth and cost.doubtful <= doubts and cost.signs <= signs


def stop_parser() -> None:
    """End the process that parses doubtful markup; the next such markup starts another."""
    _parsed_apart.stop()


def _first_variant(marked: re.Match[str]) -> str:
    flags, text = marked.groups(default="")
    if _SHOW_NOTHING & {flag.strip() for flag in flags.split(";")}:
        return ""
    variant = _VARIANT.match(text)
    return variant.group(1).strip() if variant else text


def without_markup(wikitext: str) -> str:
    """Return a piece of wikitext without templates and markup; the text of links is kept.

    Raises:
        ValueError: the markup is nested too deeply, or too much of it is never closed.
    """
    cost = parsing_cost(wikitext)
    if not _is_plain(cost) or cost.nanoseconds > _NANOSECONDS:
        raise ValueError("too much unclosed markup")
    return markup_tree.stripped(wikitext).strip()

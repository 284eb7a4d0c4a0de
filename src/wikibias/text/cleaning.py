"""Cleaning of wikitext to paragraphs of plain text, by a parser or by patterns alone.

What no parser can be asked to parse, `plain_visible_paragraphs` reads once, from begin to end, with
a stack of what is open. So it takes time that grows with the length only, whatever somebody wrote,
and never fails. What is never closed is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from wikibias.execution.processes import Isolated, IsolationError
from wikibias.records import Paragraph
from wikibias.text import markup_tree, parsing, tidying
from wikibias.text.parsing import ADDRESS, VOID, Cost, Rules, parsing_cost

# What may open or close something, and line breaks. A lone "<" begins a broken element. Links and
# calls without markup inside are passed over whole. Python looks for a first character quickly.
_NESTING = re.compile(
    r"[\n{}\[\]<](?:(?<=<)(?:(/?+)([a-zA-Z][^\s<>/]*+)[^<>]*+>|(?=/?+[a-zA-Z]))"
    r"|(?<=\[)\[[^{}\[\]<>\n]*+\]\]|(?<=\{)\{[^{}\[\]<>\n]*+\}\}|(?<!<))"
)
_OPENED_BY = {"}": "{", "]": "["}
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
    if what.endswith("/>") or name in VOID or (not opened and tag[1]):
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
    return list(tidying.paragraphs(raw, rules.sections))


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
        wikitext = tidying.without_marks(wikitext)
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
            return parsing.parsed_text(block, rules)
        except ValueError as error:
            raise UnreadableError(str(error)) from error
    try:
        answer = _parsed_apart(parsing.request(block, rules))
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


_TOKEN = re.compile(
    r"[{}\[\]<\n](?:(?<=\{)\{|(?<=\})\}|(?<=\])\]?+"
    rf"|(?<=\[)(?:\[|(?P<address>{ADDRESS})[^\s\[\]<>{{}}]*+[ \t]*+(?=[^\[\]\n]*+\]))"
    r"|(?<=<)(?P<end>/?+)(?P<name>[a-zA-Z][a-zA-Z0-9]*+)(?P<rest>[^<>]*+)>"
    r"|(?<=\n)[ \t:]*+(?:\{\||\|\}(?!\})))"
)
# An address without a caption vanishes, but not what ends its sentence.
_URL = re.compile(r"\b(?:https?|ftp)://[^\s\[\]<>{}|\"]*+", re.IGNORECASE)
_LIST = re.compile(r"(?m)^[*#;:]++")
_RULE = re.compile(r"(?m)^-{4,}+")
_ENTITY = re.compile(r"&(?:#(?:([0-9]{1,8}+)|[xX]([0-9a-fA-F]{1,8}+))|([a-zA-Z0-9]{1,8}+));")
_UNREAD = frozenset(("nowiki", "pre"))
# {{{name|default}}}, as a template has it.
_ARGUMENT = re.compile(r"\{\{\{[^{}|\n]*+(?:\|([^{}]*+))?+\}\}\}")
# How many names of elements that have no end are tried, each to the end of the wikitext.
_MOST_ENDLESS = 50


def plain_visible_paragraphs(wikitext: str, rules: Rules) -> list[Paragraph]:
    """Return about what `visible_paragraphs` does; never fails.

    Of the lines of ordinary articles, 997 of 1,000 are the same.
    """
    wikitext = _ARGUMENT.sub(r"\1", without_comments(wikitext))
    raw = _Reading("\n" + wikitext, rules).text()
    raw = _URL.sub(lambda m: tidying.SEAM + m[0][len(m[0].rstrip(",;\\.:!?)")) :], raw)
    raw = "\n".join(_without_heading(line) for line in raw.split("\n"))
    raw = _LIST.sub(
        lambda m: tidying.BREAK + tidying.ITEM + tidying.INDENTED * m[0].endswith(":"), raw
    )
    raw = _RULE.sub(tidying.BREAK, raw)
    return list(tidying.paragraphs(_ENTITY.sub(_character, raw), rules.sections))


def _without_heading(line: str) -> str:
    stripped = line.strip()
    if not (line.startswith("=") and len(stripped) > 2 and stripped.endswith("=")):
        return line
    title = stripped.strip("=")
    signs = min(
        len(stripped) - len(stripped.lstrip("=")), len(stripped) - len(stripped.rstrip("="))
    )
    return parsing.heading(min(max(signs, 1), 6), title)


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name:
        return parsing.named_character(name) or entity.group()
    return parsing.character(int(decimal) if decimal else int(hexadecimal, 16))


class _Reading:
    """One pass over a wikitext: what is open, each with what it shows so far."""

    def __init__(self, wikitext: str, rules: Rules) -> None:
        self._wikitext = wikitext
        self._rules = rules
        # Mark that opened it, and its pieces of text; the first is the page.
        self._open: list[tuple[str, list[str]]] = [("", [])]
        self._counts = {"{{": 0, "[[": 0, "{|": 0}
        # Elements without a further end, so that none is looked for twice.
        self._endless: set[str] = set()
        self._addresses = 0

    def text(self) -> str:
        """Return the text of the page, with the markup of lines and entities."""
        position = 0
        while position >= 0:
            position = self._read_from(position)
        while len(self._open) > 1:
            self._give_up()
        return "".join(self._open[0][1])

    def _read_from(self, position: int) -> int:
        """Read until something is passed over; return where to read on, or -1 at the end."""
        for token in _TOKEN.finditer(self._wikitext, position):
            self._show(self._wikitext[position : token.start()])
            position = token.end()
            end = self._element(token) if token["name"] else self._placeholder(token)
            if end != position:
                return end
        self._show(self._wikitext[position:])
        return -1

    def _show(self, text: str) -> None:
        self._open[-1][1].append(text)

    def _placeholder(self, token: re.Match[str]) -> int:
        what, end = token.group(), token.end()
        if token["address"]:
            self._addresses += 1
        elif what in ("{{", "[["):
            self._begin(what)
        elif what.endswith("{|"):
            self._show("\n")
            self._begin("{|")
        elif what == "}}":
            self._end("{{", what)
        elif what.endswith("|}"):
            self._end("{|", what)
        elif self._addresses and not (what == "]]" and self._open[-1][0] == "[["):
            self._addresses -= 1
            return token.start() + 1
        elif what == "]]":
            self._end("[[", what)
        else:
            self._show(what)
        return end

    def _begin(self, mark: str) -> None:
        if len(self._open) < _DEEPEST:
            self._open.append((mark, []))
            self._counts[mark] += 1
        else:
            self._show(mark)

    def _end(self, mark: str, written: str) -> None:
        """End the innermost of a kind. A link ends nothing that it did not begin in."""
        if not self._counts[mark] or (mark == "[[" and self._open[-1][0] != mark):
            self._show(written)
            return
        while self._open[-1][0] != mark:
            self._give_up()
        _, pieces = self._open.pop()
        self._counts[mark] -= 1
        if mark == "{|":
            self._show(tidying.BREAK)
        else:
            content = "".join(pieces)
            self._show(self._call(content) if mark == "{{" else self._link(content))

    def _give_up(self) -> None:
        """Take what is never closed for text."""
        mark, pieces = self._open.pop()
        self._counts[mark] -= 1
        self._open[-1][1].append(mark)
        self._open[-1][1].extend(pieces)

    def _call(self, content: str) -> str:
        written, *parts = content.split("|")
        known = self._rules.templates.find(written.strip())
        values = dict(_parameters(parts)) if known.form else {}
        shown = known.form.shown(known.name, lambda p: values.pop(p, "")) if known.form else ""
        return parsing.shown_call(known, shown, lambda: "\n" in content)

    def _link(self, content: str) -> str:
        title, bar, text = content.partition("|")
        title = title.strip()
        if not parsing.is_shown_link(title, self._rules):
            return tidying.SEAM
        return text if text.strip() else parsing.shown_title(title, is_short=bool(bar))

    def _element(self, token: re.Match[str]) -> int:
        name, end = token["name"].lower(), token.end()
        apart = tidying.BREAK, tidying.BREAK
        begin_mark, end_mark = apart if name in ("table", "gallery") else parsing.edges(name, "")
        is_hidden = name in parsing.HIDDEN or bool(parsing.NOT_DISPLAYED.search(token["rest"]))
        is_whole = is_hidden or name in _UNREAD or name in parsing.HEADINGS
        if token["end"]:
            self._show(end_mark)
            return end
        if name == "br":
            self._show(tidying.LINE_BREAK)
            return end
        if token["rest"].endswith("/"):
            self._show(begin_mark and tidying.BREAK)
            return end
        if not is_whole:
            self._show(begin_mark)
            return end
        closing = None
        if name not in self._endless and len(self._endless) < _MOST_ENDLESS:
            closing = re.compile(rf"</{name}\s*+>", re.IGNORECASE).search(self._wikitext, end)
        if closing is None:
            self._endless.add(name)
            self._show(begin_mark)
            return end
        content = self._wikitext[end : closing.start()]
        if name in parsing.HEADINGS:
            content = parsing.heading(int(name[1]), content)
        self._show(f"{begin_mark}{tidying.SEAM if is_hidden else content}{end_mark}")
        return closing.end()


def _parameters(parts: list[str]) -> Iterator[tuple[str, str]]:
    number = 0
    for part in parts:
        name, equals, value = part.partition("=")
        number += not equals
        yield (name.strip(), value) if equals else (str(number), part)

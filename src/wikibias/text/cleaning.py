"""Wikitext to the text a reader sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, cast

from wikibias.execution.isolation import Isolated, IsolationError
from wikibias.mediawiki import titles
from wikibias.text.markup_blocks import markup_blocks
from wikibias.text.parser_cost import Cost, parsing_cost
from wikibias.text.parsing import ITEM, Rules, parsed_text, request

__all__ = ["Rules", "UnreadableError", "visible_text"]

# Every pattern takes time that grows with the length only, whatever it is given.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LEFT_OVER_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_MAGIC_WORD = re.compile(r"__[^\W\d_]{3,40}__")
_TABLE_LINE = re.compile(r"(?m)^[ \t:]*+(?:\{\||\|\}|\||!(?=.*(?:!!|\|)))[^\n]*+$")
_QUOTES = re.compile(r"'{2,}+")
_EMPTY_BRACKETS = re.compile(r"\(\s*+(?:[;,:]\s*+)?+\)|\[\s*+\]|（[\s、，；：;,:]*+）")
_BRACKET_START = re.compile(r"(\()\s*+[;,]\s*+|(（)[\s、，；;,]++")
_SPACE_BEFORE_STOP = re.compile(r"(?<!\s)\s++(?=[.,)](?:\s|$))")
# -{text}-, -{zh-hans:text; zh-hant:text}- and -{flags|...}-: Chinese in two scripts. MediaWiki's
# flags H and T and - show nothing.
_VARIANTS = re.compile(r"-\{(?!\{)(?:([-+;\sA-Za-z]{0,40})\|)?+([^{}]*+)\}-")
_VARIANT = re.compile(
    r"\s*+zh(?:-[a-z]++)?+\s*+:(.*?)(?:;\s*+(?:zh(?:-[a-z]++)?+\s*+:|\Z)|\Z)", re.DOTALL
)
_SHOW_NOTHING = frozenset("HT-")
_BETWEEN = re.compile(r"\n\s*\n")
# No text of a wiki holds them, but a string may.
_NO_CHARACTER = re.compile(r"[\0\ud800-\udfff]")
# How many blocks to remember, and how long ones, in characters: a page of broken markup is one
# block, another one in each revision.
_REMEMBERED = 1024
_LONGEST = 20_000
# What parsing a text may take, as `parsing_cost` counts it: for any text, more for each character,
# and never more than. Real articles take a tenth; those full of cells or elements take a half.
_NANOSECONDS = 1_000_000_000
_NANOSECONDS_PER_CHARACTER = 7_600
_MOST_NANOSECONDS = 7_000_000_000
# The stack of the parser holds so many.
_MOST_SIGNS = 2_000
# Markup of one piece that is beyond doubt. What has more is parsed by a process of its own.
_PLAIN_DEPTH, _PLAIN_DOUBTS, _PLAIN_SIGNS = 16, 8, 400
# Limits of that process, far above what the budget lets through.
_parsed_apart = Isolated(
    "wikibias.text.parsing:serve_parsed_text", cpu_seconds=20, seconds=200, memory=4 << 30
)


class UnreadableError(ValueError):
    """A wikitext that is too long, or so broken that parsing it would take for ever.

    `is_limit` says that it is only longer than a setting allows.
    """

    is_limit = False


def visible_text(wikitext: str, rules: Rules) -> str:
    """Return the text a reader sees, one paragraph or list item a line.

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
    blocks = list(markup_blocks(wikitext))
    _check_costs(blocks, len(wikitext))
    raw = "".join([_remembering(_cleaned, block)(block, rules) for block in blocks])
    return "\n".join(paragraphs(raw))


def without_comments(wikitext: str) -> str:
    """Return a wikitext without comments, other scripts of Chinese, and what is no character."""
    try:
        wikitext.encode()
    except UnicodeEncodeError:
        wikitext = _NO_CHARACTER.sub("\ufffd", wikitext)
    if "\0" in wikitext:
        wikitext = wikitext.replace("\0", "\ufffd")
    return _VARIANTS.sub(_first_variant, _COMMENT.sub("", wikitext).replace(ITEM, ""))


def _remembering(function: Any, text: str) -> Callable[..., Any]:
    """Return a function that remembers, or for a long text what it does without remembering."""
    return cast(Callable[..., Any], function if len(text) <= _LONGEST else function.__wrapped__)


def _check_costs(blocks: list[str], length: int) -> None:
    costs: list[Cost] = [_remembering(_cost, block)(block) for block in blocks]
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


@lru_cache(_REMEMBERED)
def _cost(block: str) -> Cost:
    return parsing_cost(block)


@lru_cache(_REMEMBERED)
def _cleaned(block: str, rules: Rules) -> str:
    """Return what a reader sees of a markup block; two revisions share nearly all of them.

    mwparserfromhell takes longer than all else that is done to a revision.
    """
    cost = _remembering(_cost, block)(block)
    if cost.depth <= _PLAIN_DEPTH and cost.doubtful <= _PLAIN_DOUBTS and cost.signs <= _PLAIN_SIGNS:
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


def stop_parser() -> None:
    """End the process that parses doubtful markup; the next such markup starts another."""
    _parsed_apart.stop()


def _first_variant(marked: re.Match[str]) -> str:
    flags, text = marked.groups(default="")
    if _SHOW_NOTHING & {flag.strip() for flag in flags.split(";")}:
        return ""
    variant = _VARIANT.match(text)
    return variant.group(1).strip() if variant else text


def paragraphs(raw: str) -> Iterator[str]:
    """Yield the paragraphs of a text without the markup of nodes; `ITEM` begins a list item."""
    # In letters without cases, as in __目次__, the word is its own upper case.
    raw = _MAGIC_WORD.sub(lambda m: "" if m.group() == m.group().upper() else m.group(), raw)
    raw = _LEFT_OVER_TAG.sub(" ", _TABLE_LINE.sub("", raw))
    *lines, last = map(_without_quotes, raw.split("\n"))
    # A list item ends with its line.
    lines = [line.replace(ITEM, "") + "\n" if ITEM in line else line for line in lines]
    raw = "\n".join([*lines, last.replace(ITEM, "")])
    for block in _BETWEEN.split(raw):
        text = _remembering(_tidied, block)(block)
        if text:
            yield text


@lru_cache(_REMEMBERED * 4)
def _tidied(block: str) -> str:
    """Return a paragraph without what vanished markup leaves behind."""
    text = titles.single_spaced(_EMPTY_BRACKETS.sub("", block))
    return _BRACKET_START.sub(r"\1\2", _SPACE_BEFORE_STOP.sub("", text))


def _without_quotes(line: str) -> str:
    """Return a line without the marks of bold and italics, by MediaWiki's rule for odd ones.

    Where both kinds are odd in number, one mark of three is an apostrophe and a mark of two: in
    `l'''Iliade''` the first follows a word of one letter, and that one is taken.
    """
    if "''" not in line:
        return line
    runs = list(_QUOTES.finditer(line))
    lengths = [len(run.group()) for run in runs]
    bold = sum(n in (3, 4) or n >= 5 for n in lengths)
    italic = sum(n == 2 or n >= 5 for n in lengths)
    spared = _apostrophe(line, runs) if bold % 2 and italic % 2 else None
    pieces, end = [], 0
    for run, n in zip(runs, lengths, strict=True):
        kept = n - 5 if n > 5 else int(n == 4 or run is spared)
        pieces += [line[end : run.start()], "'" * kept]
        end = run.end()
    return "".join([*pieces, line[end:]])


def _apostrophe(line: str, runs: list[re.Match[str]]) -> re.Match[str] | None:
    threes = [run for run in runs if len(run.group()) == 3]

    def rank(run: re.Match[str]) -> int:
        before = line[max(0, run.start() - 2) : run.start()]
        if before.endswith(" ") or not before:
            return 2
        return 0 if len(before) == 1 or before[0] == " " else 1

    return min(threes, key=rank, default=None)

"""Wikitext to the text a reader sees."""

from __future__ import annotations

import re
from functools import lru_cache

from wikibias.execution.isolation import Isolated, IsolationError
from wikibias.records import Paragraph
from wikibias.text.marks import without_marks
from wikibias.text.markup_blocks import Block, BlockCutter
from wikibias.text.parser_cost import Cost
from wikibias.text.parsing import Rules, parsed_text, request
from wikibias.text.tidying import paragraphs

__all__ = ["Rules", "UnreadableError", "visible_paragraphs", "visible_text"]

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
    """Return the text a reader sees, one paragraph or list item a line; see `visible_paragraphs`.

    Raises:
        UnreadableError: longer than `rules.max_chars`, or broken beyond what can be parsed.
    """
    return "\n".join([paragraph.text for paragraph in visible_paragraphs(wikitext, rules)])


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
            block.shown = _shown(block.text, block.cost, rules)
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


def _shown(block: str, cost: Cost, rules: Rules) -> str:
    """Return what a reader sees of a block, which takes longer than all else."""
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

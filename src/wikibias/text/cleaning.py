"""Wikitext to the text a reader sees. The only module that knows mwparserfromhell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import mwparserfromhell
from mwparserfromhell import nodes

from wikibias.mediawiki import titles
from wikibias.mediawiki.namespaces import CATEGORY, FILE, Namespaces, template_name
from wikibias.text.markup_blocks import markup_blocks

# Elements a reader does not see as running text.
_HIDDEN = frozenset(
    """ref references table gallery math chem ce score timeline syntaxhighlight source imagemap
    hiero graph templatedata templatestyles mapframe maplink indicator section categorytree
    inputbox includeonly style script""".split()
)
# Elements that begin and end a paragraph. List items are among them: their markers are tags.
_BLOCKS = frozenset(
    "p div blockquote center poem pre li dt dd ul ol dl br hr caption h1 h2 h3 h4 h5 h6".split()
)
_LISTS = frozenset(("li", "dt", "dd"))
_BREAK = "\n\n"
# Marks a list item made by wiki markup, which ends with its line; taken out of the input first.
_ITEM = "\ue000"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_OPEN_TAG = re.compile(r"<(?!(?:br|hr|ref\s*name|references)\b)[a-zA-Z][^<>/]*>")
_LEFT_OVER_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_MAGIC_WORD = re.compile(r"__[^\W\d_]{3,40}__")
_TABLE_LINE = re.compile(r"(?m)^[ \t:]*(?:\{\||\|\}|\||!(?=.*(?:!!|\|)))[^\n]*$")
_QUOTES = re.compile(r"'{2,}")
_EMPTY_BRACKETS = re.compile(r"\(\s*[;,:]?\s*\)|\[\s*\]|（[\s、，；：;,:]*）")
_BRACKET_START = re.compile(r"(\()\s*[;,]\s*|(（)[\s、，；;,]+")
_SPACE_BEFORE_STOP = re.compile(r"\s+(?=[.,)](?:\s|$))")
# -{text}-, -{zh-hans:text; zh-hant:text}- and -{flags|...}-: Chinese in two scripts. MediaWiki's
# flags H and T and - show nothing.
_VARIANTS = re.compile(r"-\{(?!\{)(?:([-+;\sA-Za-z]{0,40})\|)?([^{}]*)\}-")
_VARIANT = re.compile(r"\s*zh(?:-[a-z]+)?\s*:(.*?)(?:;\s*(?:zh(?:-[a-z]+)?\s*:|\Z)|\Z)", re.DOTALL)
_SHOW_NOTHING = frozenset("HT-")
_BETWEEN = re.compile(r"\n\s*\n")
# How many blocks to remember, and how long ones, in characters: a page of broken markup is one
# block, another one in each revision.
_REMEMBERED = 1024
_LONGEST = 20_000
# Unclosed markup costs mwparserfromhell time in the square of its number: 3,000 cost a second.
_MAX_UNCLOSED = 3000


class UnreadableError(ValueError):
    """A wikitext that is too long, or so broken that parsing it would take for ever.

    `is_limit` says that it is only longer than a setting allows.
    """

    is_limit = False


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What cleaning needs to know of a wiki.

    `text_templates` maps the case-folded name of a template to the parameter that a reader
    sees as text (a tag that wraps a sentence, or a language mark); all others vanish.
    """

    namespaces: Namespaces
    interlanguage: frozenset[str]
    text_templates: Mapping[str, str]
    max_chars: int


def visible_text(wikitext: str, rules: Rules) -> str:
    """Return the text a reader sees, one paragraph or list item a line.

    No templates, references, tables, file or category links, headings, list markers, HTML or
    magic words; entities are resolved and the text of links is kept (2019 paper, section 3.3).

    Raises:
        UnreadableError: longer than `rules.max_chars`, or broken beyond what can be parsed.
    """
    if len(wikitext) > rules.max_chars:
        error = UnreadableError(f"longer than {rules.max_chars:,} characters")
        error.is_limit = True
        raise error
    wikitext = _VARIANTS.sub(_first_variant, _COMMENT.sub("", wikitext).replace(_ITEM, ""))
    unclosed_tags = len(_OPEN_TAG.findall(wikitext)) - wikitext.count("</")
    unclosed_links = wikitext.count("[http") + wikitext.count("[//") - wikitext.count("]")
    unclosed_tables = wikitext.count("{|") - wikitext.count("|}")
    if max(unclosed_tags, unclosed_links, unclosed_tables) > _MAX_UNCLOSED:
        raise UnreadableError("too much unclosed markup")
    try:
        raw = "".join([_remembering(_cleaned, s)(s, rules) for s in markup_blocks(wikitext)])
    except (RecursionError, mwparserfromhell.parser.ParserError) as error:
        raise UnreadableError("markup nested too deeply") from error
    return "\n".join(_paragraphs(raw))


def _remembering(function: Any, text: str) -> Callable[..., str]:
    """Return a function that remembers, or for a long text what it does without remembering."""
    return cast(Callable[..., str], function if len(text) <= _LONGEST else function.__wrapped__)


@lru_cache(_REMEMBERED)
def _cleaned(block: str, rules: Rules) -> str:
    """Return what a reader sees of a markup block; two revisions share nearly all of them.

    mwparserfromhell takes longer than all else that is done to a revision.
    """
    code = mwparserfromhell.parse(block, skip_style_tags=True)
    return "".join(_text(code.nodes, rules))


def _first_variant(marked: re.Match[str]) -> str:
    flags, text = marked.groups(default="")
    if _SHOW_NOTHING & {flag.strip() for flag in flags.split(";")}:
        return ""
    variant = _VARIANT.match(text)
    return variant.group(1).strip() if variant else text


def _text(code: Iterable[Any], rules: Rules) -> Iterator[str]:
    for node in code:
        if isinstance(node, nodes.Text):
            yield str(node.value)
        elif isinstance(node, nodes.Wikilink):
            yield from _link(node, rules)
        elif isinstance(node, nodes.ExternalLink):
            if node.title is not None:
                yield from _text(node.title.nodes, rules)
        elif isinstance(node, nodes.Template):
            yield from _template(node, rules)
        elif isinstance(node, nodes.Tag):
            yield from _tag(node, rules)
        elif isinstance(node, nodes.Heading):
            yield _BREAK
        elif isinstance(node, nodes.HTMLEntity):
            yield _entity(node)
        elif isinstance(node, nodes.Argument) and node.default is not None:
            yield from _text(node.default.nodes, rules)


def _link(node: Any, rules: Rules) -> Iterator[str]:
    title = str(node.title).strip()
    prefix, colon, _ = title.partition(":")
    if colon and prefix:
        inside = rules.namespaces.has(FILE, prefix) or rules.namespaces.has(CATEGORY, prefix)
        if inside or prefix.strip().lower() in rules.interlanguage:
            return
    if node.text is not None and str(node.text).strip():
        yield from _text(node.text.nodes, rules)
    else:
        yield from _text(node.title.nodes, rules) if "{{" in title else iter((title.lstrip(":"),))


def _template(node: Any, rules: Rules) -> Iterator[str]:
    name = template_name(str(node.name), rules.namespaces)
    parameter = rules.text_templates.get(titles.key(name, ignore_case=True)) if name else None
    if parameter is not None and node.has(parameter):
        yield from _text(node.get(parameter).value.nodes, rules)


def _tag(node: Any, rules: Rules) -> Iterator[str]:
    name = str(node.tag).strip().lower()
    if name in _HIDDEN:
        # A table stands between paragraphs; a reference inside a sentence.
        yield _BREAK if name in ("table", "gallery") else ""
        return
    if any(
        str(a.name).strip().lower() == "style"
        and "display:none" in str(a.value).replace(" ", "").lower()
        for a in node.attributes
    ):
        return
    if node.wiki_markup and name in _LISTS:
        yield _BREAK + _ITEM
        return
    edge = _BREAK if name in _BLOCKS else ""
    yield edge
    if node.contents is not None:
        yield from _text(node.contents.nodes, rules)
    yield edge


def _entity(node: Any) -> str:
    try:
        return str(node.normalize())
    except (ValueError, OverflowError):
        return str(node)


def _paragraphs(raw: str) -> Iterator[str]:
    # In letters without cases, as in __目次__, the word is its own upper case.
    raw = _MAGIC_WORD.sub(lambda m: "" if m.group() == m.group().upper() else m.group(), raw)
    raw = _LEFT_OVER_TAG.sub(" ", _TABLE_LINE.sub("", raw))
    raw = "\n".join(_without_quotes(line) for line in raw.split("\n"))
    raw = re.sub(rf"{_ITEM}([^\n]*)\n", r"\1\n\n", raw).replace(_ITEM, "")
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

"""A piece of wikitext to what a reader sees of it. The only module that knows mwparserfromhell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.entities import name2codepoint
from typing import Any

import mwparserfromhell
from mwparserfromhell import nodes

from wikibias.mediawiki import titles
from wikibias.mediawiki.namespaces import CATEGORY, FILE, Namespaces, template_name

# Elements a reader does not see as running text.
HIDDEN = frozenset(
    """ref references table gallery math chem ce score timeline syntaxhighlight source imagemap
    hiero graph templatedata templatestyles mapframe maplink indicator section categorytree
    inputbox includeonly style script""".split()
)
# Elements that begin and end a paragraph. List items are among them: their markers are tags.
BLOCKS = frozenset(
    "p div blockquote center poem pre li dt dd ul ol dl br hr caption h1 h2 h3 h4 h5 h6".split()
)
_LISTS = frozenset(("li", "dt", "dd"))
BREAK = "\n\n"
# Marks a list item made by wiki markup, which ends with its line; never in the input.
ITEM = "\ue000"
# No name of a page is longer; names of templates that wrap calls are.
_LONGEST_NAME = 2000


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


def parsed_text(wikitext: str, rules: Rules) -> str:
    """Return what a reader sees of a piece of wikitext; a list item begins with `ITEM`.

    Raises:
        ValueError: nested too deeply for the parser, or for Python.
    """
    try:
        code = mwparserfromhell.parse(wikitext, skip_style_tags=True)
        return "".join(_text(code.nodes, rules))
    except (RecursionError, mwparserfromhell.parser.ParserError) as error:
        raise ValueError("markup nested too deeply") from error


def request(wikitext: str, rules: Rules) -> bytes:
    """Return what `serve_parsed_text` reads."""
    names = {number: sorted(names) for number, names in rules.namespaces.names.items()}
    message = (wikitext, names, sorted(rules.interlanguage), dict(rules.text_templates))
    return json.dumps(message).encode()


def serve_parsed_text(message: bytes) -> bytes:
    """Return `parsed_text` of a `request`; nothing if it is nested too deeply."""
    wikitext, names, interlanguage, text_templates = json.loads(message)
    namespaces = Namespaces({int(number): frozenset(found) for number, found in names.items()})
    rules = Rules(namespaces, frozenset(interlanguage), text_templates, len(wikitext))
    try:
        return b"=" + parsed_text(wikitext, rules).encode("utf-8", "surrogatepass")
    except (ValueError, MemoryError):
        return b""


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
            yield BREAK
        elif isinstance(node, nodes.HTMLEntity):
            yield _entity(node)
        elif isinstance(node, nodes.Argument) and node.default is not None:
            yield from _text(node.default.nodes, rules)


def is_shown_link(title: str, rules: Rules) -> bool:
    """Return whether a reader sees a link in the text: not a file, a category or a language."""
    prefix, colon, _ = title.partition(":")
    if not (colon and prefix) or len(prefix) > _LONGEST_NAME:
        return True
    inside = rules.namespaces.has(FILE, prefix) or rules.namespaces.has(CATEGORY, prefix)
    return not inside and prefix.strip().lower() not in rules.interlanguage


def _link(node: Any, rules: Rules) -> Iterator[str]:
    title = str(node.title).strip()
    if not is_shown_link(title, rules):
        return
    if node.text is not None and str(node.text).strip():
        yield from _text(node.text.nodes, rules)
    else:
        yield from _text(node.title.nodes, rules) if "{{" in title else iter((title.lstrip(":"),))


def _template(node: Any, rules: Rules) -> Iterator[str]:
    written = str(node.name).strip()
    name = template_name(written, rules.namespaces) if len(written) < _LONGEST_NAME else None
    parameter = rules.text_templates.get(titles.key(name, ignore_case=True)) if name else None
    if parameter is not None and node.has(parameter):
        yield from _text(node.get(parameter).value.nodes, rules)


def _tag(node: Any, rules: Rules) -> Iterator[str]:
    name = str(node.tag).strip().lower()
    if name in HIDDEN:
        # A table stands between paragraphs; a reference inside a sentence.
        yield BREAK if name in ("table", "gallery") else ""
        return
    if any(
        str(a.name).strip().lower() == "style"
        and "display:none" in str(a.value).replace(" ", "").lower()
        for a in node.attributes
    ):
        return
    if node.wiki_markup and name in _LISTS:
        yield BREAK + ITEM
        return
    edge = BREAK if name in BLOCKS else ""
    yield edge
    if node.contents is not None:
        yield from _text(node.contents.nodes, rules)
    yield edge


def _entity(node: Any) -> str:
    """Return the character that an entity stands for; U+FFFD where no text may hold it."""
    value = str(node.value)
    if node.named:
        return chr(name2codepoint[value]) if value in name2codepoint else str(node)
    # Python reads no number of thousands of digits, even if all are zeros.
    return character(int(value.lstrip("0") or "0", 16 if node.hexadecimal else 10))


def character(number: int) -> str:
    """Return the character of a numeric entity, as XML and MediaWiki allow it, or U+FFFD."""
    if number in (9, 10, 13):
        return " "
    if number == ord(ITEM):
        return ""
    allowed = 0x20 <= number < 0xD800 or 0xDFFF < number < 0xFFFE or 0xFFFF < number <= 0x10FFFF
    return chr(number) if allowed else "\ufffd"

"""A piece of wikitext to what a reader sees of it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html.entities import html5
from typing import Any
from urllib.parse import unquote

from wikibias.config.languages import SectionKind
from wikibias.mediawiki.titles import CATEGORY, FILE, Namespaces
from wikibias.text import markup_tree, tidying
from wikibias.text.markup_tree import Code, TemplateForms, parsed, source

# Elements a reader does not see as running text.
HIDDEN = frozenset(
    """ref references table gallery math chem ce score timeline syntaxhighlight source imagemap
    hiero graph templatedata templatestyles mapframe maplink indicator section categorytree
    inputbox includeonly style script""".split()
)
# Elements that begin and end a paragraph. List items are among them: their markers are tags.
BLOCKS = frozenset(
    "p div blockquote center poem pre li dt dd ul ol dl hr caption figcaption".split()
)
QUOTATIONS = frozenset(("blockquote", "poem"))
CAPTIONS = frozenset(("caption", "figcaption"))
# Of the classes of an element, in lower case: skins set captions in such elements.
CAPTION_CLASS = "caption"
NOT_DISPLAYED = re.compile(r"display\s*+:\s*+none", re.IGNORECASE)
_NAMED = re.compile(r"&([a-zA-Z][a-zA-Z0-9]{1,31});")
# No page has a longer name.
_LONGEST_NAME = 2000
_LISTS = {"li": tidying.ITEM, "dt": tidying.ITEM, "dd": tidying.ITEM + tidying.INDENTED}
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
# Functions of MediaWiki that show what is behind the colon.
_FUNCTIONS: Mapping[str, Callable[[str], str]] = {
    "formatnum": str,
    "uc": str.upper,
    "lc": str.lower,
    "ucfirst": lambda text: text[:1].upper() + text[1:],
    "lcfirst": lambda text: text[:1].lower() + text[1:],
}


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What cleaning needs to know of a wiki.

    `templates` says what a reader sees of templates, and `sections` the kind of the section under
    a heading, by its case-folded text.
    """

    namespaces: Namespaces
    interlanguage: frozenset[str]
    templates: TemplateForms
    sections: Mapping[str, SectionKind]
    max_chars: int


def parsed_text(wikitext: str, rules: Rules) -> str:
    """Return what a reader sees of a piece of wikitext; a list item begins with `ITEM`.

    Raises:
        ValueError: nested too deeply for the parser, or for Python.
    """
    try:
        return _all(parsed(wikitext), rules)
    except RecursionError as error:
        raise ValueError("markup nested too deeply") from error


def request(wikitext: str, rules: Rules) -> bytes:
    """Return what `serve_parsed_text` reads."""
    names = {number: sorted(names) for number, names in rules.namespaces.names.items()}
    templates = rules.templates.shown, rules.templates.silent, rules.templates.quotations
    return json.dumps((wikitext, names, sorted(rules.interlanguage), templates)).encode()


def serve_parsed_text(message: bytes) -> bytes:
    """Return `parsed_text` of a `request`; nothing if it is nested too deeply."""
    wikitext, names, interlanguage, templates = json.loads(message)
    namespaces = Namespaces({int(number): frozenset(found) for number, found in names.items()})
    forms = TemplateForms(namespaces, *templates)
    # Sections are told apart where the whole text is at hand.
    rules = Rules(namespaces, frozenset(interlanguage), forms, {}, len(wikitext))
    try:
        return b"=" + parsed_text(wikitext, rules).encode("utf-8", "surrogatepass")
    except (ValueError, MemoryError):
        return b""


def _all(code: Code, rules: Rules) -> str:
    return "".join(_text(code, rules))


def _text(code: Code, rules: Rules) -> Iterator[str]:
    for node in code:
        if type(node) is str and "&" not in node:
            yield node
        elif type(node) is markup_tree.Link and (text := _plain_link(node)) is not None:
            yield text
        else:
            yield from _SHOWN[type(node)](node, rules)


def _plain(text: str, _: Rules) -> Iterator[str]:
    # The parser knows the names of HTML 4, MediaWiki those of HTML 5.
    yield _NAMED.sub(lambda m: named_character(m[1]) or m[0], text) if "&" in text else text


def _address(node: Any, rules: Rules) -> Iterator[str]:
    if node.text is not None:
        yield from _text(node.text, rules)
    else:
        yield tidying.SEAM


def _argument(node: Any, rules: Rules) -> Iterator[str]:
    if node.default is not None:
        yield from _text(node.default, rules)


def _heading(node: Any, rules: Rules) -> Iterator[str]:
    title = _all(node.title, rules)
    yield heading(node.level, title)


def heading(level: int, title: str) -> str:
    """Return a heading between paragraphs; its text is for looking up sections only."""
    text = " ".join(tidying.without_marks(title).split())
    return f"{tidying.BREAK}{tidying.HEADING}{level}{text}{tidying.BREAK}"


def is_shown_link(title: str, rules: Rules) -> bool:
    """Return whether a reader sees a link in the text: not a file, a category or a language."""
    prefix, colon, _ = title.partition(":")
    if not (colon and prefix) or len(prefix) > _LONGEST_NAME:
        return True
    inside = rules.namespaces.has(FILE, prefix) or rules.namespaces.has(CATEGORY, prefix)
    return not inside and prefix.strip().lower() not in rules.interlanguage


def _plain_link(node: Any) -> str | None:
    """Return the text of a link of letters alone, as most are; None of any other."""
    if len(node.title) != 1 or type(title := node.title[0]) is not str or ":" in title:
        return None
    if node.text is None:
        return None if "%" in title or "&" in title or "{{" in title else title.strip()
    if len(node.text) != 1 or type(text := node.text[0]) is not str or "&" in text:
        return None
    return text if text.strip() else None


def _link(node: Any, rules: Rules) -> Iterator[str]:
    title = source(node.title).strip()
    if not is_shown_link(title, rules):
        yield tidying.SEAM
    elif node.text and source(node.text).strip():
        yield from _text(node.text, rules)
    else:
        if "{{" in title or "&" in title:
            title = _all(node.title, rules).strip()
        yield shown_title(title, is_short=node.text is not None)


def shown_title(title: str, *, is_short: bool) -> str:
    """Return the text of a link that has none of its own.

    With `is_short` it has an empty one, for what MediaWiki leaves out as a page is saved: the
    namespace, and an end in brackets.
    """
    title = title.lstrip(":")
    if "%" in title:
        with suppress(UnicodeDecodeError):
            title = " ".join(tidying.without_marks(unquote(title, errors="strict")).split())
    if is_short:
        title = title.rpartition(":")[2].partition(" (")[0].strip() or title
    return title


def _template(node: Any, rules: Rules) -> Iterator[str]:
    written = source(node.name)
    known = rules.templates.find(written.strip())
    shown = ""
    if known.form is not None:
        values = {source(key).strip(): value for key, value in node.parameters}

        def take(name: str) -> str:
            return _all(values.pop(name), rules) if name in values else ""

        shown = known.form.shown(known.name, take)
    elif ":" in written and (function := _FUNCTIONS.get(written.partition(":")[0].strip().lower())):
        _, _, argument = _all(node.name, rules).partition(":")
        shown = function(argument.strip())
    if shown and known.is_quotation:
        yield f"{tidying.BREAK}{tidying.QUOTATION}{shown}{tidying.BREAK}{tidying.END}"
    elif shown:
        is_apart = any(map(shown.__contains__, tidying.AT_BEGIN))
        yield f"{tidying.BREAK}{shown}{tidying.BREAK}" if is_apart else shown
    # What has nothing to show leaves no gap; what is written on several lines is a box.
    elif known.form is not None:
        yield "" if known.form.is_literal else tidying.SEAM
    elif known.is_silent or any(
        "\n" in source(code) for code in (node.name, *(value for _, value in node.parameters))
    ):
        yield tidying.SEAM
    else:
        yield tidying.GAP


def _tag(node: Any, rules: Rules) -> Iterator[str]:
    name = source(node.name).strip().lower()
    if name in HIDDEN:
        # A table stands between paragraphs; a reference inside a sentence.
        yield tidying.BREAK if name in ("table", "gallery") else tidying.SEAM
        return
    classes = ""
    for key, value in node.attributes:
        which = source(key).strip().lower()
        if which == "style" and NOT_DISPLAYED.search(source(value)):
            return
        if which == "class":
            classes = source(value).lower()
    if name == "br":
        yield tidying.LINE_BREAK
    elif name == "nowiki":
        yield _all(node.content or [], rules).replace("'", tidying.APOSTROPHE)
    elif node.is_markup and name in _LISTS:
        yield tidying.BREAK + _LISTS[name]
    elif node.content is not None and name in HEADINGS:
        yield heading(int(name[1]), _all(node.content, rules))
    else:
        begin, end = edges(name, classes)
        if node.content is None:
            yield begin and tidying.BREAK
        else:
            yield begin
            yield from _text(node.content, rules)
            yield end


def edges(name: str, classes: str) -> tuple[str, str]:
    """Return what stands around the content of an element."""
    if name in _LISTS:
        return tidying.BREAK + tidying.LIST, tidying.BREAK + tidying.END
    if name in QUOTATIONS:
        return tidying.BREAK + tidying.QUOTATION, tidying.BREAK + tidying.END
    if name in CAPTIONS or CAPTION_CLASS in classes:
        return tidying.BREAK + tidying.CAPTION, tidying.BREAK + tidying.END
    return (tidying.BREAK, tidying.BREAK) if name in BLOCKS else ("", "")


def _entity(node: Any, _: Rules) -> Iterator[str]:
    value = node.value
    if node.is_named:
        yield named_character(value) or f"&{value};"
    else:
        # Python reads no number of thousands of digits, even if all are zeros.
        yield character(int(value.lstrip("0") or "0", 16 if node.is_hexadecimal else 10))


def named_character(name: str) -> str | None:
    """Return what a named entity stands for; None if there is none of this name."""
    return tidying.APOSTROPHE if name == "apos" else html5.get(f"{name};")


def character(number: int) -> str:
    """Return the character of a numeric entity, as XML and MediaWiki allow it, or U+FFFD."""
    if number in (9, 10, 13):
        return " "
    if number == ord("'"):
        return tidying.APOSTROPHE
    if 0xFDD0 <= number < 0xFDF0:
        return ""  # our marks are among these; no text may hold them
    allowed = 0x20 <= number < 0xD800 or 0xDFFF < number < 0xFFFE or 0xFFFF < number <= 0x10FFFF
    return chr(number) if allowed else "\ufffd"


_SHOWN: Mapping[type, Callable[[Any, Rules], Iterator[str]]] = {
    str: _plain,
    markup_tree.Link: _link,
    markup_tree.Address: _address,
    markup_tree.Template: _template,
    markup_tree.Element: _tag,
    markup_tree.Heading: _heading,
    markup_tree.Entity: _entity,
    markup_tree.Argument: _argument,
}

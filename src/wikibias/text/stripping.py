"""A piece of wikitext without its markup, as mwparserfromhell's `strip_code` leaves it.

Unlike `cleaning`, it keeps what a reader may not see, such as the options of an image, and knows
nothing of languages. Corpora of others were made so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wikibias.text import markup_tree
from wikibias.text.marks import without_marks
from wikibias.text.markup_tree import Code
from wikibias.text.parser_cost import parsing_cost
from wikibias.text.parsing import character, named_character

# Elements that hold no text.
_SILENT = frozenset(
    "categorytree gallery graph imagemap inputbox math score section templatedata timeline".split()
)
# Bold and italics.
_QUOTES = re.compile("'{2,}+")
# What parsing one piece may take, and how its markup may be nested; see `text.cleaning`.
_NANOSECONDS = 1_000_000_000
_MOST_DEPTH, _MOST_DOUBTS, _MOST_SIGNS = 16, 8, 400


def without_markup(wikitext: str) -> str:
    """Return a piece of wikitext without templates and markup; the text of links is kept.

    Raises:
        ValueError: the markup is nested too deeply, or too much of it is never closed.
    """
    cost = parsing_cost(wikitext)
    doubtful = cost.depth > _MOST_DEPTH or cost.doubtful > _MOST_DOUBTS or cost.signs > _MOST_SIGNS
    if doubtful or cost.nanoseconds > _NANOSECONDS:
        raise ValueError("too much unclosed markup")
    shown = "".join(_text(markup_tree.parsed(wikitext)))
    return without_marks(_QUOTES.sub("", shown)).strip()


def _text(code: Code) -> Iterator[str]:
    for node in code:
        yield from _SHOWN[type(node)](node)


def _link(node: markup_tree.Link) -> Iterator[str]:
    return _text(node.title if node.text is None else node.text)


def _element(node: markup_tree.Element) -> Iterator[str]:
    if node.content and markup_tree.source(node.name).strip().lower() not in _SILENT:
        yield from _text(node.content)


def _entity(node: markup_tree.Entity) -> Iterator[str]:
    if node.is_named:
        yield named_character(node.value) or f"&{node.value};"
    else:
        # Python reads no number of thousands of digits, even if all are zeros.
        digits = node.value.lstrip("0")[:20] or "0"
        yield character(int(digits, 16 if node.is_hexadecimal else 10))


_SHOWN: Mapping[type, Callable[[Any], Iterator[str]]] = {
    str: lambda text: iter((text,)),
    markup_tree.Link: _link,
    markup_tree.Element: _element,
    markup_tree.Entity: _entity,
    markup_tree.Address: lambda node: _text(node.text or []),
    markup_tree.Argument: lambda node: _text(node.default or []),
    markup_tree.Heading: lambda node: _text(node.title),
    markup_tree.Template: lambda node: iter(()),
}

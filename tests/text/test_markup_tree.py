"""The tree of a wikitext, compared with that of the library."""

from __future__ import annotations

from typing import Any

import mwparserfromhell
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mwparserfromhell import nodes

from wikibias.errors import WikibiasError
from wikibias.text import markup_tree
from wikibias.text.markup_tree import (
    Address,
    Argument,
    Code,
    Element,
    Entity,
    Heading,
    Link,
    Template,
    parsed,
    source,
)


def of_library(code: Any) -> list[Any]:
    """Return the library's tree as ours, with texts side by side joined."""
    return [_of_library(node) for node in code.nodes if not isinstance(node, nodes.Comment)]


def _some(code: Any) -> list[Any] | None:
    return None if code is None else of_library(code)


def _of_library(node: Any) -> Any:
    if isinstance(node, nodes.Template):
        pairs = [(of_library(p.name), of_library(p.value)) for p in node.params]
        return Template(of_library(node.name), pairs)
    if isinstance(node, nodes.Argument):
        return Argument(_some(node.default))
    if isinstance(node, nodes.Wikilink):
        return Link(of_library(node.title), _some(node.text))
    if isinstance(node, nodes.ExternalLink):
        return Address(of_library(node.url), _some(node.title))
    if isinstance(node, nodes.HTMLEntity):
        return Entity(node.value, node.named, bool(node.hexadecimal))
    if isinstance(node, nodes.Heading):
        return Heading(node.level, of_library(node.title))
    if isinstance(node, nodes.Tag):
        pairs = [(of_library(a.name), _some(a.value) or []) for a in node.attributes]
        content = None if node.self_closing else of_library(node.contents)
        return Element(of_library(node.tag), pairs, content, bool(node.wiki_markup))
    return str(node)


PIECES = [
    *"{{ }} {{a|b=c|d}} {{{ }}} {{{a|b}}} [[ ]] [[a|b]] [[c]] | = [http://a b] [http://c]".split(),
    *"<b> </b> <br> <ref name='a'>b</ref> <i/> <nowiki>[[a]]</nowiki> &amp; &#65; &#x41;".split(),
    *["\n", "\n* ", "\n; a : b\n", "\n== a ==\n", "\n{|\n| b || c\n|}\n", "\n----\n", "<!-- a -->"],
    *["<span class=a style='b'>c</span>", "Words. ", "''", "http://a.example "],
]


@given(st.lists(st.sampled_from(PIECES), max_size=15).map("".join))
def test_it_is_the_tree_of_the_library(wikitext: str) -> None:
    code = mwparserfromhell.parse(wikitext, skip_style_tags=True)
    ours = [node for node in parsed(wikitext) if node != ""]
    assert repr(_joined(ours)) == repr(_joined(of_library(code)))


def _joined(code: Code) -> Code:
    """Return a code without empty texts, also inside of its nodes."""
    return [part for part in code if part != ""]


@pytest.mark.parametrize("wikitext", ["a &amp;&#65;&#x41;", "{{a|b}}", "[[a]]", "<b>c", "plain"])
def test_the_source_of_names(wikitext: str) -> None:
    assert source(parsed(wikitext)) == wikitext


def test_a_library_with_another_parser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that knows of no builder would give a tree of its own, without a word."""

    class Other:
        def parse(self, text: str, **options: Any) -> Any:
            return mwparserfromhell.parse(text, **options)

    monkeypatch.setattr(markup_tree, "Parser", Other)
    with pytest.raises(WikibiasError, match="pip install 'mwparserfromhell"):
        parsed("An ''elm''.")

"""A piece of wikitext as a tree. The only module that knows mwparserfromhell.

The library's own tree can be changed and written back, which takes most of its time. This one has
what cleaning needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from mwparserfromhell.parser import Parser, ParserError, tokens

from wikibias.errors import WikibiasError

# Text, and nodes.
Code = list[Any]


@dataclass(slots=True)
class Template:
    """A call: the name, and names and values of parameters."""

    name: Code
    parameters: list[tuple[Code, Code]]


@dataclass(slots=True)
class Argument:
    """A parameter inside of a template, and its default; None without one."""

    default: Code | None


@dataclass(slots=True)
class Link:
    """A link to a page; `text` is None without a bar."""

    title: Code
    text: Code | None


@dataclass(slots=True)
class Address:
    """A link to an address; `text` is None without one."""

    url: Code
    text: Code | None


@dataclass(slots=True)
class Entity:
    """An entity: its name or number."""

    value: str
    is_named: bool
    is_hexadecimal: bool = False


@dataclass(slots=True)
class Heading:
    """A heading."""

    level: int
    title: Code


@dataclass(slots=True)
class Element:
    """An element, or markup that stands for one; `content` is None if it has an empty one."""

    name: Code
    attributes: list[tuple[Code, Code]]
    content: Code | None
    is_markup: bool


def parsed(wikitext: str) -> Code:
    """Return the tree of a wikitext; marks of bold and italics are text.

    Raises:
        ValueError: nested too deeply for the parser, or for Python.
        WikibiasError: this version of the library has another parser.
    """
    # The library's parser, with a builder of ours. The attribute is no part of what the library
    # promises: where it is gone, parsing would give a tree of the library's.
    parser: Any = cast(Any, Parser)()
    parser._builder = _Builder()
    try:
        code = parser.parse(wikitext, skip_style_tags=True)
    except (RecursionError, ParserError) as error:
        raise ValueError("markup nested too deeply") from error
    if type(code) is not list:
        raise WikibiasError(
            "this version of mwparserfromhell has another parser: "
            "pip install 'mwparserfromhell>=0.6.6,<0.8'"
        )
    return code


def source(code: Code) -> str:
    """Return about the wikitext of names and titles; what is called in them shows its braces."""
    return "".join(part if isinstance(part, str) else _source(part) for part in code)


def _source(node: Any) -> str:
    if isinstance(node, Entity):
        sign = "" if node.is_named else "#x" if node.is_hexadecimal else "#"
        return f"&{sign}{node.value};"
    if isinstance(node, Template):
        return "{{" + "|".join([source(node.name), *(source(v) for _, v in node.parameters)]) + "}}"
    if isinstance(node, Address):
        return source(node.url)
    if isinstance(node, Link):
        return "[[" + source(node.title) + "]]"
    if isinstance(node, Element):
        return f"<{source(node.name)}>" + source(node.content or [])
    return ""


_PARAMETER = frozenset((tokens.TemplateParamSeparator, tokens.TemplateClose))
_PARAMETER_NAME = _PARAMETER | {tokens.TemplateParamEquals}
_ARGUMENT = frozenset((tokens.ArgumentSeparator, tokens.ArgumentClose))
_LINK = frozenset((tokens.WikilinkSeparator, tokens.WikilinkClose))
_ADDRESS = frozenset((tokens.ExternalLinkSeparator, tokens.ExternalLinkClose))
_ATTRIBUTE_VALUE = frozenset(
    (tokens.TagAttrStart, tokens.TagAttrQuote, tokens.TagCloseOpen, tokens.TagCloseSelfclose)
)
_ATTRIBUTE = _ATTRIBUTE_VALUE | {tokens.TagAttrEquals}


class _Builder:
    """Makes a tree of the parser's tokens."""

    def __init__(self) -> None:
        self._tokens: list[Any] = []

    def build(self, tokenlist: list[Any]) -> Code:
        """Return the tree of all tokens."""
        self._tokens = tokenlist
        tokenlist.reverse()
        code: Code = []
        while tokenlist:
            token = tokenlist.pop()
            kind = type(token)
            code.append(token["text"] if kind is tokens.Text else _NODES[kind](self, token))
        return code

    def _until(self, ends: frozenset[Any]) -> tuple[Code, Any]:
        """Return the nodes up to a token that ends them, and its kind."""
        code: Code = []
        remaining = self._tokens
        while remaining:
            token = remaining.pop()
            kind = type(token)
            if kind is tokens.Text:
                code.append(token["text"])
            elif kind in ends:
                return code, kind
            else:
                code.append(_NODES[kind](self, token))
        raise ValueError("markup that does not end")

    def _divided(self, ends: frozenset[Any], close: Any) -> tuple[Code, Code | None]:
        """Return what stands before and behind a separator; None if there is no separator."""
        first, kind = self._until(ends)
        second = None
        while kind is not close:
            second, kind = self._until(ends)
        return first, second

    def _template(self, _: Any) -> Template:
        name, kind = self._until(_PARAMETER)
        parameters = []
        number = 1
        while kind is not tokens.TemplateClose:
            key, kind = self._until(_PARAMETER_NAME)
            if kind is tokens.TemplateParamEquals:
                value, kind = self._until(_PARAMETER)
            else:
                key, value = [str(number)], key
                number += 1
            parameters.append((key, value))
        return Template(name, parameters)

    def _argument(self, _: Any) -> Argument:
        return Argument(self._divided(_ARGUMENT, tokens.ArgumentClose)[1])

    def _link(self, _: Any) -> Link:
        return Link(*self._divided(_LINK, tokens.WikilinkClose))

    def _address(self, _: Any) -> Address:
        return Address(*self._divided(_ADDRESS, tokens.ExternalLinkClose))

    def _entity(self, _: Any) -> Entity:
        take = self._tokens.pop
        text = take()
        is_named = type(text) is tokens.Text
        is_hexadecimal = False
        if not is_named:
            text = take()
            is_hexadecimal = type(text) is tokens.HTMLEntityHex
            text = take() if is_hexadecimal else text
        take()  # the end
        return Entity(text["text"], is_named, is_hexadecimal)

    def _heading(self, token: Any) -> Heading:
        return Heading(token["level"], self._until(frozenset((tokens.HeadingEnd,)))[0])

    def _comment(self, _: Any) -> str:
        self._until(frozenset((tokens.CommentEnd,)))
        return ""

    def _element(self, token: Any) -> Element:
        name, kind = self._until(_ATTRIBUTE)
        attributes = []
        while kind is tokens.TagAttrStart:
            key, kind = self._until(_ATTRIBUTE)
            value: Code = []
            while kind in (tokens.TagAttrEquals, tokens.TagAttrQuote):
                more, kind = self._until(_ATTRIBUTE_VALUE)
                value += more
            attributes.append((key, value))
        content = None
        if kind is tokens.TagCloseOpen:
            content, _ = self._until(frozenset((tokens.TagOpenClose,)))
            self._until(frozenset((tokens.TagCloseClose,)))
        return Element(name, attributes, content, bool(token.get("wiki_markup")))


_NODES: dict[Any, Callable[[_Builder, Any], Any]] = {
    tokens.TemplateOpen: _Builder._template,
    tokens.ArgumentOpen: _Builder._argument,
    tokens.WikilinkOpen: _Builder._link,
    tokens.ExternalLinkOpen: _Builder._address,
    tokens.HTMLEntityStart: _Builder._entity,
    tokens.HeadingStart: _Builder._heading,
    tokens.CommentStart: _Builder._comment,
    tokens.TagOpenOpen: _Builder._element,
}

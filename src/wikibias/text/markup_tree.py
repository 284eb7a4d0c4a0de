"""Trees of wikitext by mwparserfromhell, and the text that templates leave."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

import mwparserfromhell
from mwparserfromhell.parser import Parser, ParserError, tokens

from wikibias import mediawiki
from wikibias.errors import WikibiasError
from wikibias.mediawiki import Namespaces, template_name
from wikibias.text.tidying import APOSTROPHE

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
            'pip install "mwparserfromhell>=0.6.6,<0.8"'
        )
    return code


def stripped(wikitext: str) -> str:
    """Return what the library leaves of a wikitext: no templates and markup, the text of links.

    Raises:
        ValueError: nested too deeply, or with a character that there is not.
    """
    try:
        return mwparserfromhell.parse(wikitext).strip_code(collapse=False)
    except (RecursionError, OverflowError, ParserError) as error:
        raise ValueError("markup that cannot be read") from error


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


# Parameters, each with the text that it must have, if any; the first that is given counts.
Slot = tuple[tuple[str, str | None], ...]
# Literal text, or what a parameter stands for.
Piece = str | Slot
_NAME = "0"
_OR = " || "
# MediaWiki has these on every wiki; they name no template.
_BUILT_IN = {"!": "=|", "=": "=="}
_BUILT_IN_SILENT = ("defaultsort:*", "displaytitle:*", "#tag:ref", "#invoke:*")
_PIECE = re.compile(r"\{([^{}]*+)\}|([^{}]++|[{}])")
# No page that exists has a longer name; names of templates that wrap calls are longer.
LONGEST_NAME = 300
_REMEMBERED = 4096


class Form(NamedTuple):
    """What a template shows: of several rows of pieces the first one for which all is given."""

    alternatives: tuple[tuple[Piece, ...], ...]
    is_literal: bool = False

    def shown(self, name: str, take: Callable[[str], str]) -> str:
        """Return what a call shows, trimmed unless it is literal.

        `name` is that of the template, as written. `take` gives the text of a parameter, "" if
        there is none. A parameter is taken once and shown once: so no nesting of calls doubles a
        text again and again.
        """
        taken = {_NAME: name}
        found: list[str] = []
        for pieces in self.alternatives:
            used: set[str] = set()
            found = [
                piece if isinstance(piece, str) else _filled(piece, take, taken, used)
                for piece in pieces
            ]
            if all(found):
                break
        text = "".join(found)
        # An apostrophe, as in {{'}}, marks no italics.
        return text.replace("'", APOSTROPHE) if self.is_literal else text.strip()


def _filled(slot: Slot, take: Callable[[str], str], taken: dict[str, str], used: set[str]) -> str:
    """Return the text of the first parameter of a slot that is given and was not used before."""
    for parameter, wanted in slot:
        if parameter not in taken:
            taken[parameter] = take(parameter)
        text = taken[parameter]
        if parameter not in used and text.strip() and wanted in (None, text.strip()):
            used.add(parameter)
            return text
    return ""


class KnownTemplates(NamedTuple):
    """What is known of a template; its name is as a call has it, without a namespace."""

    name: str
    form: Form | None = None
    is_silent: bool = False
    is_quotation: bool = False


_UNKNOWN = KnownTemplates("")


def parse_form(value: str) -> Form:
    """Return the form that a language file writes like this."""
    if value.startswith("="):
        return Form(((value[1:],),), is_literal=True)
    if "{" not in value:
        return Form((((((value, None),)),),))
    return Form(tuple(tuple(map(_piece, _PIECE.findall(form))) for form in value.split(_OR)))


def _piece(found: tuple[str, str]) -> Piece:
    names, literal = found
    if literal:
        return literal
    options = (name.partition("=") for name in names.split("|"))
    return tuple((name.strip(), text.strip() if equals else None) for name, equals, text in options)


class TemplateForms:
    """The forms of the templates of one wiki, and those that show no running text.

    `shown` maps a name to a form, as language files write them. `silent` names templates that show
    nothing in a sentence, `quotations` those that set a quotation apart. The case of names does not
    matter. A name that ends with * stands for all that begin like this and have no other form.
    """

    def __init__(
        self,
        namespaces: Namespaces,
        shown: Mapping[str, str],
        silent: Iterable[str],
        quotations: Iterable[str] = (),
    ) -> None:
        self.shown = dict(shown)
        self.silent = tuple(silent)
        self.quotations = tuple(quotations)
        self._namespaces = namespaces
        self._forms = _keys({**_BUILT_IN, **self.shown})
        self._silent = _keys(dict.fromkeys((*_BUILT_IN_SILENT, *self.silent), ""))
        self._quotations = _keys(dict.fromkeys(self.quotations, ""))
        self.find = lru_cache(_REMEMBERED)(self._find)

    def _find(self, written: str) -> KnownTemplates:
        """Return what is known of the template that a call names like this."""
        name = template_name(written, self._namespaces) if len(written) <= LONGEST_NAME else None
        if name is None:
            name = mediawiki.clean_title(written[:LONGEST_NAME])
            if not name.startswith("#"):
                return _UNKNOWN
        key = mediawiki.title_key(name, ignore_case=True)
        form = _looked_up(self._forms, key)
        return KnownTemplates(
            name,
            None if form is None else parse_form(form),
            is_silent=_looked_up(self._silent, key) is not None,
            is_quotation=_looked_up(self._quotations, key) is not None,
        )


# By whole name, and by the beginning of a name, longest first.
_Keys = tuple[dict[str, str], dict[str, str]]


def _keys(named: Mapping[str, str]) -> _Keys:
    whole: dict[str, str] = {}
    beginnings: dict[str, str] = {}
    for name in sorted(named, key=len, reverse=True):
        key = mediawiki.title_key(name.removesuffix("*"), ignore_case=True)
        if name.endswith("*"):
            # "cite *" stands for no template that is called citelet.
            beginnings[key + " " * name.endswith(" *")] = named[name]
        else:
            whole[key] = named[name]
    return whole, beginnings


def _looked_up(keys: _Keys, key: str) -> str | None:
    whole, beginnings = keys
    if key in whole:
        return whole[key]
    return next((value for begin, value in beginnings.items() if key.startswith(begin)), None)

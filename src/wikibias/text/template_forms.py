"""What a reader sees of the templates of a wiki.

A form says it for one template. Without braces it is the name of a parameter: `1`, `text`. In
braces stand parameters, of which the first one that is given counts: `{1} {2}`, `{text|1}`; `{0}`
is the name of the template as written. After an equals sign stands literal text: `=—`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from wikibias.mediawiki import titles
from wikibias.mediawiki.namespaces import Namespaces, template_name

# Literal text, or the names of parameters.
Piece = str | tuple[str, ...]
_NAME = ("0",)
# MediaWiki has these on every wiki; they name no template.
_BUILT_IN = {"!": "=|", "=": "=="}
_BUILT_IN_SILENT = ("defaultsort:*", "displaytitle:*", "#tag:ref", "#invoke:*")
_PIECE = re.compile(r"\{([^{}]*+)\}|([^{}]++|[{}])")
# No page that exists has a longer name; names of templates that wrap calls are longer.
LONGEST_NAME = 300
_REMEMBERED = 4096


class Form(NamedTuple):
    """What a template shows: pieces one after the other, trimmed unless it is literal."""

    pieces: tuple[Piece, ...]
    is_literal: bool = False

    def shown(self, name: str, take: Callable[[str], str]) -> str:
        """Return what a call shows.

        `name` is that of the template, as written. `take` gives the text of a parameter, and "" if
        there is none or it was taken: so that no nesting of calls doubles a text again and again.
        """
        if self.is_literal:
            return "".join(map(str, self.pieces))
        found = []
        for piece in self.pieces:
            if isinstance(piece, str):
                found.append(piece)
            elif piece == _NAME:
                found.append(name)
            else:
                found.append(next((text for p in piece if (text := take(p)).strip()), ""))
        return "".join(found).strip()


class Known(NamedTuple):
    """What is known of a template; its name is as a call has it, without a namespace."""

    name: str
    form: Form | None = None
    is_silent: bool = False
    is_quotation: bool = False


_UNKNOWN = Known("")


def parse_form(value: str) -> Form:
    """Return the form that a language file writes like this."""
    if value.startswith("="):
        return Form((value[1:],), is_literal=True)
    if "{" not in value:
        return Form(((value,),))
    return Form(
        tuple(
            literal or tuple(name.strip() for name in names.split("|"))
            for names, literal in _PIECE.findall(value)
        )
    )


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

    def _find(self, written: str) -> Known:
        """Return what is known of the template that a call names like this."""
        name = template_name(written, self._namespaces) if len(written) <= LONGEST_NAME else None
        if name is None:
            name = titles.clean(written[:LONGEST_NAME])
            if not name.startswith("#"):
                return _UNKNOWN
        key = titles.key(name, ignore_case=True)
        form = _looked_up(self._forms, key)
        return Known(
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
        table = beginnings if name.endswith("*") else whole
        table[titles.key(name.removesuffix("*"), ignore_case=True)] = named[name]
    return whole, beginnings


def _looked_up(keys: _Keys, key: str) -> str | None:
    whole, beginnings = keys
    if key in whole:
        return whole[key]
    return next((value for begin, value in beginnings.items() if key.startswith(begin)), None)

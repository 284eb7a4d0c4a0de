"""What a reader sees of the templates of a wiki.

A form says it for one template. Without braces it is the name of a parameter: `1`, `text`. In
braces stand parameters, of which the first one that is given counts: `{1} {2}`, `{text|1}`; `{0}`
is the name of the template as written, and `{2=to|2=by}` parameter 2 if it holds one of these
words. Of several forms, `{1}/{2} || 1/{1}`, the first one counts for which all is given, else the
last one. After an equals sign stands literal text: `=—`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from wikibias.mediawiki import titles
from wikibias.mediawiki.namespaces import Namespaces, template_name
from wikibias.text.marks import APOSTROPHE

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
        key = titles.key(name.removesuffix("*"), ignore_case=True)
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

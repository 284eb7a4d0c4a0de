"""Looks up the namespaces of a wiki by name, and the template that a call names."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wikibias.config.languages import NamespaceKind
from wikibias.mediawiki.titles import clean

TEMPLATE, FILE, CATEGORY, USER, USER_TALK, SPECIAL = 10, 6, 14, 2, 3, -1
# The canonical English names work on every wiki.
_CANONICAL = {
    TEMPLATE: ("Template",),
    FILE: ("File", "Image", "Media"),
    CATEGORY: ("Category",),
    USER: ("User",),
    USER_TALK: ("User talk",),
    SPECIAL: ("Special",),
}
_CONFIG_NAMES = {"template": TEMPLATE, "file": FILE, "category": CATEGORY, "user": USER}
# Prefixes of a call that do not change which template it calls.
_MODIFIERS = frozenset({"msg", "safesubst", "raw"})


@dataclass(frozen=True)
class Namespaces:
    """The case-folded names of the namespaces of one wiki: number -> names."""

    names: Mapping[int, frozenset[str]]

    @classmethod
    def of(
        cls, declared: Mapping[int, str], local: Mapping[NamespaceKind, Iterable[str]] | None = None
    ) -> Namespaces:
        """Combine the names in the dump, the canonical ones, and those in the language's config."""
        names = {number: {clean(n).casefold() for n in ns} for number, ns in _CANONICAL.items()}
        for number, name in declared.items():
            if name:
                names.setdefault(number, set()).add(clean(name).casefold())
        for key, more in (local or {}).items():
            names[_CONFIG_NAMES[key]] |= {clean(name).casefold() for name in more}
        return cls({number: frozenset(found) for number, found in names.items()})

    def has(self, number: int, prefix: str) -> bool:
        """Return whether `prefix` (without its colon) names the namespace `number`."""
        return clean(prefix).casefold() in self.names.get(number, frozenset())

    def knows(self, prefix: str) -> bool:
        """Return whether `prefix` (without its colon) names a namespace other than articles."""
        name = clean(prefix).casefold()
        return any(name in names for names in self.names.values())


def template_prefixes(namespaces: Namespaces) -> frozenset[str]:
    """Return what may stand before the colon in a call of a template, case-folded."""
    return namespaces.names.get(TEMPLATE, frozenset()) | _MODIFIERS


def template_name(raw: str, namespaces: Namespaces) -> str | None:
    """Return the template that `{{raw...` calls, without prefix, or None if it calls none.

    `{{:POV}}` calls the article of that name, and `{{#if:` a parser function: no templates.
    """
    name = clean(html.unescape(raw) if "&" in raw else raw)
    modified = True
    while modified:
        prefix, colon, rest = name.partition(":")
        modified = bool(colon) and prefix.strip().casefold() in _MODIFIERS
        name = rest.strip() if modified else name
    from_main = name.startswith(":")
    name = name.lstrip(": ")
    prefix, colon, rest = name.partition(":")
    if colon and namespaces.has(TEMPLATE, prefix):
        name = rest.strip()
    elif from_main:
        return None
    if name.startswith("#"):
        return None
    return name.partition("#")[0].strip() or None

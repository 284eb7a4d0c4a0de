"""Page titles and namespace prefixes as MediaWiki compares them.

Source of the rules: MediaWiki's title normalisation (underscores and all white space are one
space, invisible direction marks do not count, the first letter is of either case, a fragment
after # is not part of the title).
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
# Words before a template's name that do not change which template is called.
_MODIFIERS = frozenset({"msg", "safesubst", "raw"})
_SPACES = re.compile(r"[\s\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_MARKS = re.compile(r"[\u200e\u200f\u202a-\u202e]")


@dataclass(frozen=True)
class Namespaces:
    """The case-folded names by which one wiki calls its namespaces: number -> names."""

    names: Mapping[int, frozenset[str]]

    @classmethod
    def of(
        cls, declared: Mapping[int, str], local: Mapping[str, Iterable[str]] | None = None
    ) -> Namespaces:
        """Join the dump's own names, the canonical ones and those of the language's config."""
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


def single_spaced(text: str) -> str:
    """Return a text in NFC, with single spaces, and without direction marks."""
    if not text.isascii():
        text = _MARKS.sub("", unicodedata.normalize("NFC", text))
    return _SPACES.sub(" ", text).strip()


def clean(title: str) -> str:
    """Return a title in one form: single-spaced, and without underscores."""
    return single_spaced(title.replace("_", " "))


def key(title: str, *, ignore_case: bool) -> str:
    """Return what two names must share to be the same template."""
    title = clean(title)
    return title.casefold() if ignore_case else title[:1].upper() + title[1:]


def template_name(raw: str, namespaces: Namespaces) -> str | None:
    """Return the template that `{{raw...` calls, without prefix, or None when it calls none.

    `{{:POV}}` is the article of that name and `{{#if:` a parser function: no template.
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

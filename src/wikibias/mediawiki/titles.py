"""Page titles, namespaces, redirects and addresses, as MediaWiki reads and compares them."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from wikibias.config.languages import NamespaceKind

# Combining marks are among the characters that are neither letters nor spaces. Ordinary text has
# at most some five in a row, and rules of hyphens are quick to look through. A pattern that begins
# with one character of a set is looked for quickly.
_RUN = re.compile(r"[^\w\s][^\w\s]{29,}")


def composed(text: str) -> str:
    """Return a text in NFC.

    To put combining marks in order takes Python time in the square of their number, so those of
    long runs are put in order before.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _RUN.sub(_ordered, text))


def _ordered(run: re.Match[str]) -> str:
    """Return a run of marks, decomposed, in the order that Unicode gives them."""
    marks = "".join(unicodedata.normalize("NFD", mark) for mark in run.group())
    keys = []
    base = 0
    for mark in marks:
        order = unicodedata.combining(mark)
        base += not order
        keys.append((base, order))
    return "".join(marks[at] for at in sorted(range(len(marks)), key=keys.__getitem__))


# A space to MediaWiki, but none to Python.
_MONGOLIAN_SEPARATOR = "\u180e"
_DIRECTION_MARKS = re.compile(r"[\u200e\u200f\u202a-\u202e]")


def single_spaced(text: str) -> str:
    """Return a text in NFC, with single spaces, and without direction marks."""
    if not text.isascii():
        text = _DIRECTION_MARKS.sub("", composed(text)).replace(_MONGOLIAN_SEPARATOR, " ")
    return " ".join(text.split())


def clean_title(title: str) -> str:
    """Return a title with single spaces and without underscores."""
    return single_spaced(title.replace("_", " "))


def title_key(title: str, *, ignore_case: bool) -> str:
    """Return the key of a title: two names mean the same template if their keys are equal."""
    title = clean_title(title)
    return title.casefold() if ignore_case else title[:1].upper() + title[1:]


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


@dataclass(frozen=True, eq=False)
class Namespaces:
    """The case-folded names of the namespaces of one wiki: number -> names."""

    names: Mapping[int, frozenset[str]]

    @classmethod
    def of(
        cls, declared: Mapping[int, str], local: Mapping[NamespaceKind, Iterable[str]] | None = None
    ) -> Namespaces:
        """Combine the names in the dump, the canonical ones, and those in the language's config."""
        names = {
            number: {clean_title(n).casefold() for n in ns} for number, ns in _CANONICAL.items()
        }
        for number, name in declared.items():
            if name:
                names.setdefault(number, set()).add(clean_title(name).casefold())
        for key, more in (local or {}).items():
            names[_CONFIG_NAMES[key]] |= {clean_title(name).casefold() for name in more}
        return cls({number: frozenset(found) for number, found in names.items()})

    def has(self, number: int, prefix: str) -> bool:
        """Return whether `prefix` (without its colon) names the namespace `number`."""
        return clean_title(prefix).casefold() in self.names.get(number, frozenset())

    def knows(self, prefix: str) -> bool:
        """Return whether `prefix` (without its colon) names a namespace other than articles."""
        name = clean_title(prefix).casefold()
        return any(name in names for names in self.names.values())


def template_prefixes(namespaces: Namespaces) -> frozenset[str]:
    """Return what may stand before the colon in a call of a template, case-folded."""
    return namespaces.names.get(TEMPLATE, frozenset()) | _MODIFIERS


def template_name(raw: str, namespaces: Namespaces) -> str | None:
    """Return the template that `{{raw...` calls, without prefix, or None if it calls none.

    `{{:POV}}` calls the article of that name, and `{{#if:` a parser function: no templates.
    """
    name = clean_title(html.unescape(raw) if "&" in raw else raw)
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


def redirect_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches the start of a redirect, given the words of all languages."""
    alternatives = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"\s*+(?:{alternatives})\s*+(?::\s*+)?\[\[", re.IGNORECASE)


# A host and a port. Not "en.wikipedia.org@evil.example", which looks like another host.
_HOST = re.compile(r"[\w.-]+(?::[0-9]{1,5})?|\[[0-9a-fA-F:.]+\](?::[0-9]{1,5})?")


def diff_url(base: str, before: int | None, after: int) -> str:
    """Return the URL of a diff, given the wiki's base URL from its dump; "" if that is no URL."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc):
        return ""
    root, script, _ = parts.path.partition("index.php")
    path = quote(root + script, safe="/%~!$'()*+,;=:@") if script else "/w/index.php"
    wikimedia = parts.netloc.endswith((".wikipedia.org", ".wikimedia.org"))
    scheme = "https" if wikimedia else parts.scheme
    older = "" if before is None else f"&oldid={before}"
    return f"{scheme}://{parts.netloc}{path}?diff={after}{older}"

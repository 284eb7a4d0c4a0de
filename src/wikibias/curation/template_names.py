"""Which templates a wikitext calls, by their titles: for the census."""

from __future__ import annotations

import re
from functools import lru_cache

from wikibias.mediawiki import titles
from wikibias.mediawiki.namespaces import Namespaces, template_name
from wikibias.tags.template_parser import active, calls

_REMEMBERED = 1 << 14
# What cannot stand in a title (MediaWiki's $wgLegalTitleChars), and what stands for a gap.
_IMPOSSIBLE = re.compile(r"[\[\]{}|<>#\x00-\x1f\x7f]")
_MAX_BYTES = 255
# A prefix and spaces may stand before a title.
_LONGEST_NAME = 500
# Parser functions that are written small; {{DEFAULTSORT:...}} and its like are known by their
# capitals, as most are in most languages.
_FUNCTIONS = frozenset(
    """anchorencode bidi canonicalurl filepath formatdate formatnum fullurl gender grammar int lc
    lcfirst localurl ns nse padleft padright plural special tag uc ucfirst urlencode subst
    safesubst ترتيب_افتراضي""".split()
)
# Variables, which look like a template without parameters.
_VARIABLE = re.compile(
    r"""(?x) (?: (?:FULL|BASE|SUB|ROOT|TALK|SUBJECT|ARTICLE)?PAGENAMEE? | (?:TALK|SUBJECT|ARTICLE)
    ?SPACEE? | NAMESPACE(?:E|NUMBER)? | (?:CURRENT|LOCAL)(?:YEAR|MONTH\w*|DAY\w*|TIME\w*|HOUR|WEEK|
    DOW|VERSION) | NUMBEROF\w+ | REVISION\w+ | PAGE(?:ID|LANGUAGE) | SITENAME | SERVER(?:NAME)? |
    SCRIPTPATH | STYLEPATH | DIR(?:ECTION)?MARK | CONTENTLANG(?:UAGE)? | ! )"""
)


class TemplateNames:
    """Tells the templates that a wikitext of one wiki calls, by their titles."""

    def __init__(self, namespaces: Namespaces) -> None:
        self._namespaces = namespaces
        # Every revision of a page calls nearly the same templates as the one before.
        self._title = lru_cache(_REMEMBERED)(self._title_of)

    def of(self, text: str) -> set[str]:
        """Return the titles of all templates that `text` calls, without the namespace.

        Parser functions, variables, pages of other namespaces and names that
        cannot be a title are none.
        """
        if "{{" not in text:
            return set()
        raw = (call.name for call in calls(active(text)))
        named = (self._title(name) for name in raw if len(name) <= _LONGEST_NAME)
        return {title for title in named if title is not None}

    def _title_of(self, raw: str) -> str | None:
        name = template_name(raw, self._namespaces)
        if name is None or _IMPOSSIBLE.search(name) or len(name.encode()) > _MAX_BYTES:
            return None
        if _VARIABLE.fullmatch(name):
            return None
        prefix, colon, _ = name.partition(":")
        if colon and (
            (prefix.isupper() and len(prefix) > 2)
            or prefix.replace(" ", "_").lower() in _FUNCTIONS
            or self._namespaces.knows(prefix)
        ):
            return None
        return titles.key(name, ignore_case=False)

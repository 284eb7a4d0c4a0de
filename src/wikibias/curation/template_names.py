"""Finds the titles of the templates that a wikitext calls, to count them."""

from __future__ import annotations

import re
from functools import lru_cache

from wikibias.mediawiki import titles
from wikibias.mediawiki.namespaces import Namespaces, template_name
from wikibias.tags.template_parser import LONGEST_NAME, active, calls

_CACHE_SIZE = 1 << 14
# Characters that a title cannot contain (see MediaWiki's $wgLegalTitleChars).
_IMPOSSIBLE = re.compile(r"[\[\]{}|<>#\x00-\x1f\x7f]")
_MAX_BYTES = 255
# Parser functions in lower case. Most others, such as {{DEFAULTSORT:...}}, are recognised by their
# capital letters, in most languages.
_FUNCTIONS = frozenset(
    """anchorencode bidi canonicalurl filepath formatdate formatnum fullurl gender grammar int lc
    lcfirst localurl ns nse padleft padright plural special tag uc ucfirst urlencode subst
    safesubst ترتيب_افتراضي""".split()
)
# Magic words, which look like a template without parameters.
_VARIABLE = re.compile(
    r"""(?x) (?: (?:FULL|BASE|SUB|ROOT|TALK|SUBJECT|ARTICLE)?PAGENAMEE? | (?:TALK|SUBJECT|ARTICLE)
    ?SPACEE? | NAMESPACE(?:E|NUMBER)? | (?:CURRENT|LOCAL)(?:YEAR|MONTH\w*|DAY\w*|TIME\w*|HOUR|WEEK|
    DOW|VERSION) | NUMBEROF\w+ | REVISION\w+ | PAGE(?:ID|LANGUAGE) | SITENAME | SERVER(?:NAME)? |
    SCRIPTPATH | STYLEPATH | DIR(?:ECTION)?MARK | CONTENTLANG(?:UAGE)? | ! )"""
)


class TemplateNames:
    """Finds the templates that wikitexts of one wiki call."""

    def __init__(self, namespaces: Namespaces) -> None:
        self._namespaces = namespaces
        # Every revision of a page calls nearly the same templates as the previous one.
        self._title = lru_cache(_CACHE_SIZE)(self._title_of)

    def of(self, text: str) -> set[str]:
        """Return the titles of all templates that `text` calls, without the namespace.

        Leaves out parser functions, magic words, pages of other namespaces, and names that cannot
        be a title.
        """
        if "{{" not in text:
            return set()
        raw = (call.name for call in calls(active(text)))
        named = (self._title(name) for name in raw if len(name) <= LONGEST_NAME)
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

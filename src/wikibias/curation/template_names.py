"""Finds the titles of the templates that a wikitext calls, to count them.

To know calls, braces must be paired; to know their names, hardly ever. Two braces open a call
wherever it closes, and its name ends at the first bar or at two closing braces, unless a brace or a
bracket comes before, of which no title can be made. So a pattern tells the names, and the exact
parser reads only the texts where that does not hold.
"""

import re
from contextlib import suppress
from functools import lru_cache

from wikibias.dumps.xml.revision_parser import scanned_text
from wikibias.mediawiki import titles
from wikibias.mediawiki.titles import Namespaces, template_name
from wikibias.records import Revision
from wikibias.tags.template_parser import LONGEST_NAME, active, calls, settled_active

_CACHE_SIZE = 1 << 14
# A parameter without braces and brackets in it; a call up to what ends its name, or tells that it
# is no title: "|", "}}", a bracket, or an opening brace, which is left; else the braces alone.
_OPENING = re.compile(
    r"\{\{\{(?!\{)[^{}\[\]]*+\}\}\}"
    rf"|\{{\{{(?!\{{)[^{{}}\[\]|]{{0,{LONGEST_NAME}}}+(?:\||\}}\}}|[\[\]]|(?=\{{))"
    r"|\{\{+"
)
# Characters that the parser reads of a call which is never closed and has no bar, on one line.
_UNCLOSED_NAME = 200
# Stands for a name that an opening alone does not tell; no title is empty.
_UNTOLD = ""
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
    """Finds the templates that wikitexts of one wiki call.

    Leaves out parser functions, magic words, pages of other namespaces, and names that cannot be a
    title. Titles come without the namespace.
    """

    def __init__(self, namespaces: Namespaces) -> None:
        self._namespaces = namespaces
        # Every revision of a page calls nearly the same templates as the previous one.
        self._title = lru_cache(_CACHE_SIZE)(self._title_of)
        self._told = lru_cache(_CACHE_SIZE)(self._told_by)
        every = (name for names in namespaces.names.values() for name in names)
        self._has_odd_namespace = any(map(_IMPOSSIBLE.search, every))

    def of(self, text: str) -> frozenset[str]:
        """Return the titles of all templates that a text calls."""
        if "{" not in text:
            return frozenset()
        told = self._told_in(active(text))
        return self.parsed(text) if told is None else told

    def parsed(self, text: str) -> frozenset[str]:
        """Return what `of` does, by the exact parser."""
        raw = (call.name for call in calls(active(text)))
        named = (self._title(name) for name in raw if len(name) <= LONGEST_NAME)
        return frozenset(title for title in named if title is not None)

    def of_piece(self, text: str, *, is_last: bool) -> frozenset[str] | None:
        """Return the titles of all templates that a piece of a text calls; None: it cannot tell.

        The piece begins where one before it ended that could tell, or the text begins. Unless it
        is the last, it ends at the end of a line. Then the text calls what its pieces call.
        """
        if "<" not in text:
            return self._told_in(text)
        shown = active(text) if is_last else settled_active(text)
        return None if shown is None else self._told_in(shown)

    def _told_in(self, shown: str) -> frozenset[str] | None:
        """Return the titles that the openings in an active wikitext tell; None if one does not."""
        openings = _OPENING.findall(shown)
        if not openings:
            return frozenset()
        if self._has_odd_namespace:
            return None
        found = set(map(self._told, openings))
        return None if _UNTOLD in found else frozenset(filter(None, found))

    def _told_by(self, opening: str) -> str | None:
        """Return the title that an opening tells; None for no title."""
        if opening.endswith("{"):
            return _UNTOLD
        if opening.endswith("|"):
            return self._title_of(opening[2:-1])
        if opening.endswith("}}}"):
            return None
        if opening.endswith("}}"):
            return self._title_of(opening[2:-2])
        # Whatever follows, the name holds this brace or bracket; it can be a title only if that
        # stands behind a "#", or if the call is never closed and the name ends with its line.
        name = opening[2:] if opening[-1] in "[]" else opening[2:] + "{"
        on_one_line = "\n" not in name.lstrip() and len(name) <= _UNCLOSED_NAME
        return None if on_one_line and self._title_of(name) is None else _UNTOLD

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
        return titles.title_key(name, ignore_case=False)


Names = frozenset[str]
# The least bytes of a piece of a text, and those of all pieces that are remembered.
_SIZE, _MOST_BYTES = 2000, 1 << 24


class CalledNames:
    """Finds the titles that one revision after another calls.

    A text is cut at ends of lines into pieces of `size` bytes at least. Most of them are known from
    the revision before, so that only those with a change are read.
    """

    def __init__(self, names: TemplateNames, size: int = _SIZE) -> None:
        self._names = names
        self._size = size
        # What pieces call, escaped as in the XML; None for one that cannot tell.
        self._known: dict[bytes, Names | None] = {}
        self._bytes = 0

    def of(self, revision: Revision) -> Names:
        """Return what `TemplateNames.of` finds in the text of a revision; the text is known.

        Raises:
            DumpError: the text is not well-formed.
        """
        raw = revision.raw_text
        with suppress(ValueError):
            if raw is not None and (found := self._by_pieces(raw)) is not None:
                return found
        return self._names.of(revision.peek() or "")

    def _by_pieces(self, raw: bytes) -> Names | None:
        """Return the titles that a text calls; None if its pieces cannot tell.

        Raises:
            ValueError: a piece is not well-formed.
        """
        found = set[Names]()
        begin, size = 0, self._size
        while begin < len(raw):
            end = raw.find(b"\n", begin + size - 1) + 1 or len(raw)
            names = self._of_piece(raw[begin:end], is_last=end == len(raw))
            if names is not None:
                found.add(names)
                begin, size = end, self._size
            elif end == len(raw):
                return None
            else:
                size = 2 * (end - begin)
        return frozenset().union(*found)

    def _of_piece(self, piece: bytes, *, is_last: bool) -> Names | None:
        if is_last:
            return self._names.of_piece(scanned_text(piece), is_last=True)
        if piece not in self._known:
            self._bytes += len(piece)
            if self._bytes > _MOST_BYTES:
                self._known, self._bytes = {}, len(piece)
            self._known[piece] = self._names.of_piece(scanned_text(piece), is_last=False)
        return self._known[piece]

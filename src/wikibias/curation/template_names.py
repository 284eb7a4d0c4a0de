"""Finds the titles of the templates that a wikitext calls, to count them.

To know calls, braces must be paired; to know their names, hardly ever. Two braces open a call
wherever it closes, and its name ends at the first bar or at two closing braces, unless a brace or a
bracket comes before, of which no title can be made. So a pattern tells the names, and the exact
parser reads only the texts where that does not hold.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from wikibias.dumps.xml.revision_parser import ScannedRevision, scanned_text
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
# How many texts to compare with: after a revert a page is what it was before.
_REMEMBERED_TEXTS = 3
# The least bytes of a piece; a long text has no more than so many pieces.
_SIZE, _MOST_PIECES = 400, 64
# What differs from one text in fewer bytes need not be compared with another.
_SMALL_CHANGE = 1000
_LINE_END = ord("\n")


class _Cut(NamedTuple):
    """A text, escaped as in the XML: where its pieces end, what each calls, and what all call.

    It has no pieces if they cannot tell. Only the last may tell because it is the last.
    """

    raw: bytes
    ends: list[int]
    names: list[Names]
    all_names: Names


class _Difference(NamedTuple):
    """Which pieces of a text, from `first` to `last`, another one does not have.

    That has the bytes from `begin` to `stop` instead.
    """

    old: _Cut
    first: int
    last: int
    begin: int
    stop: int


_BLANK = _Cut(b"", [0], [frozenset()], frozenset())


class CalledNames:
    """Finds the titles that one revision of a page after another calls.

    A piece has `size` bytes at least.
    """

    def __init__(self, names: TemplateNames, size: int = _SIZE) -> None:
        self._names = names
        self._size = size
        self._known: list[_Cut] = []

    def begin_page(self) -> None:
        """Forget the texts of the previous page."""
        self._known.clear()

    def of(self, revision: Revision) -> Names:
        """Return what `TemplateNames.of` finds in the text of a revision; the text is known.

        Raises:
            DumpError: the text is not well-formed.
        """
        if not isinstance(revision, ScannedRevision):
            return self._names.of(revision.text or "")
        raw = revision.chunk[revision.start : revision.stop]
        for number, known in enumerate(self._known):
            if known.raw == raw:
                self._known.insert(0, self._known.pop(number))
                return known.all_names
        try:
            found = self._cut(raw, self._least_difference(raw))
        except ValueError:
            found = None
        if found is None:
            found = _Cut(raw, [], [], self._names.of(revision.peek() or ""))
        self._known = [found, *self._known[: _REMEMBERED_TEXTS - 1]]
        return found.all_names

    def _least_difference(self, raw: bytes) -> _Difference:
        """Return how a text differs from a known one, the one that is most like it."""
        least = _Difference(_BLANK, 0, 0, 0, len(raw))
        for known in self._known:
            if known.ends:
                found = _difference(known, raw)
                if found.stop - found.begin <= least.stop - least.begin:
                    least = found
                if least.stop - least.begin < _SMALL_CHANGE:
                    break
        return least

    def _cut(self, raw: bytes, difference: _Difference) -> _Cut | None:
        """Return a text cut where the old one is, but for the difference; None if it cannot tell.

        Raises:
            ValueError: what differs is not well-formed.
        """
        old, first, last, begin, stop = difference
        final = len(old.ends) - 1
        while (pieces := self._pieces(raw, begin, stop)) is None:
            if last == final:
                return None
            last = min(2 * last - first + 1, final)
            stop = len(raw) - len(old.raw) + old.ends[last]
        ends, names = pieces
        was, now = frozenset().union(*old.names[first : last + 1]), frozenset().union(*names)
        grown = len(raw) - len(old.raw)
        ends = [*old.ends[:first], *ends, *(end + grown for end in old.ends[last + 1 :])]
        names = [*old.names[:first], *names, *old.names[last + 1 :]]
        if not ends:
            return _BLANK
        return _Cut(raw, ends, names, old.all_names if was == now else frozenset().union(*names))

    def _pieces(self, raw: bytes, begin: int, stop: int) -> tuple[list[int], list[Names]] | None:
        """Return where the pieces from `begin` to `stop` end, and what each calls, if they tell.

        Raises:
            ValueError: a piece is not well-formed.
        """
        ends, names = list[int](), list[Names]()
        size = least = max(self._size, len(raw) // _MOST_PIECES)
        while begin < stop:
            end = raw.find(b"\n", begin + size - 1, stop) + 1 or stop
            is_last = end == len(raw)
            told = None
            if is_last or raw[end - 1] == _LINE_END:
                told = self._names.of_piece(scanned_text(raw[begin:end]), is_last=is_last)
            if told is not None:
                ends.append(end)
                names.append(told)
                begin, size = end, least
            elif end == stop:
                return None
            else:
                size = 2 * (end - begin)
        return ends, names


def _difference(old: _Cut, raw: bytes) -> _Difference:
    """Return which pieces of a text another one lacks, by halving: each comparison is quick."""
    text, ends, _, _ = old
    first, most, begin = 0, len(ends) - 1, 0
    while first < most:
        middle = (first + most + 1) // 2
        end = ends[middle - 1]
        if raw.startswith(text[begin:end], begin):
            first, begin = middle, end
        else:
            most = middle - 1
    grown = len(raw) - len(text)
    least, last, stop = first, len(ends) - 1, len(raw)
    while least < last:
        middle = (least + last) // 2
        end = ends[middle] + grown
        if end >= begin and raw.startswith(text[end - grown : stop - grown], end):
            last, stop = middle, end
        else:
            least = middle + 1
    return _Difference(old, first, last, begin, stop)

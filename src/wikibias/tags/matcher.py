"""Tags in a wikitext, and where each stands; exact: scanners are compared with it."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter, itemgetter

from wikibias import mediawiki
from wikibias.mediawiki import Namespaces, template_name
from wikibias.tags import template_parser
from wikibias.tags.tagset import Tag, TagSet, Wrapper

_REMEMBERED = 1 << 14
# No title holds it.
_NUMBER = "#"
_START = itemgetter(0)
_SOMETHING = re.compile(r"\S")
# A name begins after an opening of braces and ends, at the latest, at one of these.
_NAME = re.compile(r"\{\{\s*([^{}|\[\]\n]+)")


class Matcher:
    """Finds the tags of one tag set in the wikitext of one wiki.

    With `per_place`, the second of a name on a page is a tag of its own, `Clarify#2`, and so on.
    """

    def __init__(self, tagset: TagSet, namespaces: Namespaces, *, per_place: bool = False) -> None:
        self._tagset = tagset
        self._listed = _numbered if per_place else _first_of_each
        self.namespaces = namespaces
        self._tags = {key: tag.name for key, tag in tagset.by_key().items()}
        self._wrappers = tagset.wrappers_by_key()
        # Every revision of a page calls nearly the same templates as the one before.
        self._remembered = lru_cache(_REMEMBERED)(self._key_of)

    def tags(self, text: str) -> dict[str, str]:
        """Return the canonical tags that `text` calls, each with the name as it was written.

        A tag inside a wrapper's parameter is given as `Wrapper|parameter`. In order of
        appearance; the first spelling of a tag counts.
        """
        if "{{" not in text:
            return {}
        text = template_parser.active(text)
        return (
            self._listed(self.found(template_parser.calls(text))) if self._names_any(text) else {}
        )

    def settled_tags(self, text: str) -> dict[str, str] | None:
        """Return what `tags` does, if that is so whatever follows on a new line; else None."""
        shown = template_parser.settled_active(text)
        if shown is None:
            return None
        unclosed: list[int] = []
        found = self._listed(self.found(template_parser.calls(shown, unclosed)))
        return None if unclosed else found

    def found(
        self, among: Iterable[template_parser.Call]
    ) -> Iterator[tuple[str, str, template_parser.Call]]:
        """Yield tag, name as written, and call, of every tag among some calls."""
        for call in among:
            for tag, alias in self._of_call(call):
                yield tag, alias, call

    def without_tags(self, parsed: template_parser.ParsedWikitext) -> str:
        """Return the active wikitext without calls of tags and wrappers.

        What a wrapper holds besides tags, in calls of its own, stays, so that folding tags into a
        wrapper or out of it changes nothing.
        """
        text = parsed.text
        if not self._names_any(text):
            return text
        cut: list[tuple[int, int]] = []
        # Calls that stay, in order, those inside of others left out.
        kept: list[tuple[int, int]] = []
        for call in parsed.calls:
            named = self._key(call.name)
            key = named[1] if named else ""
            if key in self._wrappers:
                cut += _around(call, kept)
            elif key in self._tags:
                cut.append((call.start, call.end))
            else:
                # Calls come inner before outer, so what began later lies inside of this one.
                while kept and kept[-1][0] > call.start:
                    kept.pop()
                kept.append((call.start, call.end))
        return _without(text, cut)

    def _key(self, raw: str) -> tuple[str, str] | None:
        return self._remembered(raw) if len(raw) <= template_parser.LONGEST_NAME else None

    def _key_of(self, raw: str) -> tuple[str, str] | None:
        # MediaWiki shows a call as text if its name has a line break between words.
        name = None if "\n" in raw.strip() else template_name(raw, self.namespaces)
        return None if name is None else (name, self._tagset.key(name))

    def _names_any(self, text: str) -> bool:
        """Tell, sooner than by looking for calls, whether there may be one of a tag or wrapper."""
        return any(self._is_tag_name(m.group(1)) for m in _NAME.finditer(text))

    def _is_tag_name(self, raw: str) -> bool:
        named = self._key(raw)
        return named is not None and (named[1] in self._tags or named[1] in self._wrappers)

    def _of_call(self, call: template_parser.Call) -> list[tuple[str, str]]:
        named = self._key(call.name)
        if named is None:
            return []
        name, key = named
        if key in self._tags:
            return [(self._tags[key], name)]
        wrapper = self._wrappers.get(key)
        return [] if wrapper is None else self._inside(wrapper, name, call)

    def _inside(
        self, wrapper: Wrapper, name: str, call: template_parser.Call
    ) -> list[tuple[str, str]]:
        found = []
        for left, sign, start, end in call.parameters:
            tag = None
            if sign == "=":
                # An empty parameter shows nothing, as in {{Article issues|POV=}}.
                if _SOMETHING.search(call.text, start, end):
                    tag = wrapper.parameters.get(mediawiki.clean_title(left).casefold())
            elif not sign and wrapper.positional:
                tag = wrapper.parameters.get(mediawiki.clean_title(left).casefold())
                tag = tag or self._tags.get(self._tagset.key(left))
            if tag is not None:
                found.append((tag, f"{name}|{mediawiki.clean_title(left)}"))
        return found


def _first_of_each(found: Iterator[tuple[str, str, template_parser.Call]]) -> dict[str, str]:
    tags: dict[str, str] = {}
    for tag, alias, _ in found:
        tags.setdefault(tag, alias)
    return tags


def _numbered(found: Iterator[tuple[str, str, template_parser.Call]]) -> dict[str, str]:
    """Return all tags that are found, those of one name with their numbers from the second on."""
    tags: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for tag, alias, _ in found:
        seen[tag] += 1
        tags[tag if seen[tag] == 1 else f"{tag}{_NUMBER}{seen[tag]}"] = alias
    return tags


def without_number(tag: str) -> str:
    """Return the canonical name of a tag, whichever of its name on the page it is."""
    return tag.partition(_NUMBER)[0]


def _around(call: template_parser.Call, kept: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what of a wrapper lies between the `kept` calls inside of it, as start and end.

    What is between the calls inside a closed one goes, whatever wraps it: in `kept` they become
    one, as else each wrapper around them would look at all of them again.
    """
    first = bisect_right(kept, call.start, key=_START)
    last = len(kept) if call.closed else bisect_left(kept, call.end, key=_START)
    inside, position = kept[first:last], call.start
    for start, end in inside:
        yield position, start
        position = end
    yield position, call.end
    if call.closed and inside:
        kept[first:] = [(inside[0][0], inside[-1][1])]


def _without(text: str, cut: list[tuple[int, int]]) -> str:
    pieces, position = [], 0
    for start, end in sorted(cut):
        pieces.append(text[position:start])
        position = max(position, end)
    return "".join([*pieces, text[position:]])


_HEADING_LINE = re.compile(r"(?m)^=.*=[ \t\x00]*$")
_MOST_LEVELS = 6
_LINE_START = attrgetter("start")
# {{POV|section}}, in Czech {{NPOV|část}}: a template of articles said to be about a section.
_SECTION_WORDS = frozenset(("section", "sect", "část"))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a wikitext: where its line starts, its level, and its wikitext.

    `end` is where its section ends, subsections included.
    """

    start: int
    level: int
    title: str
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where one call of a tag stands in an active wikitext.

    `section` is the wikitext of the heading above it, "" in the lead. The tag is about what
    stands from `start` to `end`: the article, the section with its subsections, the line that
    an inline tag stands in (`before` being where in that line), or the text that it wraps.
    """

    scope: str
    section: str
    start: int
    end: int
    call: template_parser.Call


def place_of(text: str, found: Sequence[Heading], call: template_parser.Call, tag: Tag) -> Place:
    """Return where a call of `tag` stands in an active wikitext, and what it is about.

    `found` are the `headings` of the wikitext. A section tag in the lead is about the lead. A
    wrapping tag that wraps nothing stands behind what it is about, as an inline one does.
    """
    number = bisect_left(found, call.start, key=_LINE_START)
    above = found[number - 1] if number else None
    section = above.title if above else ""
    scope = tag.scope
    if (
        scope == "article"
        and above
        and any(not p.sign and p.left.strip().lower() in _SECTION_WORDS for p in call.parameters)
    ):
        scope = "section"
    start, end = 0, len(text)
    if scope == "section":
        lead = 0, found[0].start if found else len(text)
        start, end = (above.start, above.end) if above else lead
    elif scope == "wrapping":
        start, end = _parameter(call, tag.text)
        scope = "wrapping" if text[start:end].strip() or _may_wrap(call) else "inline"
    if scope == "inline":
        start = text.rfind("\n", 0, call.start) + 1
        line_end = text.find("\n", call.end)
        end = line_end if line_end >= 0 else len(text)
    return Place(scope, section, start, end, call)


def headings(text: str) -> list[Heading]:
    """Return the headings of an active wikitext; as many = signs count as both sides have."""
    found: list[Heading] = []
    # Where a section of each level ends, seen from the end of the text.
    ends = [len(text)] * (_MOST_LEVELS + 1)
    for start, level, title in reversed(list(_heading_lines(text))):
        found.append(Heading(start, level, title, ends[level]))
        ends[level:] = [start] * (_MOST_LEVELS + 1 - level)
    found.reverse()
    return found


def _heading_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each heading starts, its level, and its wikitext."""
    for line in _HEADING_LINE.finditer(text):
        marked = line.group().rstrip(" \t\x00")
        left = len(marked) - len(marked.lstrip("="))
        right = len(marked) - len(marked.rstrip("="))
        level = min(left, right, _MOST_LEVELS)
        title = marked[level:-level].strip()
        if title:
            yield line.start(), level, title


def _may_wrap(call: template_parser.Call) -> bool:
    """Return whether an editor meant to wrap a text, in which an equals sign reads as a name."""
    return any(p.sign == "=" and len(p.left.split()) > 1 for p in call.parameters)


def _parameter(call: template_parser.Call, name: str) -> tuple[int, int]:
    """Return where the value of a parameter stands, the first unnamed one being "1"."""
    unnamed = 0
    for left, sign, start, end in call.parameters:
        # An equals sign inside of a link, an element or a call names nothing.
        named = sign == "="
        unnamed += not named
        if (left.strip() if named else str(unnamed)) == name:
            return start, end
    return call.start, call.start

"""Scanners of dumps for tags and for marks of featured articles; they match seldom."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from wikibias.config.languages import FeaturedMarks
from wikibias.dumps.xml import fast_reader, revision_parser
from wikibias.mediawiki import CATEGORY, Namespaces, clean_title, title_key
from wikibias.tags.matcher import Matcher
from wikibias.tags.prefilter import ByteSearch, beginnings_pattern, names_pattern
from wikibias.tags.tagset import Tag, TagSet, Wrapper, no_tags
from wikibias.tags.template_parser import active, same_tags
from wikibias.text.similarity import changed_lines

# How many texts to compare with: in an edit war, a page changes between a few versions.
_REMEMBERED_TEXTS = 3
_NEVER = 1 << 62
# How many lines after the last possible name to try as the end of the decisive prefix.
_LINES = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class _MatchedText:
    """A text and its tags. If `prefix` is not None, the tags depend on that prefix only."""

    text: bytes
    tags: Mapping[str, str]
    prefix: bytes | None


class TagScanner:
    """Finds the tags of one tag set in texts that are escaped as in a dump's XML."""

    def __init__(self, tagset: TagSet, matcher: Matcher) -> None:
        self._names = revision_parser.compiled(names_pattern(tagset, matcher.namespaces))
        # Faster than `re`; google-re2 is faster still.
        self._sieve = (
            ByteSearch(self._names, beginnings_pattern(tagset, matcher.namespaces))
            if isinstance(self._names, re.Pattern)
            else None
        )
        self._wrappers = (
            revision_parser.compiled(names_pattern(tagset, matcher.namespaces, wrappers_only=True))
            if tagset.wrappers
            else None
        )
        self._matcher = matcher
        self._matched: list[_MatchedText] = []

    def begin_page(self) -> None:
        """Forget the texts of the previous page."""
        self._matched.clear()

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return the next position of a possible tag or wrapper; if none, beyond the end."""
        if self._sieve is not None:
            at = self._sieve.first(chunk, start, end)
            return _NEVER if at < 0 else at
        hit = self._names.search(chunk, start, end)
        return _NEVER if hit is None else int(hit.start())

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> Mapping[str, str]:
        """Return what the exact matcher finds in `chunk[start:stop]`, whose first hit is `hit`."""
        text = chunk[start:stop]
        for number, matched in enumerate(self._matched):
            if matched.text == text:
                self._matched.insert(0, self._matched.pop(number))
                return matched.tags
        found = self._incrementally(chunk, start, stop, text) or self._fully(
            chunk, start, stop, text, hit
        )
        self._matched = [found, *self._matched[: _REMEMBERED_TEXTS - 1]]
        return found.tags

    def _incrementally(
        self, chunk: bytes, start: int, stop: int, text: bytes
    ) -> _MatchedText | None:
        """Return the text with the tags of an earlier one if they must be the same."""
        for matched in self._matched:
            prefix = matched.prefix
            if (
                prefix is not None
                and text.startswith(prefix)
                and self.next_hit(chunk, start + len(prefix), stop + 1) > stop
            ):
                return _MatchedText(text, matched.tags, prefix)
        for matched in self._matched:
            if same_tags(matched.text, text, self._names, self._wrappers):
                return _MatchedText(text, matched.tags, _decisive_prefix(matched, text))
        return None

    def _fully(self, chunk: bytes, start: int, stop: int, text: bytes, hit: int) -> _MatchedText:
        """Run the exact matcher on a prefix of the text if that is decisive, else on all of it."""
        last = hit
        while (hit := self.next_hit(chunk, last + 2, stop + 1)) <= stop:
            last = hit
        end, line = last - start, 0
        for wanted in _LINES:
            while line < wanted and end >= 0:
                end = text.find(b"\n", end) + 1 or -1
                line += 1
            if end < 0:
                break
            prefix = text[:end]
            tags = self._matcher.settled_tags(revision_parser.plain_text(prefix))
            if tags is not None:
                return _MatchedText(text, tags, prefix)
        return _MatchedText(text, self._matcher.tags(revision_parser.plain_text(text)), None)


def _decisive_prefix(matched: _MatchedText, text: bytes) -> bytes | None:
    """Return the prefix that decides the tags of `text`, if only that of `matched` changed."""
    if matched.prefix is None:
        return None
    after = matched.text[len(matched.prefix) :]
    prefix = text[: len(text) - len(after)]
    return prefix if prefix.endswith(b"\n") and text.endswith(after) else None


PREFIX = "Category:"
"""What the canonical name of a category begins with, whatever the wiki calls the namespace."""
_ESCAPES = {"'": "(?:'|&#039;)", '"': '(?:"|&quot;)', "&": "&amp;", ">": "&gt;", "<": "&lt;"}
_SPACE = r"[ _\t]"
# What may open or close a comment, or an element that is not read.
_EDGES = (b"&lt;", b"&gt;", b">")


class CategoryMatcher:
    """Finds links that put a page into one of some categories, in the wikitext of one wiki.

    The case of the first letter of a name is ignored, and that of the namespace.
    """

    def __init__(self, names: Iterable[str], namespaces: Namespaces) -> None:
        self._names = {
            title_key(name, ignore_case=False): PREFIX + clean_title(name) for name in names
        }
        prefixes = sorted(namespaces.names.get(CATEGORY, ()))
        source = _source(sorted(self._names), prefixes, {})
        self._links = re.compile(source)
        self.pattern = _source(sorted(self._names), prefixes, _ESCAPES).encode()

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._names)

    def found(self, text: str) -> dict[str, str]:
        """Return the canonical name of each category, and its name as it was written."""
        if not self._names or self._links.search(text) is None:
            return {}
        found: dict[str, str] = {}
        for link in self._links.finditer(active(text)):
            written = clean_title(link[1])
            # The small form of a letter, as of the Turkish I, may be another name's first.
            name = self._names.get(title_key(written, ignore_case=False))
            if name is not None:
                found.setdefault(name, written)
        return found


class CategoryScanner:
    """Finds categories in texts that are escaped as in a dump's XML."""

    def __init__(self, matcher: CategoryMatcher) -> None:
        self._matcher = matcher
        self._pattern = revision_parser.compiled(matcher.pattern)
        self._last: tuple[bytes, dict[str, str]] | None = None

    def begin_page(self) -> None:
        """Forget the text of the previous page."""
        self._last = None

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return the next position of a possible link; if none, beyond the end."""
        hit = self._pattern.search(chunk, start, end)
        return _NEVER if hit is None else int(hit.start())

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> dict[str, str]:
        """Return what the exact matcher finds in `chunk[start:stop]`, whose first hit is `hit`."""
        text = chunk[start:stop]
        last = self._last
        if last is not None and self._has_the_same(last[0], text):
            found = last[1]
        else:
            found = self._matcher.found(revision_parser.plain_text(text))
        self._last = text, found
        return found

    def _has_the_same(self, old: bytes, new: bytes) -> bool:
        """Return True only if two texts certainly put a page into the same categories.

        That is so where the lines that differ hold no link of the list, and nothing by which
        other links could begin or cease to be read.
        """
        if old == new:
            return True
        start, old_end, new_end = changed_lines(old, new, b"\n")
        return not any(
            any(edge in part for edge in _EDGES) or self._pattern.search(part)
            for part in (old[start:old_end], new[start:new_end])
        )


def _source(names: Iterable[str], prefixes: Iterable[str], escapes: dict[str, str]) -> str:
    """Return a pattern for text, or with the escapes of XML for bytes; group 1 is the name."""
    spaces = f"{_SPACE}*"
    any_prefix = "|".join(_any_case(prefix, escapes) for prefix in prefixes)
    titles = "|".join(
        _any_case(name[:1], escapes) + _name_pattern(name[1:], escapes) for name in names
    )
    return rf"\[\[{spaces}(?:{any_prefix}){spaces}:{spaces}({titles}){spaces}(?:\||\]\])"


def _name_pattern(text: str, escapes: dict[str, str]) -> str:
    return "".join(
        f"{_SPACE}+" if letter == " " else escapes.get(letter) or re.escape(letter)
        for letter in text
    )


def _any_case(text: str, escapes: dict[str, str]) -> str:
    """Return a pattern of a text in any case; not a class, whose letters may be several bytes."""
    each = []
    for letter in text:
        forms = dict.fromkeys([letter, letter.upper(), letter.lower()])
        each.append("(?:" + "|".join(_name_pattern(form, escapes) for form in forms) + ")")
    return "".join(each)


class FeaturedMatcher:
    """Finds the marks of featured articles in the wikitext of one wiki.

    Args:
        lang: the language of the wiki.
        named: the templates and the categories that are marks there.
        namespaces: those of the wiki.
    """

    def __init__(self, lang: str, named: FeaturedMarks, namespaces: Namespaces) -> None:
        names = sorted(set(named.templates))
        valued = [name.partition("|") for name in names if "|" in name]
        plain = [Tag(name, "featured") for name in names if "|" not in name]
        wrappers = [
            Wrapper(name, parameters={value.casefold(): f"{name}|{value}"}, positional=True)
            for name, _, value in valued
        ]
        empty = no_tags("featured", lang)
        self._tagset = replace(empty, tags=tuple(plain), wrappers=tuple(wrappers))
        self._templates = Matcher(self._tagset, namespaces)
        self._categories = CategoryMatcher(named.categories, namespaces)
        self._canonical = frozenset(names)

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._canonical or self._categories)

    def tags(self, text: str) -> dict[str, str]:
        """Return the canonical marks of a wikitext, each with the name as it was written."""
        return {**self._templates.tags(text), **self._categories.found(text)}

    def among(self, tags: Mapping[str, str]) -> dict[str, str]:
        """Return those of some tags that are marks."""
        return {tag: name for tag, name in tags.items() if self._is_one(tag)}

    def apart(self, tags: Mapping[str, str]) -> Mapping[str, str]:
        """Return those of some tags that are no marks."""
        return {tag: name for tag, name in tags.items() if not self._is_one(tag)} if tags else tags

    def scanner(self, others: Sequence[fast_reader.Scanner]) -> fast_reader.Scanner:
        """Return what finds the marks in the bytes of a dump, and what other scanners find."""
        parts: list[fast_reader.Scanner] = [*others]
        if self._canonical:
            parts.append(TagScanner(self._tagset, self._templates))
        if self._categories:
            parts.append(CategoryScanner(self._categories))
        return _Together(parts)

    def _is_one(self, tag: str) -> bool:
        return tag in self._canonical or tag.startswith(PREFIX)


class _Together:
    """Several scanners as one; each looks at a chunk once."""

    def __init__(self, parts: Sequence[fast_reader.Scanner]) -> None:
        self._parts = parts
        self._chunk, self._end = b"", 0
        self._hits = [-1] * len(parts)

    def begin_page(self) -> None:
        """Forget the texts of the previous page."""
        for part in self._parts:
            part.begin_page()

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return the next position of a possible hit of any of them."""
        if chunk is not self._chunk or end != self._end:
            self._chunk, self._end = chunk, end
            self._hits = [-1] * len(self._parts)
        for number, part in enumerate(self._parts):
            if self._hits[number] < start:
                self._hits[number] = part.next_hit(chunk, start, end)
        return min(self._hits)

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> dict[str, str]:
        """Return what all of them find in `chunk[start:stop]`; `hit` was found just before."""
        found: dict[str, str] = {}
        for part, at in zip(self._parts, self._hits, strict=True):
            if hit <= at < stop:
                found |= part.tags(chunk, start, stop, at)
        return found

"""Marks of featured articles: templates and categories of their own wiki, in a wikitext.

A mark is a tag of a set of its own: the matcher and the scanner of tags find it, and read neither
comments nor nowiki. `Link FA` and its like speak of the article in another language, and are in no
such set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from wikibias.config.wiki_names import FeaturedMarks
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.tags.categories import PREFIX, CategoryMatcher, CategoryScanner
from wikibias.tags.entries import Tag, Wrapper
from wikibias.tags.matcher import Matcher
from wikibias.tags.scanner import TagScanner
from wikibias.tags.tagset import TagSet


class Scanner(Protocol):
    """Finds something in texts that are escaped as in a dump's XML; see `TagScanner`."""

    def begin_page(self) -> None:
        """Forget the texts of the previous page."""

    def next_hit(self, chunk: bytes, start: int, end: int) -> int:
        """Return the next position of a possible hit; if none, beyond the end."""

    def tags(self, chunk: bytes, start: int, stop: int, hit: int) -> Mapping[str, str]:
        """Return what is in `chunk[start:stop]`, of which the first hit is `hit`."""


class Marks:
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
        self._tagset = TagSet(
            name="featured",
            lang=lang,
            ignore_case=False,
            verified=True,
            tags=tuple(plain),
            wrappers=tuple(wrappers),
            version="",
        )
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

    def scanner(self, others: Sequence[Scanner]) -> Scanner:
        """Return what finds the marks in the bytes of a dump, and what other scanners find."""
        parts: list[Scanner] = [*others]
        if self._canonical:
            parts.append(TagScanner(self._tagset, self._templates))
        if self._categories:
            parts.append(CategoryScanner(self._categories))
        return _Together(parts)

    def _is_one(self, tag: str) -> bool:
        return tag in self._canonical or tag.startswith(PREFIX)


class _Together:
    """Several scanners as one; each looks at a chunk once."""

    def __init__(self, parts: Sequence[Scanner]) -> None:
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

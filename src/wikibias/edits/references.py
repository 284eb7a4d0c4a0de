"""Finds the references of a wikitext: `<ref>` elements and citation templates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wikibias.mediawiki import titles

# Each alternative begins with one character, and takes time that grows with the length only.
_TOKEN = re.compile(
    r"\{\{|\}\}|<(?:(?P<ref>ref(?=[\s/>])[^<>]*+>)|(?P<end>/ref\s*+>)"
    r"|(?P<unread>nowiki|pre)(?=[\s>])[^<>/]*+>)",
    re.IGNORECASE,
)
_CLOSED = {name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in ("ref", "nowiki", "pre")}
_NAME = re.compile(r"\s*+([^{}|<>\[\]\n]{1,100})")
# Templates that point at a source in the list of references, on most wikis that have them.
_SHORT = ("sfn", "sfnm", "sfnp", "harv", "harvnb", "harvtxt", "r", "refn")
# What the pieces of a reference that is cut off by a line are given as.
_PIECE = "<ref />"


class Reference(NamedTuple):
    """A reference: where it begins and ends in the wikitext, and its wikitext in single spaces."""

    start: int
    end: int
    source: str


class ReferenceFinder:
    """Finds references in wikitexts of one language.

    `templates` are the names of citation templates, beside those of short footnotes; one that ends
    with * stands for all names that begin like this. The case of names does not matter.
    """

    def __init__(self, templates: Iterable[str]) -> None:
        names = [*_SHORT, *templates]
        keys = (titles.key(name, ignore_case=True) for name in names)
        self._names = frozenset(key for key in keys if not key.endswith("*"))
        # "cite *" stands for no template that is called citelet.
        self._beginnings = tuple(name.casefold()[:-1] for name in names if name.endswith("*"))

    def __call__(self, wikitext: str) -> list[Reference]:
        """Return the references of a wikitext without comments, in order.

        One inside of another, as a citation template in a `<ref>`, is none of its own. What is
        never closed is none.
        """
        spans = sorted(self._spans(wikitext))
        found: list[Reference] = []
        for start, end in spans:
            if not found or start >= found[-1].end:
                found.append(Reference(start, end, " ".join(wikitext[start:end].split())))
        return found

    def _spans(self, wikitext: str) -> Iterator[tuple[int, int]]:
        # Begins of open calls; those of citations have True.
        calls: list[tuple[int, bool]] = []
        ends, at = _Ends(wikitext), 0
        while token := _TOKEN.search(wikitext, at):
            start, at = token.span()
            if token["ref"]:
                end = at if token["ref"].endswith("/>") else ends.behind(at, "ref")
                if end is not None:
                    yield start, end
                    at = end
            elif token["unread"]:
                at = ends.behind(at, token["unread"]) or at
            elif token.group() == "{{":
                calls.append((start, self._cites(wikitext, at)))
            elif token.group() == "}}" and calls:
                begin, cites = calls.pop()
                if cites:
                    yield begin, at

    def _cites(self, wikitext: str, at: int) -> bool:
        found = _NAME.match(wikitext, at)
        if found is None:
            return False
        name = titles.key(found[1], ignore_case=True)
        return name in self._names or (bool(self._beginnings) and name.startswith(self._beginnings))


class _Ends:
    """Finds where elements of a text end; looks for the end of none twice in vain."""

    def __init__(self, text: str) -> None:
        self._text, self._endless = text, set[str]()

    def behind(self, at: int, name: str) -> int | None:
        """Return where an element that is open at a place ends; None if it does not."""
        name = name.lower()
        if name in self._endless:
            return None
        if found := _CLOSED[name].search(self._text, at):
            return found.end()
        self._endless.add(name)
        return None


def whole_line(line: str) -> str:
    """Return a line of a wikitext without comments as one that stands by itself.

    What the lines before have opened, and what the lines behind close, is cut away: a reference to
    one without content, a template whole.
    """
    line = line.rpartition("-->")[2]
    calls: list[int] = []
    begin, lead, opened = 0, "", -1
    ends, at = _Ends(line), 0
    while token := _TOKEN.search(line, at):
        start, at = token.span()
        if token["unread"]:
            at = ends.behind(at, token["unread"]) or at
        elif token["ref"]:
            if not token["ref"].endswith("/>"):
                end = ends.behind(at, "ref")
                if end is None:
                    opened = start
                    break
                at = end
        elif token["end"]:
            begin, lead, calls = at, _PIECE, []
        elif token.group() == "{{":
            calls.append(start)
        elif calls:
            calls.pop()
        else:
            begin, lead = at, ""
    if opened >= 0 and not calls:
        return lead + line[begin:opened] + _PIECE
    return lead + line[begin : calls[0] if calls else len(line)]

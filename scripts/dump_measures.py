"""Counts what a dump is made of: sizes of pages and edits, markup, scripts, editors, reverts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import mwxml

from wikibias.dumps.compression.streams import open_part
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset

_NAME = re.compile(rb"\{\{[\s_]*+([^{}|<>\[\]\n#][^{}|<>\[\]\n]{0,200}+)")
_ODD_NAME = re.compile(rb"\{\{[^{}|<>\[\]\n\x80-\xff]{0,60}+[\x80-\xff]")
_MARGIN = 300  # bytes beside a change that are searched for names and tags too


@dataclass(slots=True)
class Measures:
    """What was counted in a dump. Lists have an item for each page or revision."""

    file_bytes: int = 0
    revisions: list[int] = field(default_factory=list)  # of each page
    sizes: list[int] = field(default_factory=list)  # bytes of each text
    changes: list[int] = field(default_factory=list)  # bytes of each that are new
    counts: Counter[str] = field(default_factory=Counter)
    names: set[bytes] = field(default_factory=set)
    names_of_page: list[int] = field(default_factory=list)  # in its last text
    letters: Counter[str] = field(default_factory=Counter)  # by script, in last texts


def measures(dump: Path, pages: int | None = None) -> Measures:
    """Count what a dump is made of, in its first `pages` pages or all."""
    found = Measures(file_bytes=dump.stat().st_size)
    matcher = Matcher(load_tagset("npov", "en"), Namespaces.of({}))
    with open_part(str(dump)) as (stream, _):
        for number, page in enumerate(mwxml.Dump.from_file(stream)):
            if number == pages:
                break
            _Page(found, matcher).count(page)
    return found


def stretch(old: bytes, new: bytes) -> tuple[int, int]:
    """Return where the part of `new` that `old` does not have begins and ends."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    return start, len(new) - end


def _common(one: bytes, other: bytes) -> int:
    """Return the length of the common beginning; halves what is compared at each step."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class _Page:
    """Counts one page, revision by revision."""

    def __init__(self, found: Measures, matcher: Matcher) -> None:
        self._found, self._matcher = found, matcher
        self._before = b""
        self._before_id: int | None = None
        self._seen: set[int] = set()
        self._tagged = False

    def count(self, page: Any) -> None:
        counts, number = self._found.counts, 0
        for revision in page:
            number += 1
            self._head(revision)
            if revision.text is not None:
                self._text(revision.text.encode("utf-8", "surrogatepass"))
        self._found.revisions.append(number)
        self._last(self._before)
        counts["redirects"] += page.redirect is not None
        counts["not articles"] += bool(page.namespace)
        counts["tagged"] += self._tagged

    def _head(self, revision: Any) -> None:
        counts, user = self._found.counts, revision.user
        parent = revision.parent_id
        counts["other parent"] += parent is not None and parent != self._before_id
        self._before_id = revision.id
        counts["minor"] += bool(revision.minor)
        name = (user.text or "") if user is not None else ""
        counts["anonymous"] += user is not None and user.id is None
        counts["bots"] += name.lower().rstrip("0123456789 ").endswith("bot")

    def _text(self, text: bytes) -> None:
        found, before = self._found, self._before
        found.sizes.append(len(text))
        for name, mark in (("calls", b"{{"), ("links", b"[["), ("references", b"<ref")):
            found.counts[name] += text.count(mark)
        found.counts["odd calls"] += sum(1 for _ in _ODD_NAME.finditer(text))
        found.counts["sections"] += text.count(b"\n==")
        if text == before:
            found.counts["same as before"] += 1
            found.changes.append(0)
        else:
            found.counts["reverts"] += bool(text) and hash(text) in self._seen
            start, end = stretch(before, text)
            found.changes.append(end - start)
            self._new(text[max(0, start - _MARGIN) : end + _MARGIN])
        self._seen.add(hash(text))
        self._before = text

    def _new(self, part: bytes) -> None:
        self._found.names.update(_names(part))
        self._tagged = self._tagged or bool(self._matcher.tags(part.decode("utf-8", "ignore")))

    def _last(self, text: bytes) -> None:
        self._found.names_of_page.append(len(set(_names(text))))
        for character, number in Counter(text.decode("utf-8", "ignore")).items():
            self._found.letters[_script(character)] += number


def _names(text: bytes) -> Iterator[bytes]:
    return (match[1].strip() for match in _NAME.finditer(text))


@cache
def _script(character: str) -> str:
    """Return the script of a letter by its Unicode name; nothing for other characters."""
    if not unicodedata.category(character).startswith(("L", "M")):
        return ""
    if character.isascii():
        return "ASCII"
    word = unicodedata.name(character, "OTHER").split()[0]
    groups = {"HIRAGANA": "kana", "KATAKANA": "kana", "CJK": "Han", "LATIN": "other Latin"}
    return groups.get(word, "other scripts")

"""The prefilter: one byte pattern for all names of a tag set. Where it does not match is no tag.

It searches the raw XML of a dump, so it handles XML escapes. It has no false negatives: it matches
every call that the exact matcher finds, and some others. It matches any call whose name contains
something unusual (a comment, an entity, a combining mark, a direction mark, a letter that case
folding turns into several).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from wikibias.mediawiki.titles import clean
from wikibias.tags.tagset import TagSet

# Everything that counts as a space in a title, and everything that `\s` matches.
_SPACE = (
    rb"(?:[\t-\r\x1c-\x20_]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe1\xa0\x8e"
    rb"|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80)"
)
# Any character except those that end a name.
_ANY = rb"(?:[^{}|\[\]&<]|&quot;|&gt;|&#039;)*"
_NAME_END = rb"[\n{}|\[\]#&<]"
_ESCAPED = {b"'": rb"(?:'|&#039;)", b'"': rb'(?:"|&quot;)'}
# Up to here, odd characters are listed one by one; from here on, in ranges of 64 characters.
_LISTED_UP_TO = 0x2100
# The Basic Multilingual Plane except characters without case or composition: ideographs, Hangul
# syllables, surrogates and the private use area.
_LETTERS = (range(0x3400), range(0xA000, 0xAC00), range(0xF900, 0x10000))


def names_pattern(tagset: TagSet, *, wrappers_only: bool = False) -> bytes:
    """Return a pattern that matches the XML of every text with a tag or wrapper of the set."""
    names = set(tagset.wrappers_by_key())
    if not wrappers_only:
        names |= set(tagset.by_key())
    return _pattern_of(tuple(sorted(clean(name).casefold() for name in names)))


# Remembered, because a run may have thousands of parts that take less time than this.
@lru_cache(4)
def _pattern_of(names: tuple[str, ...]) -> bytes:
    tree: dict[str, Any] = {}
    for name in names:
        branch = tree
        for letter in name:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    named = rb"(?:%b:)?%b*%b%b*%b" % (_ANY, _SPACE, _alternatives(tree), _SPACE, _NAME_END)
    strange = rb"%b(?:&lt;!--|&amp;|%b)" % (_ANY, _odd_letters())
    # There may even be a comment between the two braces.
    return rb"\{(?:\{(?:%b|%b)|&lt;!--)" % (named, strange)


def _alternatives(tree: dict[str, Any]) -> bytes:
    found = []
    for letter, branch in tree.items():
        rest = _alternatives(branch) if branch else b""
        found.append((_letter(letter) if letter else b"") + rest)
    return found[0] if len(found) == 1 else b"(?:" + b"|".join(found) + b")"


def _letter(letter: str) -> bytes:
    if letter == " ":
        return _SPACE + b"+"
    raw = letter.encode()
    if raw in _ESCAPED:
        return _ESCAPED[raw]
    variants = sorted({letter, *_letters()[1].get(letter, ())})
    found = [re.escape(variant.encode()) for variant in variants]
    return found[0] if len(found) == 1 else b"(?:" + b"|".join(found) + b")"


@cache
def _letters() -> tuple[list[int], dict[str, set[str]]]:
    """Return the odd characters, and the other spellings of each case-folded character."""
    odd: list[int] = []
    spellings: dict[str, set[str]] = {}
    for letter in map(chr, chain.from_iterable(_LETTERS)):
        upper = letter.upper()
        forms = {letter.casefold(), upper, upper.casefold()} - {letter}
        if letter >= "\x80" and _is_odd(letter, forms):
            odd.append(ord(letter))
            continue
        for form in forms:
            spellings.setdefault(form, set()).add(letter)
    return odd, spellings


def _is_odd(letter: str, forms: Collection[str]) -> bool:
    """Return whether a letter can become another one by more than a change of case."""
    return (
        (bool(forms) and any(len(form) != 1 or form < "\x80" for form in forms))
        or unicodedata.category(letter)[0] == "M"
        or "\u200e" <= letter <= "\u200f"
        or "\u202a" <= letter <= "\u202e"
        or "\u1100" <= letter <= "\u11ff"  # Hangul Jamo, which compose to syllables
        or not unicodedata.is_normalized("NFC", letter)
    )


@cache
def _odd_letters() -> bytes:
    """Return a pattern of the odd characters in UTF-8, with all beyond the first plane."""
    ranges: dict[bytes, set[int]] = {}
    for code in _letters()[0]:
        raw = chr(code).encode()
        ranges.setdefault(raw[:-1], set()).add(raw[-1])
        if code >= _LISTED_UP_TO:
            ranges[raw[:-1]] = set(range(0x80, 0xC0))
    found = [
        re.escape(start) + b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(last)) + b"]"
        for start, last in sorted(ranges.items())
    ]
    return b"(?:" + b"|".join([*found, rb"[\xf0-\xf4]"]) + b")"

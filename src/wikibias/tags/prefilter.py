"""One byte pattern for all names of a tag set: where it does not match, no tag stands.

It is laid over the XML of a dump as it is, so it knows the XML's own escapes. What the exact
matcher finds, it must hit; it may hit more. A call whose name holds anything that a plain spelling
does not (a comment, an entity, a combining mark, a direction mark, a letter that case folding
turns into several) is hit whatever the name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cache
from itertools import chain
from typing import Any

from wikibias.mediawiki.titles import clean
from wikibias.tags.tagset import TagSet

# Whatever the wikitext may have for a space in a name, and what is a space to a regular expression.
_SPACE = (
    rb"(?:[\t-\r\x1c-\x20_]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe1\xa0\x8e"
    rb"|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80)"
)
# Up to where a name may go on: any character but those that end it.
_ANY = rb"(?:[^{}|\[\]&<]|&quot;|&gt;|&#039;)*"
_NAME_END = rb"[\n{}|\[\]#&<]"
_ESCAPED = {b"'": rb"(?:'|&#039;)", b'"': rb'(?:"|&quot;)'}
# One by one up to here; from here on, a block of 64 characters is as odd as its oddest.
_FINE = 0x2100
# The first plane but for what has neither case nor composition: ideographs, whole Hangul
# syllables, what is no character, and what has no meaning of its own.
_LETTERS = (range(0x3400), range(0xA000, 0xAC00), range(0xF900, 0x10000))


def names_pattern(tagset: TagSet, *, wrappers_only: bool = False) -> bytes:
    """Return a pattern that matches in the XML of every text with a tag or wrapper of the set."""
    names = set(tagset.wrappers_by_key())
    if not wrappers_only:
        names |= set(tagset.by_key())
    tree: dict[str, Any] = {}
    for name in sorted(clean(name).casefold() for name in names):
        branch = tree
        for letter in name:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    named = rb"(?:%b:)?%b*%b%b*%b" % (_ANY, _SPACE, _alternatives(tree), _SPACE, _NAME_END)
    strange = rb"%b(?:&lt;!--|&amp;|%b)" % (_ANY, _odd_letters())
    # A comment may even stand between the two braces.
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
    """Return the odd characters, and the other spellings of each folded one."""
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
    """Tell whether a letter may become another by more than a change of case."""
    return (
        (bool(forms) and any(len(form) != 1 or form < "\x80" for form in forms))
        or unicodedata.category(letter)[0] == "M"
        or "\u200e" <= letter <= "\u200f"
        or "\u202a" <= letter <= "\u202e"
        or "\u1100" <= letter <= "\u11ff"  # the pieces of Hangul syllables
        or not unicodedata.is_normalized("NFC", letter)
    )


@cache
def _odd_letters() -> bytes:
    """Return the odd characters as byte sequences, those beyond the first plane all."""
    blocks: dict[bytes, set[int]] = {}
    for code in _letters()[0]:
        raw = chr(code).encode()
        blocks.setdefault(raw[:-1], set()).add(raw[-1])
        if code >= _FINE:
            blocks[raw[:-1]] = set(range(0x80, 0xC0))
    found = [
        re.escape(start) + b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(last)) + b"]"
        for start, last in sorted(blocks.items())
    ]
    return b"(?:" + b"|".join([*found, rb"[\xf0-\xf4]"]) + b")"

"""The words of a sentence as a rewriter sees them: one key for all the ways to write a word down.

Of a text as people read it, of tokens that stand apart, and of word pieces (## goes on with a word)
the keys are the same, so that a rewriter trained on one can rewrite the others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from wikibias.edits.word_diff import tokens

_PIECE = "##"
_ASCII = re.compile(r"\w+(?: ?##\w+)*|[^\w\s]")
# A stop that closes up with a word: then the text is no row of tokens.
_CLOSED_UP = re.compile(r"\S[.,;](?:\s|$)")


class Word(NamedTuple):
    """A word or mark: what it is compared by, and where it stands in the text, in characters."""

    key: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """Return the words of a text, and each mark between them, in order.

    Words with hyphens are one word: "well-known", and in a row of tokens "well - known", too. In a
    script without spaces each letter is a word.
    """
    return _hyphenated(text, list(_ascii(text) if text.isascii() else _others(text)))


def _ascii(text: str) -> Iterator[Word]:
    for found in _ASCII.finditer(text):
        shown = found.group()
        key = shown.replace(f" {_PIECE}", "").replace(_PIECE, "") if _PIECE in shown else shown
        yield Word(key.lower(), found.start(), found.end())


def _others(text: str) -> Iterator[Word]:
    waiting: Word | None = None
    for start, end in tokens(text):
        if text.startswith(_PIECE, start) and waiting is not None and start - waiting.end <= 1:
            key = waiting.key + text[start + len(_PIECE) : end].lower()
            waiting = Word(key, waiting.start, end)
            continue
        for first, last in _apart(text, start, end):
            if waiting is not None:
                yield waiting
            waiting = Word(text[first:last].lower(), first, last)
    if waiting is not None:
        yield waiting


def _apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of letters of a word, and the marks in it by themselves."""
    at = start
    for place in range(start, end):
        if not is_letter(text[place]):
            if at < place:
                yield at, place
            yield place, place + 1
            at = place + 1
    if at < end:
        yield at, end


def is_letter(char: str) -> bool:
    """Return whether a character belongs to a word: letters, digits and their marks."""
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] in "LMN"


def _hyphenated(text: str, found: list[Word]) -> list[Word]:
    """Join words that a hyphen joins."""
    if "-" not in text:
        return found
    most = 0 if _CLOSED_UP.search(text) else 1
    joined: list[Word] = []
    at = 0
    while at < len(found):
        word = found[at]
        while at + 2 < len(found) and _is_joined(word, found[at + 1], found[at + 2], most):
            word = Word(f"{word.key}-{found[at + 2].key}", word.start, found[at + 2].end)
            at += 2
        joined.append(word)
        at += 1
    return joined


def _is_joined(left: Word, hyphen: Word, right: Word, most: int) -> bool:
    gaps = hyphen.start - left.end, right.start - hyphen.end
    return (
        hyphen.key == "-"
        and gaps[0] == gaps[1] <= most
        and is_letter(left.key[-1])
        and is_letter(right.key[0])
    )

"""Which characters of a page can stand for a letter of a name, once titles are compared.

Two titles are compared composed (NFC) and without case. So a letter of a name may be written as
another one (`ſ` for s), as a part that needs marks after it (`e` for é), or together with the
letters after it (`ﬁ` for f and i). No other character can stand for it. Here everything is compared
decomposed: the letters of a text, each folded, are those of the folded text, but for the order of
marks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from functools import cache
from itertools import chain
from typing import NamedTuple

# Where characters are that fold to something else, but for Hangul syllables. Those of the second
# plane fold to such as are there too.
_CHANGING = (
    range(0x80, 0x3400),
    range(0xA000, 0xAC00),
    range(0xF900, 0x10000),
    range(0x2F800, 0x2FA20),
)
_SECOND_PLANE = range(0x10000, 0x20000)
# It stands last among the marks of a letter, but folds to a letter.
_IOTA_BELOW = "\u0345"
# Vowels and final consonants of Hangul, which compose with the letter before them.
_JAMO = range(0x1160, 0x1200)


class Unusual(NamedTuple):
    """How letters of names may be written in other characters than the letters themselves.

    `whole` are characters that are such a letter, and perhaps what follows it in a name, `parts`
    those that may become one by some of `marks` after them.
    """

    whole: tuple[str, ...]
    parts: tuple[str, ...]
    marks: tuple[str, ...]


def folded(text: str) -> str:
    """Return a text without case and decomposed: what is equal in a title is equal in this."""
    return unicodedata.normalize("NFD", text.upper().casefold())


def is_mark(letter: str) -> bool:
    """Return whether a folded letter can become one with the letter before it."""
    return unicodedata.category(letter)[0] == "M" or ord(letter) in _JAMO


@cache
def usual(letter: str) -> tuple[str, ...]:
    """Return the single characters that are a folded letter; of one in ASCII, those in ASCII."""
    return tuple(sorted(x for x, fold in _written_with(letter) if _is_usual(x, fold, [letter])))


def _is_usual(written: str, fold: str, letters: Collection[str]) -> bool:
    return fold in letters and (written.isascii() or not fold.isascii())


def unusual(letter: str, rests: Collection[str]) -> Unusual:
    """Return how a letter may be written where one of `rests` is to follow, itself included.

    The letter and the rests are folded.
    """
    letters = frozenset(chain.from_iterable(rests))
    marks = frozenset(filter(is_mark, letters))
    whole, parts = [], []
    for written, fold in _written_with(letter):
        if _is_usual(written, fold, [letter]) or not letters.issuperset(fold):
            continue
        if (
            fold == letter
            or _has_several(fold)
            or (len(fold) > len(letter) and _begin_with(rests, fold))
        ):
            whole.append(written)
        elif marks:
            parts.append(written)
    return Unusual(tuple(whole), tuple(parts), written_marks(marks))


def unusual_within(names: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the characters without which names are written as usual; parts have marks after them.

    A name is given as its letters, each folded.
    """
    units = frozenset(chain.from_iterable(names))
    letters = frozenset(chain.from_iterable(units))
    marks = frozenset(filter(is_mark, letters))
    texts = ["".join(name) for name in names]
    rests = [text[at:] for text in texts for at in range(len(text))] if marks else []
    found = {
        written
        for first in sorted({unit[0] for unit in units})
        for written, fold in _written_with(first)
        if not _is_usual(written, fold, units)
        and letters.issuperset(fold)
        and (fold in units or _has_several(fold) or _begin_with(rests, fold))
    }
    return tuple(sorted(found.union(written_marks(marks))))


def _has_several(fold: str) -> bool:
    """Return whether a character folds to several letters, not only to one with marks."""
    return not all(map(is_mark, fold[1:]))


def _begin_with(rests: Iterable[str], fold: str) -> bool:
    """Return whether one begins with these letters, in whatever order of marks."""
    letters = sorted(fold)
    return any(sorted(rest[: len(fold)]) == letters for rest in rests)


@cache
def written_marks(folds: frozenset[str]) -> tuple[str, ...]:
    """Return the characters that are or begin with one of these marks, folded."""
    found = {x for fold in folds for x, _ in _written_with(fold)}
    return tuple(sorted({*found, _IOTA_BELOW})) if folds else ()


@cache
def _written_with(letter: str) -> tuple[tuple[str, str], ...]:
    """Return the characters that begin, folded, as a folded letter does, and what they become."""
    first = letter[0]
    # Of Hangul syllables, only those that the jamo of the letter compose to.
    starts = (letter[: n + 1] for n in range(len(letter)))
    composed = ((unicodedata.normalize("NFC", start), start) for start in starts)
    known = {first: first} | {x: start for x, start in composed if len(x) == 1}
    known.update(_changing().get(first, ()))
    if first > "\uffff":
        known.update(_changing_in_second_plane().get(first, ()))
    if first.isascii():
        known[first.upper()] = first
    return tuple(known.items())


@cache
def _changing() -> dict[str, list[tuple[str, str]]]:
    return _by_first(chain.from_iterable(_CHANGING))


@cache
def _changing_in_second_plane() -> dict[str, list[tuple[str, str]]]:
    return _by_first(_SECOND_PLANE)


def _by_first(codes: Iterable[int]) -> dict[str, list[tuple[str, str]]]:
    """Return the characters that fold to something else, by the first letter of that."""
    letters = [chr(code) for code in codes]
    found: dict[str, list[tuple[str, str]]] = {}
    # At once takes a tenth of the time: lines are neither composed nor folded into each other.
    for letter, fold in zip(letters, folded("\n".join(letters)).split("\n"), strict=True):
        if letter != fold:
            found.setdefault(fold[0], []).append((letter, fold))
    return found

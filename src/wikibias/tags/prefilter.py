"""Byte search for revisions that may hold a tag: folded titles, patterns, a sieve."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from wikibias.mediawiki import Namespaces, clean_title, composed, template_prefixes
from wikibias.tags.tagset import TagSet

# Where characters are that fold to something else, but for Hangul syllables. Those of the second
# plane fold to such as are there too.
_CHANGING = (
    range(0x80, 0x3400),
    range(0xA000, 0xAC00),
    range(0xF900, 0x10000),
    range(0x2F800, 0x2FA20),
)
_SECOND_PLANE = (range(0x10000, 0x20000),)
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
    known.update(_changing(_CHANGING).get(first, ()))
    if first > "\uffff":
        known.update(_changing(_SECOND_PLANE).get(first, ()))
    if first.isascii():
        known[first.upper()] = first
    return tuple(known.items())


@cache
def _changing(codes: tuple[range, ...]) -> dict[str, list[tuple[str, str]]]:
    """Return the characters that fold to something else, by the first letter of that."""
    letters = [*map(chr, chain.from_iterable(codes))]
    found: dict[str, list[tuple[str, str]]] = {}
    # At once takes a tenth of the time: lines are neither composed nor folded into each other.
    for letter, fold in zip(letters, folded("\n".join(letters)).split("\n"), strict=True):
        if letter != fold:
            found.setdefault(fold[0], []).append((letter, fold))
    return found


# A name as its folded letters, and one of three ends, which no title contains: that of a name, that
# of a prefix with its colon, and that of a prefix in which something unusual is still to come.
_Name = tuple[str, ...]
_END, _COLON, _OPEN = "\n", "\t", "\v"
# After so many letters of a name, something unusual may stand anywhere in the rest of it. A pattern
# that knows the place in the whole name takes ten times as long to compile.
_EXACT_LETTERS = 3
_SPACE = rb"\t-\r\x1c-\x20_"
_NAME_END = rb"[%b]*[\n{}|\[\]#&<]" % _SPACE
_IN_NAME = rb"[^{}|\[\]&<]*"
_ESCAPED = {"'": rb"(?:'|&#039;)", '"': rb'(?:"|&quot;)', "&": b"&amp;", ">": rb"(?:>|&gt;)"}
# What vanishes from a title, becomes a space, or may become anything: comments, entities, direction
# marks, spaces beyond ASCII.
_UNUSUAL = (
    rb"&(?:amp;[#A-Za-z]|lt;!--)|\xe2(?:\x80[\x80-\x8a\x8e\x8f\xa8-\xaf]|\x81\x9f)"
    rb"|\xc2[\x85\xa0]|\xe3\x80\x80|\xe1(?:\x9a\x80|\xa0\x8e)"
)
# The same and more, for inside of a name: it is compiled in less time.
_ALSO_UNUSUAL = rb"[&\xe2]|\xc2[\x85\xa0]|\xe3\x80\x80|\xe1[\x9a\xa0]"


def names_pattern(tagset: TagSet, namespaces: Namespaces, *, wrappers_only: bool = False) -> bytes:
    """Return a pattern that matches the XML of every text with a tag or wrapper of the set."""
    names = set(tagset.wrappers_by_key())
    if not wrappers_only:
        names |= set(tagset.by_key())
    return _pattern_of(tuple(sorted(names)), tuple(sorted(template_prefixes(namespaces))))


def beginnings_pattern(tagset: TagSet, namespaces: Namespaces) -> bytes:
    """Return a pattern of how the names in `names_pattern` begin: two letters, or unusually."""
    names = {*tagset.wrappers_by_key(), *tagset.by_key()}
    return _one_of(_exact(_called(names, template_prefixes(namespaces)), 2, whole=False))


# Remembered, because a run may have thousands of parts that take less time than this.
@lru_cache(4)
def _pattern_of(names: tuple[str, ...], prefixes: tuple[str, ...]) -> bytes:
    before = sorted((*_letters(prefix), _COLON) for prefix in prefixes)
    called = _called(names, prefixes)
    prefix = b"%b[:%b]*" % (_one_of(_usual(before)), _SPACE)
    name = b"|".join([*_exact(called, _EXACT_LETTERS), _UNUSUAL])
    # Few calls have a prefix, so the beginning of a name is enough; nobody writes two prefixes.
    begun = _one_of([*_exact(called, 2, whole=False), _UNUSUAL, prefix])
    # There may even be a comment between the two braces.
    return rb"\{(?:\{[:%b]*(?:%b|%b%b)|&lt;!--)" % (_SPACE, name, prefix, begun)


def _called(names: Iterable[str], prefixes: Iterable[str]) -> list[_Name]:
    """Return what a call may begin with: a prefix, or a name."""
    begun: list[_Name] = [(*letters, _OPEN) for letters in sorted(map(_letters, prefixes))]
    return begun + sorted({(*_letters(name), _END) for name in names})


def _letters(name: str) -> list[str]:
    return [folded(letter) for letter in composed(clean_title(name).casefold())]


def _exact(names: Sequence[_Name], depth: int, *, whole: bool = True) -> Iterator[bytes]:
    """Yield patterns of the rests of names, as usual and as unusual as they may be.

    Unless they are to be `whole`, any rest will do after so many letters.
    """
    if not depth:
        if whole:
            yield from _usual(names)
            yield _IN_NAME + _one_of([*map(_escaped, unusual_within(names)), _ALSO_UNUSUAL])
        else:
            yield b""
        return
    for letter, rests in _by_letter(names).items():
        if letter == _END:
            yield _NAME_END
        if letter in (_END, _OPEN):
            yield b"[%b]+%b" % (_SPACE, _one_of([_ALSO_UNUSUAL]))
        else:
            after = _one_of([*_exact(rests, depth - 1, whole=whole), _ALSO_UNUSUAL])
            yield _letter(letter) + after
            yield from _unusual(letter, ["".join((letter, *rest)) for rest in rests])


def _unusual(letter: str, rests: Collection[str]) -> Iterator[bytes]:
    """Yield patterns of what may become the letter, or the beginning of one of the rests."""
    written = unusual(letter, rests)
    yield from map(_escaped, written.whole)
    if written.parts:
        after = _one_of([*map(_escaped, written.marks), _ALSO_UNUSUAL])
        yield _one_of(map(_escaped, written.parts)) + after
    if unicodedata.combining(letter[0]):
        yield from (_escaped(mark) for mark in written.marks if unicodedata.combining(mark[0]))


def _usual(names: Sequence[_Name]) -> Iterator[bytes]:
    """Yield patterns of the rests of names in which nothing is unusual but the case."""
    for letter, rests in _by_letter(names).items():
        if letter == _END:
            yield _NAME_END
        elif letter == _COLON:
            yield b"[%b]*:" % _SPACE
        elif letter != _OPEN and (after := list(_usual(rests))):
            yield _letter(letter) + _one_of(after)


def _by_letter(names: Iterable[_Name]) -> dict[str, list[_Name]]:
    found: dict[str, list[_Name]] = {}
    for name in names:
        found.setdefault(name[0], []).append(name[1:])
    return found


def _letter(letter: str) -> bytes:
    if letter == " ":
        return b"[%b]+" % _SPACE
    if letter.isascii() and letter.isalpha():
        return b"[%b]" % "".join(usual(letter)).encode()
    return _ESCAPED.get(letter) or _one_of(map(_escaped, usual(letter)))


def _one_of(patterns: Iterable[bytes]) -> bytes:
    return b"(?:" + b"|".join(patterns) + b")"


def _escaped(letter: str) -> bytes:
    return re.escape(letter.encode())


_OPENING, _ESCAPE = ord("{"), ord("&")
# Two braces, and at least two bytes of what is called.
_SHORTEST = 4
# After a hit the next one is often near: in so many bytes `re` is as fast.
NEAR = 1 << 15
# Bytes to look at together, which stay in the processor's cache.
_SLICE = 1 << 17
_PLAIN = [code for code in range(128) if chr(code).isalnum()]


class ByteSearch:
    """Searches for a pattern of `prefilter.names_pattern`.

    `beginnings` matches the first two letters of all names, see `prefilter.beginnings_pattern`.
    """

    def __init__(self, names: re.Pattern[bytes], beginnings: bytes) -> None:
        self._names = names
        begins = re.compile(beginnings)
        # Whether two bytes may begin a name; any may that are not both letters or digits of ASCII.
        may_begin = np.ones((256, 256), bool)
        for first in _PLAIN:
            for second in _PLAIN:
                may_begin[second, first] = begins.match(bytes((first, second))) is not None
        self._may_begin = may_begin.reshape(-1)

    def first(self, chunk: bytes, start: int, end: int) -> int:
        """Return the position of the first match in `chunk[start:end]`, or -1."""
        near = min(start + NEAR, end)
        found = self._names.search(chunk, start, near)
        if found is not None:
            return found.start()
        if near == end:
            return -1
        # A match that goes on begins at the last brace or at the one before it: it has no others.
        for begin in range(max(start, chunk.rfind(b"{", start, near) - 1), end, _SLICE):
            stop = min(begin + _SLICE, end)
            for at in self._possible(chunk, begin, min(stop, len(chunk) - _SHORTEST + 1)):
                if self._names.match(chunk, at, end):
                    return at
        return -1

    def _possible(self, chunk: bytes, start: int, stop: int) -> list[int]:
        """Return where the pattern may match, from `start` to `stop`."""
        if stop <= start:
            return []
        codes = np.frombuffer(chunk, np.uint8)
        at = np.flatnonzero(codes[start:stop] == _OPENING) + start
        after = codes[at + 1]
        pairs = np.ndarray((len(chunk) - 1,), "<u2", chunk, strides=(1,))
        named = (after == _OPENING) & self._may_begin[pairs[at + 2]]
        found: list[int] = at[named | (after == _ESCAPE)].tolist()
        return found

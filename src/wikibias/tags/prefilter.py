"""The prefilter: one byte pattern for all names of a tag set. Where it does not match is no tag.

It searches the raw XML of a dump, so it handles XML escapes. It has no false negatives: it matches
every call that the exact matcher finds, and some others. It reads a name letter by letter, and
matches as soon as something unusual stands where a name of the set may go on: a comment, an entity,
a direction mark, a character that could become the next letter or a part of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from wikibias.mediawiki.composition import composed
from wikibias.mediawiki.namespaces import Namespaces, template_prefixes
from wikibias.mediawiki.titles import clean
from wikibias.tags.letters import folded, unusual, unusual_within, usual
from wikibias.tags.tagset import TagSet

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
    return [folded(letter) for letter in composed(clean(name).casefold())]


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

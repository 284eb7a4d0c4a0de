"""Words of a sentence as a rewriter sees them, the repair of an edited text, and detokenising.

Of a text as people read it, of tokens that stand apart, and of word pieces (## goes on with a word)
the keys are the same, so that a rewriter trained on one can rewrite the others.
"""

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


LANGUAGES = ("en",)
"""Codes of the languages with rules for the words beside an edit."""
# What may not stand alone between nothing: opening and closing marks of one kind.
_EMPTY = re.compile(r"(?:\(\s*\)|\[\s*\]|\"\s*\"|«\s*»|“\s*”|„\s*“|「\s*」|『\s*』|（\s*）)$")
_COMMAS = ",،、，;；"
_CLOSING = ".,;:!?)]}%»”’،؛؟。、，！？；：）」』"
_ARTICLE = re.compile(r"(?:^|(?<=[\s(\"“]))(an?)(\s+)$", re.IGNORECASE)
_BARE_ARTICLE = re.compile(r"(?:^|\s)(?:an?|the)\s*$", re.IGNORECASE)
# Begin with another sound than their letter says.
_SOUNDS_VOWEL = re.compile(r"hono(?:u?r|rar)|hour|honest|heir|[fhlmnrsx]-?(?=\d|\b)", re.IGNORECASE)
_SOUNDS_CONSONANT = re.compile(
    r"uni(?!n|m)|u[stn]i|use|usual|usu|eu|ewe|one\b|once|ubiq|u-?\b", re.IGNORECASE
)
_WORD = re.compile(r"\w")


def edited(text: str, start: int, end: int, replacement: str, lang: str | None = None) -> str:
    """Return a text whose characters from `start` to `end` are replaced, or gone.

    What is left is mended as the text around is written: a space that was one of two goes, and so
    do a comma beside another mark, brackets and quotation marks around nothing, and marks at the
    beginning. A sentence that began with a capital begins with one. In English (`lang` is "en") the
    article before the place becomes "a" or "an" by the word that now follows.
    """
    before, after = text[:start], text[end:]
    if replacement:
        if text[start : start + 1].isupper():
            replacement = replacement[:1].upper() + replacement[1:]
        after = replacement + after
    else:
        before, after = _closed_up(before, after)
        if not before.strip() and text[: start + 1].strip()[:1].isupper():
            after = after[:1].upper() + after[1:]
    if lang == "en":
        if not replacement and _BARE_ARTICLE.search(before) and after[:1] == ",":
            before, after = f"{before.rstrip()} ", after[1:].lstrip()
        before = _with_article(before, after)
    return before + after


def _closed_up(before: str, after: str) -> tuple[str, str]:
    """Return the two sides of a deletion without what it leaves behind."""
    before, after = _spaced(before, after)
    while after.strip():
        both = _EMPTY.search(before + after.lstrip()[0])
        if both is None or both.start() >= len(before):
            break
        before, after = _spaced(before[: both.start()], after.lstrip()[1:])
    bare, first = before.rstrip(), after.lstrip()[:1]
    if first and first in _CLOSING and bare and bare[-1] in _COMMAS:
        before = bare[:-1].rstrip() + before[len(bare) :]
    if not bare and first and first in _CLOSING:
        after = after.lstrip()[1:].lstrip()
    return before, after


def _spaced(before: str, after: str) -> tuple[str, str]:
    """Keep of the spaces on both sides of a deletion those that the text needs."""
    bare = before.rstrip()
    if not bare:
        return before, after.lstrip()
    if before[-1:].isspace():
        if after[:1].isspace() or _WORD.match(after):
            return before, after.lstrip()
        return bare, after  # a stop that stood at the word now stands at the word before it
    return before, after


def _with_article(before: str, after: str) -> str:
    """Return the text before a place with the article that the word behind it wants."""
    found = _ARTICLE.search(before)
    word = after.lstrip()
    if found is None or not word[:1].isalpha():
        return before
    article = "an" if _begins_with_vowel(word) else "a"
    if found[1].isupper() and len(found[1]) > 1:
        article = article.upper()
    elif found[1][0].isupper():
        article = article.capitalize()
    return before[: found.start()] + article + found[2]


def _begins_with_vowel(word: str) -> bool:
    if _SOUNDS_VOWEL.match(word):
        return True
    return word[0].lower() in "aeiou" and not _SOUNDS_CONSONANT.match(word)


_JOINED_PIECE = re.compile(r"\s+##")
_BEFORE = re.compile(r"\s+([.,;:!?%)\]}»”’…،؛؟。、])")
_BEHIND = re.compile(r"([(\[{«“‘¿¡])\s+")
_JOINED = re.compile(r"(?<=\w) ([-–/'’]) (?=\w)")
_QUOTED = re.compile(r'" ([^"]*?) "')
_SPACES = re.compile(r"\s+")


def detokenise(tokens: str) -> str:
    """Return a text of tokens between spaces as people write it.

    Pieces that begin with ## join what stands before them. Stops and closing brackets go to the
    word before, opening ones to the word behind, hyphens and apostrophes to both; what stands
    between two straight quotation marks is closed up with them.
    """
    text = _JOINED_PIECE.sub("", _SPACES.sub(" ", tokens).strip())
    text = _QUOTED.sub(r'"\1"', text)
    text = _BEHIND.sub(r"\1", _BEFORE.sub(r"\1", text))
    return _JOINED.sub(r"\1", text)

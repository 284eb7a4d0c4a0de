"""Makes one edit of a text, and mends what it leaves behind: spaces, commas, empty brackets."""

from __future__ import annotations

import re

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

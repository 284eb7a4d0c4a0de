"""What changed between two texts, as spans of whole words in each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from wikibias.records import Sentence
from wikibias.text import unsegmented
from wikibias.text.normalisation import comparison_key, normalise
from wikibias.text.similarity import changes

# A span of a text: from a character on, up to before another.
Span = tuple[int, int]
Spans = tuple[tuple[Span, ...], tuple[Span, ...]]
# An edit war brings the same pairs again and again.
_REMEMBERED = 512
_LONGEST_REMEMBERED = 5000  # characters
_PIECE = re.compile(r"[^\s\u2013\u2014/\u2026]+")


def changed_spans(left: str, right: str) -> Spans:
    """Return the spans of each text that the other lacks, by the words both have in order.

    Case and punctuation do not count. Changed words that stand side by side make one span. In a
    script without spaces each letter is a word.
    """
    short = len(left) + len(right) <= _LONGEST_REMEMBERED
    return _remembered(left, right) if short else _changed(left, right)


def _changed(left: str, right: str) -> Spans:
    sides = list(words(left)), list(words(right))
    numbers: dict[str, int] = {}
    keys = [
        [numbers.setdefault(key, len(numbers)) for key in _keys(text, found)]
        for text, found in zip((left, right), sides, strict=True)
    ]
    both: tuple[list[Span], list[Span]] = [], []
    for *one, three, four in changes(*keys):
        for spans, found, (first, end) in zip(
            both, sides, ((one[0], one[1]), (three, four)), strict=True
        ):
            if first < end:
                spans.append((found[first][0], found[end - 1][1]))
    return tuple(both[0]), tuple(both[1])


_remembered = lru_cache(_REMEMBERED)(_changed)


def within(text: str, spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """Return the words of spans of a text between two places, counted from the first of these."""
    return [
        (first - start, last - start)
        for span in spans
        for first, last in _trimmed(text, max(span[0], start), min(span[1], end))
    ]


def written(spans: Sequence[Span]) -> str:
    """Return spans as they stand in a table, such as "12:18 30:34"."""
    return " ".join(f"{start}:{end}" for start, end in spans)


def words(text: str) -> Iterator[Span]:
    """Yield the words of a text: what stands between spaces and dashes, less its punctuation."""
    for piece in _PIECE.finditer(text):
        start, end = piece.span()
        for letter in unsegmented.letters(piece.group()):
            at = piece.start() + letter
            yield from _trimmed(text, start, at)
            yield at, at + 1
            start = at + 1
        yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and not _is_of_a_word(text[start]):
        start += 1
    while start < end and not _is_of_a_word(text[end - 1]):
        end -= 1
    if start < end:
        yield start, end


def _is_of_a_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] in "LMN"


def _keys(text: str, found: Sequence[Span]) -> Iterator[str]:
    known: dict[str, str] = {}
    for start, end in found:
        word = text[start:end]
        if word not in known:
            known[word] = _key(word)
        yield known[word]


def _key(word: str) -> str:
    if word.isascii() and word.isalpha():
        return word.lower()
    return comparison_key(Sentence(word, normalise(word, keep_apostrophes=True)))

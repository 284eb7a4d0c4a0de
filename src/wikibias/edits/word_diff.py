"""Word diff of two sentences, the spans that it changes, and BLEU of the pair."""

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from math import exp, log
from typing import NamedTuple

from simplediff import diff

from wikibias.records import Sentence
from wikibias.text import unsegmented
from wikibias.text.normalisation import comparison_key, normalise
from wikibias.text.similarity import changes

# A span of a text: from a character on, up to before another.
Span = tuple[int, int]
Spans = tuple[tuple[Span, ...], tuple[Span, ...]]
_PIECE = re.compile(r"[^\s\u2013\u2014/\u2026]+")


def changed_spans(left: str, right: str) -> Spans:
    """Return the spans of each text that the other lacks, by the words both have in order.

    Case and punctuation do not count. Changed words that stand side by side make one span. In a
    script without spaces each letter is a word.
    """
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


def within(text: str, spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """Return the words of spans of a text between two places, counted from the first of these."""
    return [
        (first - start, last - start)
        for span in spans
        for first, last in _trimmed(text, max(span[0], start), min(span[1], end))
    ]


def spans_in_words(spans: Sequence[Span]) -> str:
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


# Steps of a comparison up to which runs are looked for: a second or two. Pairs of sentences of an
# article need some thousands.
_MOST_STEPS, _MOST_DEPTH = 5_000_000, 400
# What a tokeniser that cuts words into pieces writes before a piece that goes on with a word.
_WORD_PIECE = "##"


class Gap(NamedTuple):
    """What differs at one place: the words of each list, from a number on up to before another."""

    source: Span
    target: Span


def tokens(text: str) -> list[Span]:
    """Return the words of a text, and between them each mark, as spans in characters.

    In a script without spaces each letter is a word. A word piece keeps its "##".
    """
    found: list[Span] = []
    at = 0
    for start, end in words(text):
        first = (
            start - len(_WORD_PIECE)
            if text[max(start - len(_WORD_PIECE), at) : start] == _WORD_PIECE
            else start
        )
        found += _marks(text, at, first)
        found.append((first, end))
        at = end
    return [*found, *_marks(text, at, len(text))]


def keys_of(text: str, found: Iterable[Span]) -> list[str]:
    """Return the `tokens` of a text as they are compared: letter case does not count."""
    return [text[start:end].casefold() for start, end in found]


def _marks(text: str, start: int, end: int) -> Iterator[Span]:
    return ((at, at + 1) for at in range(start, end) if not text[at].isspace())


def gaps(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Gap]:
    """Return where two lists differ, in order.

    By simplediff, as Pryzant et al. (2020) and Zhong et al. (2021) do: the longest run in both is
    common, of several the first in `b`; then the same before and behind it. Lists for which that
    may take seconds are compared by their longest common subsequence.
    """
    numbers: dict[Hashable, int] = {}
    left, right = ([numbers.setdefault(item, len(numbers)) for item in side] for side in (a, b))
    if not _is_quick(left, right):
        return [Gap((one, two), (three, four)) for one, two, three, four in changes(left, right)]
    found: list[Gap] = []
    at, there = 0, 0
    for sign, items in diff(left, right):
        before = at, there
        at += len(items) if sign in "=-" else 0
        there += len(items) if sign in "=+" else 0
        if sign == "=":
            continue
        if found and (found[-1].source[1], found[-1].target[1]) == before:
            before = found[-1].source[0], found.pop().target[0]
        found.append(Gap((before[0], at), (before[1], there)))
    return found


def _is_quick(a: Sequence[int], b: Sequence[int]) -> bool:
    """Return whether simplediff needs neither many steps nor a deep stack, whatever the lists."""
    depth = min(len(a), len(b))
    counts = Counter(b)
    steps = len(a) + len(b) + sum(counts[item] for item in a)
    return depth <= _MOST_DEPTH and steps * depth <= _MOST_STEPS


_LONGEST = 4
Tokens = Sequence[str]
NGrams = Sequence[Counter[tuple[str, ...]]]


def ngrams(tokens: Tokens) -> NGrams:
    """Return how often each run of 1, 2, 3 and 4 tokens occurs."""
    return [
        Counter(zip(*(tokens[start:] for start in range(length)), strict=False))
        for length in range(1, _LONGEST + 1)
    ]


def smoothed_bleu(source: Tokens, target: Tokens) -> float:
    """Return BLEU-4 of a sentence against another, 0 to 100, for short ones too.

    One is added to the counts of runs of two to four tokens (Lin and Och 2004), so that sentences
    of five words with one replaced are not as unlike as any two.
    """
    return _bleu(ngrams(source), ngrams(target), added=1)


def bleu_of(source: NGrams, target: NGrams) -> float:
    """Return BLEU-4 of a sentence against another, by their n-grams, 0 to 100.

    With brevity penalty and without smoothing: 0 where no run of four tokens is shared.
    """
    return _bleu(source, target, added=0)


def _bleu(source: NGrams, target: NGrams, added: int) -> float:
    precision = 0.0
    for number, (one, other) in enumerate(zip(source, target, strict=True)):
        more = added if number else 0
        shared = sum((one & other).values()) + more
        if not shared:
            return 0.0
        precision += log(shared / (one.total() + more))
    brevity = min(0.0, 1 - target[0].total() / source[0].total())
    return 100 * exp(brevity + precision / _LONGEST)

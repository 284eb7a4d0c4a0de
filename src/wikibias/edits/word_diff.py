"""Word diff of two sentences, the spans and edits of the pair with their counts, and its BLEU."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from math import exp, log
from typing import NamedTuple

from simplediff import diff

from wikibias.records import EditedSpan, EditType, Sentence
from wikibias.text import segmentation
from wikibias.text.segmentation import comparison_key, normalise
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
    keys = list(_keys(left, sides[0])), list(_keys(right, sides[1]))
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
        for letter in segmentation.letters(piece.group()):
            at = piece.start() + letter
            yield from _trimmed(text, start, at)
            yield at, at + 1
            start = at + 1
        yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    span = _cut(text, (start, end), _is_of_a_word)
    if _any(span):
        yield span


def _cut(items: Sequence[str], span: Span, is_kept: Callable[[str], bool]) -> Span:
    """Return a span without what stands at its ends and is not kept."""
    start, end = span
    while start < end and not is_kept(items[start]):
        start += 1
    while start < end and not is_kept(items[end - 1]):
        end -= 1
    return start, end


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
        first = max(start - len(_WORD_PIECE), at)
        if text[first:start] != _WORD_PIECE:
            first = start
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
    if not _is_quick(a, b):
        return [Gap((one, two), (three, four)) for one, two, three, four in changes(a, b)]
    found: list[Gap] = []
    at, there = 0, 0
    for sign, items in diff(a, b):
        before = at, there
        at += len(items) if sign in "=-" else 0
        there += len(items) if sign in "=+" else 0
        if sign == "=":
            continue
        if found and (found[-1].source[1], found[-1].target[1]) == before:
            before = found[-1].source[0], found.pop().target[0]
        found.append(Gap((before[0], at), (before[1], there)))
    return found


def _is_quick(a: Sequence[Hashable], b: Sequence[Hashable]) -> bool:
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
    return bleu_of(ngrams(source), ngrams(target), added=1)


def bleu_of(source: NGrams, target: NGrams, *, added: int = 0) -> float:
    """Return BLEU-4 of a sentence against another, by their n-grams, 0 to 100.

    With brevity penalty. Without smoothing, 0 where no run of four tokens is shared; else so much
    is `added` to the counts of longer runs than one token.
    """
    precision = 0.0
    for number, (one, other) in enumerate(zip(source, target, strict=True)):
        more = added if number else 0
        shared = sum((one & other).values()) + more
        if not shared:
            return 0.0
        precision += log(shared / (one.total() + more))
    brevity = min(0.0, 1 - target[0].total() / source[0].total())
    return 100 * exp(brevity + precision / _LONGEST)


# Which share of the letters of the shorter one a deletion and an addition must have in common to be
# compared again. From 0.4 to 0.6 the dev half of tests/cases/edited_spans.toml scores the same.
_LEAST_SHARED = 0.5
# Deletions times additions up to which that is tried; no sentence of an article has a tenth.
_MOST_COMPARED = 2500
# Of what stands between quotation marks that vanish, or between pieces of a phrase.
_MOST_QUOTED, _MOST_BETWEEN = 5, 2
_QUOTES = frozenset("\"'“”„«»‘’‚‹›「」『』")

Keys = tuple[Sequence[str], Sequence[str]]


class TokenEdit(NamedTuple):
    """One edit, by the words of the source and of the target: from a number on up to another."""

    type: EditType
    source: Span
    target: Span


def adjacent_edits(source: Sequence[str], target: Sequence[str]) -> list[TokenEdit]:
    """Return the edits between two lists of words, by adjacency alone.

    What is gone and what has come at the same place are one substitution; what remains is a
    deletion or an addition.
    """
    return [TokenEdit(_type_of(gap), *gap) for gap in gaps(source, target)]


def edited_spans(
    source: str, target: str, determiners: Collection[str] = ()
) -> tuple[EditedSpan, ...]:
    """Return what was done to a sentence, in document order, as spans in characters.

    Case does not count, nor do words that only moved, nor marks, unless nothing else changed.

    Args:
        source: the sentence before.
        target: the sentence after.
        determiners: the articles of the language, in lower case; without them no pieces are joined.
    """
    sides = tokens(source), tokens(target)
    keys = keys_of(source, sides[0]), keys_of(target, sides[1])
    found = _joined(gaps(*keys), keys, frozenset(determiners))
    worded = [gap for gap in (_without_marks(gap, keys) for gap in found) if gap is not None]
    edits = sorted(_moved(worded, keys)) if worded else found
    return tuple(
        EditedSpan(_type_of(gap), _in_chars(sides[0], gap.source), _in_chars(sides[1], gap.target))
        for gap in edits
    )


def _type_of(gap: Gap) -> EditType:
    if not _any(gap.source):
        return "addition"
    return "substitution" if _any(gap.target) else "deletion"


def _any(span: Span) -> bool:
    return span[0] < span[1]


def _joined(found: Sequence[Gap], keys: Keys, determiners: frozenset[str]) -> list[Gap]:
    """Join the pieces of a phrase, and quotation marks around words with these words."""
    joined: list[Gap] = []
    for gap in found:
        if joined and _belong_together(joined[-1], gap, keys, determiners):
            first = joined.pop()
            joined.append(Gap((first.source[0], gap.source[1]), (first.target[0], gap.target[1])))
        else:
            joined.append(gap)
    return joined


def _belong_together(one: Gap, other: Gap, keys: Keys, determiners: frozenset[str]) -> bool:
    between = keys[0][one.source[1] : other.source[0]]
    if all(
        gap.source[1] - gap.source[0] + gap.target[1] - gap.target[0] == 1 for gap in (one, other)
    ):
        marks = {*_of(one, keys), *_of(other, keys)}
        return marks <= _QUOTES and len(between) <= _MOST_QUOTED
    replaced = _type_of(one) == _type_of(other) == "substitution"
    return replaced and len(between) <= _MOST_BETWEEN and determiners.issuperset(between)


def _of(gap: Gap, keys: Keys) -> list[str]:
    return [*keys[0][slice(*gap.source)], *keys[1][slice(*gap.target)]]


def _without_marks(gap: Gap, keys: Keys) -> Gap | None:
    """Return a gap without the marks at its ends; None where nothing else is in it."""
    if _is_quoted(gap, keys):
        return gap
    found = Gap(_cut(keys[0], gap.source, _is_word), _cut(keys[1], gap.target, _is_word))
    return found if _any(found.source) or _any(found.target) else None


def _is_quoted(gap: Gap, keys: Keys) -> bool:
    """Return whether quotation marks around words came or went, and nothing else changed."""
    left, right = (
        [key for key in side[slice(*span)] if key not in _QUOTES]
        for side, span in zip(keys, gap, strict=True)
    )
    return bool(left) and left == right


def _is_word(key: str) -> bool:
    return any(char.isalnum() for char in key)


def _moved(edits: list[Gap], keys: Keys) -> list[Gap]:
    """Compare deletions once more with those additions that share most of their words.

    The two most alike go first. What is left of them is what changed in the words that moved.
    """
    gone = [edit for edit in edits if _type_of(edit) == "deletion"]
    come = [edit for edit in edits if _type_of(edit) == "addition"]
    if len(gone) * len(come) > _MOST_COMPARED:
        return edits
    alike = sorted(
        (-_shared(keys[0][slice(*one.source)], keys[1][slice(*other.target)]), one, other)
        for one in gone
        for other in come
    )
    left = dict.fromkeys(edits)
    for share, one, other in alike:
        if -share >= _LEAST_SHARED and one in left and other in left:
            del left[one], left[other]
            left |= dict.fromkeys(_within(one.source, other.target, keys))
    return list(left)


def _shared(left: Sequence[str], right: Sequence[str]) -> float:
    """Return which share of the letters of the side with fewer letters both sides have."""
    counts = [Counter(filter(_is_word, side)) for side in (left, right)]
    letters = [sum(len(word) * n for word, n in count.items()) for count in counts]
    both = sum(len(word) * n for word, n in (counts[0] & counts[1]).items())
    return both / min(letters)


def _within(source: Span, target: Span, keys: Keys) -> Iterable[Gap]:
    """Yield the edits between some words of the source and some of the target, without marks."""
    for gap in gaps(keys[0][slice(*source)], keys[1][slice(*target)]):
        (start, end), (first, last) = gap
        moved = Gap((start + source[0], end + source[0]), (first + target[0], last + target[0]))
        if (found := _without_marks(moved, keys)) is not None:
            yield found


def _in_chars(side: Sequence[Span], span: Span) -> str:
    start, end = span
    return f"{side[start][0]}:{side[end - 1][1]}" if start < end else ""


_TYPES: tuple[EditType, ...] = ("substitution", "deletion", "addition")
_MOST = 5


class EditCounts:
    """The edits of pairs: by adjacency alone, and by the whole rule of `edited_spans`."""

    def __init__(self) -> None:
        self._types: dict[str, Counter[str]] = {"adjacency": Counter(), "rule": Counter()}
        self._pairs: dict[str, Counter[int]] = {"adjacency": Counter(), "rule": Counter()}

    def add(self, source: str, target: str, edits: Sequence[EditedSpan] | None = None) -> None:
        """Take a pair, with what the rule has found in it if that is known."""
        by_rule = edited_spans(source, target) if edits is None else edits
        self._count("rule", [edit.type for edit in by_rule])
        adjacent = adjacent_edits(*(keys_of(text, tokens(text)) for text in (source, target)))
        self._count("adjacency", [edit.type for edit in adjacent])

    def _count(self, name: str, types: Sequence[EditType]) -> None:
        self._types[name].update(types)
        self._pairs[name][min(len(types), _MOST)] += 1

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Return the number of edits of each type, and of pairs with 0 to 5 edits, 5 being more."""
        counts = {
            name: {str(kind): found[kind] for kind in _TYPES} for name, found in self._types.items()
        }
        for name, found in self._pairs.items():
            counts[f"{name}_per_pair"] = {str(n): found[n] for n in sorted(found)}
        return counts

"""What differs between two lists of words, by the longest runs that they share."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from wikibias.edits.change_spans import Span, words
from wikibias.text.similarity import changes

Sign = Literal["=", "-", "+"]
# Steps of a comparison up to which runs are looked for: about half a second. No sentence of an
# article needs a hundredth of them.
_MOST_STEPS = 2_000_000
# What a tokeniser that cuts words into pieces writes before a piece that goes on with a word.
_PIECE = "##"


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
            start - len(_PIECE) if text[max(start - len(_PIECE), at) : start] == _PIECE else start
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


def word_diff(a: Sequence[str], b: Sequence[str]) -> list[tuple[Sign, list[str]]]:
    """Return what two lists of words have in common (=), and what each has alone (- and +).

    The algorithm of simplediff, which Pryzant et al. (2020) and Zhong et al. (2021) use: the
    longest run in both is common, of several the first in `b`; then the same before and behind it.
    """
    found: list[tuple[Sign, list[str]]] = []
    at = 0
    for source, target in gaps(a, b):
        found += _chunk("=", a, (at, source[0]))
        found += _chunk("-", a, source)
        found += _chunk("+", b, target)
        at = source[1]
    return [*found, *_chunk("=", a, (at, len(a)))]


def _chunk(sign: Sign, items: Sequence[str], span: Span) -> list[tuple[Sign, list[str]]]:
    return [(sign, list(items[span[0] : span[1]]))] if span[0] < span[1] else []


def gaps(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Gap]:
    """Return where two lists differ, in order, as `word_diff` finds it.

    The cost is bounded: what is left after so many steps is compared by the longest common
    subsequence.
    """
    places: dict[Hashable, list[int]] = {}
    for number, item in enumerate(a):
        places.setdefault(item, []).append(number)
    found: list[Gap] = []
    steps = 0
    # What is still to be compared, the first last.
    left = [Gap((0, len(a)), (0, len(b)))]
    while left:
        gap = left.pop()
        (start, end), (first, last) = gap
        if start == end or first == last:
            _add(found, gap)
            continue
        steps += _cost(a[start:end], b[first:last])
        if steps > _MOST_STEPS:
            for one in _by_subsequence(a, b, gap):
                _add(found, one)
            continue
        here, there, length = _longest_run(places, b, gap)
        if not length:
            _add(found, gap)
            continue
        left.append(Gap((here + length, end), (there + length, last)))
        left.append(Gap((start, here), (first, there)))
    return found


def _add(found: list[Gap], gap: Gap) -> None:
    if gap.source[0] < gap.source[1] or gap.target[0] < gap.target[1]:
        found.append(gap)


def _cost(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    counts = Counter(b)
    return len(a) + len(b) + sum(counts[item] for item in a)


def _longest_run(
    places: dict[Hashable, list[int]], b: Sequence[Hashable], gap: Gap
) -> tuple[int, int, int]:
    """Return where the longest run that both sides of a gap have begins in each, and its length."""
    (start, end), (first, last) = gap
    best = (start, first, 0)
    ending: dict[int, int] = {}  # how long a run ends at a place of `a` and at the last of `b`
    for there in range(first, last):
        now: dict[int, int] = {}
        same = places.get(b[there], [])
        for at in range(bisect_left(same, start), bisect_left(same, end)):
            here = same[at]
            now[here] = length = ending.get(here - 1, 0) + 1
            if length > best[2]:
                best = (here - length + 1, there - length + 1, length)
        ending = now
    return best


def _by_subsequence(a: Sequence[Hashable], b: Sequence[Hashable], gap: Gap) -> Iterator[Gap]:
    (start, end), (first, last) = gap
    numbers: dict[Hashable, int] = {}
    sides = [
        [numbers.setdefault(item, len(numbers)) for item in side]
        for side in (a[start:end], b[first:last])
    ]
    for one, two, three, four in changes(sides[0], sides[1]):
        yield Gap((one + start, two + start), (three + first, four + first))

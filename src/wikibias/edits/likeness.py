"""How likely two sentences of an edit are a pair: by the words they share, and where they stand.

A word counts by its length, up to five letters (which is as much as is compared, so that endings do
not count), and the less the more sentences of the edit have it. Words that very many have do not
count at all, so that the work grows with the length of the text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import mul
from typing import NamedTuple

from wikibias.records import Sentence
from wikibias.text import unsegmented
from wikibias.text.normalisation import comparison_key

# Log-odds that two sentences are a pair, fitted to the dev half of the alignment gold (see
# docs/quality.md): by the share of the words in common of both, that of the one with fewer
# words, and how near they stand. Each sentence counts as having one word more that the other lacks,
# so that one word in common says little.
_COMMON, _COVERED, _NEAR, _NEVER = 6.0, 10.5, 1.8, -5.1
_STEM = 5  # letters
# Sentences on a side, about as many as the edits of the gold have; among more, chance has a share.
_FEW = 8
# Nothing else makes up for it where a sentence shares less than this part of its words.
_FEWEST = 5
_MOST_SENTENCES = 32  # on a side that have a word
_MOST_CANDIDATES = 12  # of a sentence
_WEIGHT = 1_000_000  # of a word that one sentence has
_LONGEST_REMEMBERED = 2000  # characters

Words = Counter[str]


@dataclass(frozen=True, slots=True)
class Places:
    """Where in its document each sentence of a side stands, and where on the other side it would.

    In sentences, counted from the first.
    """

    own: Sequence[float]
    other: Sequence[float]


def places(matches: Sequence[int | None], others: int) -> Places:
    """Return the places of those sentences of a document that have no match in another.

    Args:
        matches: for each sentence of the document, the number of the one that is the same.
        others: how many sentences the other document has.
    """
    own, other = [], []
    before, following = (-1, -1), _following(matches, others)
    for number, match in enumerate(matches):
        if match is not None:
            before = number, match
            continue
        after = following[number]
        share = (number - before[0]) / (after[0] - before[0])
        # After a paragraph that has moved only one of the two neighbours is of use.
        step = share * (after[1] - before[1]) if after[1] > before[1] else number - before[0]
        own.append(float(number))
        other.append(before[1] + step)
    return Places(own, other)


def _following(matches: Sequence[int | None], others: int) -> list[tuple[int, int]]:
    found = [(len(matches), others)] * len(matches)
    for number in reversed(range(len(matches) - 1)):
        match = matches[number + 1]
        found[number] = found[number + 1] if match is None else (number + 1, match)
    return found


@dataclass(frozen=True, slots=True)
class Side:
    """The sentences of a side, their keys, and how often each has a word."""

    sentences: Sequence[Sentence]
    keys: list[str]
    words: list[Words]

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> Side:
        """Return a side of these sentences."""
        keys = [comparison_key(sentence) for sentence in sentences]
        return cls(sentences, keys, [_words(key) for key in keys])


def _words(key: str) -> Words:
    return _remembered(key) if len(key) <= _LONGEST_REMEMBERED else Counter(_stems(key))


# An edit war brings the same sentences again and again.
@lru_cache(1024)
def _remembered(key: str) -> Words:
    return Counter(_stems(key))


def _stems(key: str) -> Iterator[str]:
    for word in key.split():
        if not word.isascii() and unsegmented.is_unspaced(word):
            yield from map("".join, zip(word, word[1:] or " ", strict=False))
        elif word[0].isdigit():
            yield word
        elif word != "numtkn":
            yield word[:_STEM]


@cache
def _weight(length: int, many: int) -> int:
    return _WEIGHT * length // (_STEM * many)


class Weights(dict[str, int]):
    """How much each word of an edit counts; those that very many sentences have count 0.

    A word is weighed when it is first asked for: most sentences share none with the other side.
    `totals` are the sums of the words of each sentence, side by side.
    """

    def __init__(self, sides: tuple[Side, Side]) -> None:
        super().__init__()
        left, right = (Counter(chain.from_iterable(side.words)) for side in sides)
        self._counts = left, right
        self.totals = Totals(sides[0].words, self), Totals(sides[1].words, self)

    def __missing__(self, word: str) -> int:
        left, right = self._counts
        many, other = left.get(word, 0), right.get(word, 0)
        many = other if other > many else many
        length = len(word) if len(word) < _STEM and not word[0].isdigit() else _STEM
        self[word] = weight = _weight(length, many) if many <= _MOST_SENTENCES else 0
        return weight

    def of_both(self) -> dict[str, int]:
        """Return the weights of the words that both sides have, without those of 0."""
        left, right = self._counts
        return {word: weight for word in left if word in right and (weight := self[word])}

    def total(self, words: Words) -> int:
        """Return the sum of some words."""
        return sum(map(mul, map(self.__getitem__, words), words.values()))


class Totals(dict[int, int]):
    """The sums of the words of sentences, by their numbers."""

    def __init__(self, words: Sequence[Words], weights: Weights) -> None:
        super().__init__()
        self._words, self._weights = words, weights

    def __missing__(self, number: int) -> int:
        self[number] = total = self._weights.total(self._words[number])
        return total


def gains_of(
    sides: tuple[Side, Side], weights: Weights, stand: tuple[Places, Places]
) -> dict[tuple[int, int], int]:
    """Return the log-odds of the likeliest pairs, in thousandths, where they are above 0."""
    index = _index(sides[1].words, weights.of_both())
    totals, others = weights.totals
    chance = _chance(max(len(side.keys) for side in sides))
    gains: dict[tuple[int, int], int] = {}
    for left, words in enumerate(sides[0].words):
        likely, total = {}, totals[left]
        for right, common in _shared(words, index).items():
            # Most share a word or two.
            if common * _FEWEST < total and common * _FEWEST < others[right]:
                continue
            odds = _odds(common, total, others[right])
            odds += _NEAR * _nearness(stand, left, right)
            odds -= chance
            if odds > 0:
                likely[right] = round(1000 * odds)
        best = sorted(likely, key=lambda right: (-likely[right], right))[:_MOST_CANDIDATES]
        gains |= {(left, right): likely[right] for right in best}
    return gains


class _Entry(NamedTuple):
    """A word of both sides: its weight, the sentences that have it, and how often if often."""

    weight: int
    sentences: list[int]
    often: list[tuple[int, int]]


def _index(sentences: Sequence[Words], weights: dict[str, int]) -> dict[str, _Entry]:
    index = {word: _Entry(weight, [], []) for word, weight in weights.items()}
    for number, words in enumerate(sentences):
        for word, many in words.items():
            if word in index:
                index[word].sentences.append(number)
                if many > 1:
                    index[word].often.append((number, many))
    return index


def _shared(words: Words, index: dict[str, _Entry]) -> dict[int, int]:
    """Return how much each sentence of the other side has in common with these words."""
    entries = [index[word] for word in words if word in index]
    shared = dict.fromkeys(chain.from_iterable([entry.sentences for entry in entries]), 0)
    for weight, sentences, _ in entries:
        for number in sentences:
            shared[number] += weight
    for word, many in words.items():
        if many > 1 and word in index:
            for number, there in index[word].often:
                shared[number] += index[word].weight * (min(many, there) - 1)
    return shared


def _odds(common: int, left: int, right: int) -> float:
    of_both = 2 * common / (left + right + 2 * _WEIGHT)
    of_one = common / (min(left, right) + _WEIGHT)
    return _COMMON * of_both + _COVERED * of_one + _NEVER


def _chance(sentences: int) -> float:
    """Return how much more is asked for where there are many sentences, to be alike by chance."""
    return math.log(max(1, sentences / _FEW)) / 4


def _nearness(stand: tuple[Places, Places], left: int, right: int) -> float:
    """Return how near two sentences stand: 1 at the same place, a half one sentence further."""
    apart = abs(stand[0].other[left] - stand[1].own[right])
    apart += abs(stand[1].other[right] - stand[0].own[left])
    return 1 / (1 + apart / 2)


def nearer(
    whole: Words, parts: Words, more: Words, weights: Weights, total: tuple[int, int, int]
) -> float:
    """Return how much larger a share of words a text has in common with some parts and one more.

    The share is of the words of both. `total` are the sums of the three.
    """
    common = new = 0
    for word, many in whole.items():
        there = parts.get(word, 0)
        common += weights[word] * min(many, there)
        if word in more:
            new += weights[word] * (min(many, there + more[word]) - min(many, there))
    of_whole, of_parts, of_more = total
    return 2 * (common + new) / max(1, of_whole + of_parts + of_more) - 2 * common / max(
        1, of_whole + of_parts
    )

"""Which removed sentence became which added one: pairs, splits and merges.

Sentences are alike by the words they share. A word counts by its length, up to five letters (which
is as much as is compared, so that endings do not count), and the less the more sentences of the
edit have it. Words that very many have do not count at all, so that the work grows with the length
of the text.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from wikibias.edits.assignment import assign
from wikibias.edits.change_spans import Span, changed_spans, within, written
from wikibias.records import Link, Relation, Sentence
from wikibias.text import unsegmented
from wikibias.text.normalisation import comparison_key
from wikibias.text.similarity import ratio

# Log-odds that two sentences are a pair, fitted to the dev half of the alignment gold (see
# docs/quality.md): by the share of the words in common of both, that of the one with fewer
# words, and how near they stand. Each sentence counts as having one word more that the other lacks,
# so that one word in common makes no pair.
_COMMON, _COVERED, _NEAR, _NEVER = 6.0, 10.5, 1.8, -5.1
# How much more two sentences together must have in common with a third than one of them has.
_JOINED_GAIN = 0.04
# Parts of a split or merged sentence; and how many sentences further the next one may stand.
_MOST_PARTS, _NEIGHBOURS = 8, 2
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
# Removed sentences and the added ones that they became, by number, in order.
Group = tuple[tuple[int, ...], tuple[int, ...]]
Links = tuple[Link, ...]


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


def align(
    removed: Sequence[Sentence],
    added: Sequence[Sentence],
    stand: tuple[Places, Places] | None = None,
) -> tuple[Links, Links]:
    """Return a link for each removed sentence, and one for each added one.

    Pairs are the best assignment of one to one by the words in common, and by where the sentences
    stand. A neighbour without a partner joins a pair where both together are nearer (`split`,
    `merged`). `number_only` are pairs that differ in numbers alone, `moved` those of the same
    words, perhaps written together or apart; all others are `rewritten`. To swap the sides mirrors
    the result. Similarity is `fuzz.ratio` of the comparison keys, 0 without a partner.

    Args:
        removed: the sentences that only the tagged revision has, in document order.
        added: those that only the other revision has.
        stand: where they stand; without it, evenly in documents of these sentences.
    """
    sides = _Side.of(removed), _Side.of(added)
    if stand is None:
        nothing: tuple[list[None], list[None]] = [None] * len(removed), [None] * len(added)
        stand = places(nothing[0], len(added)), places(nothing[1], len(removed))
    if sides[0].keys > sides[1].keys:  # so that the mirrored edit is computed in the same way
        groups = [(a, b) for b, a in _groups((sides[1], sides[0]), (stand[1], stand[0]))]
    else:
        groups = _groups(sides, stand)
    return _links(sides, sorted(groups))


@dataclass(frozen=True, slots=True)
class _Side:
    """The sentences of a side, their keys, and how often each has a word."""

    sentences: Sequence[Sentence]
    keys: list[str]
    words: list[Words]

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> _Side:
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


def _groups(sides: tuple[_Side, _Side], stand: tuple[Places, Places]) -> list[Group]:
    weights = _weights(sides)
    pairs = assign(_gains(sides, weights, stand))
    pairs += _same_but_numbers(sides, pairs)
    return _joined(sides, weights, stand, pairs)


def _weights(sides: tuple[_Side, _Side]) -> dict[str, int]:
    """Return how much each word counts."""
    counts = [Counter(word for words in side.words for word in words) for side in sides]
    weights = {}
    for word in dict.fromkeys(word for count in counts for word in count):
        many = max(count[word] for count in counts)
        if many <= _MOST_SENTENCES:
            length = _STEM if word[0].isdigit() else min(len(word), _STEM)
            weights[word] = _WEIGHT * length // (_STEM * many)
    return weights


def _gains(
    sides: tuple[_Side, _Side], weights: dict[str, int], stand: tuple[Places, Places]
) -> dict[tuple[int, int], int]:
    """Return the log-odds of the likeliest pairs, in thousandths, where they are above 0."""
    have: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, words in enumerate(sides[1].words):
        for word, many in words.items():
            if word in weights:
                have[word].append((number, many))
    totals = [[_total(words, weights) for words in side.words] for side in sides]
    chance = _chance(max(len(side.keys) for side in sides))
    gains: dict[tuple[int, int], int] = {}
    for left, words in enumerate(sides[0].words):
        shared: dict[int, int] = defaultdict(int)
        for word, many in words.items():
            for right, there in have.get(word, ()):
                shared[right] += weights[word] * (many if many < there else there)
        total, others = totals[0][left], totals[1]
        likely = {}
        for right, common in shared.items():
            # Most share a word or two.
            if common * _FEWEST < min(total, others[right]):
                continue
            odds = _odds(common, total, others[right]) + _NEAR * _nearness(stand, left, right)
            odds -= chance
            if odds > 0:
                likely[right] = round(1000 * odds)
        best = sorted(likely, key=lambda right: (-likely[right], right))[:_MOST_CANDIDATES]
        gains |= {(left, right): likely[right] for right in best}
    return gains


def _total(words: Words, weights: dict[str, int]) -> int:
    return sum(weights.get(word, 0) * many for word, many in words.items())


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


def _same_but_numbers(
    sides: tuple[_Side, _Side], pairs: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pair what is left and differs in numbers alone, in order."""
    paired: tuple[set[int], ...] = tuple(map(set, zip(*pairs, strict=True))) or (set(), set())
    left: dict[str, list[int]] = defaultdict(list)
    for number, sentence in enumerate(sides[0].sentences):
        if number not in paired[0]:
            left[sentence.norm].append(number)
    found = []
    for number, sentence in enumerate(sides[1].sentences):
        if number not in paired[1] and (same := left.get(sentence.norm)):
            found.append((same.pop(0), number))
    return found


def _joined(
    sides: tuple[_Side, _Side],
    weights: dict[str, int],
    stand: tuple[Places, Places],
    pairs: Iterable[tuple[int, int]],
) -> list[Group]:
    """Return the pairs as groups, with those neighbours that make them nearer."""
    groups: list[list[list[int]]] = [[[left], [right]] for left, right in pairs]
    for _ in range(_MOST_PARTS - 1):
        options = sorted(_options(sides, weights, stand, groups), reverse=True)
        used: set[int] = set()
        taken: set[tuple[int, int]] = set()
        for _, at, side, number in options:
            if at not in used and (side, number) not in taken:
                used.add(at)
                taken.add((side, number))
                groups[at][side] = sorted([*groups[at][side], number])
        if not options:
            break
    return [(tuple(left), tuple(right)) for left, right in groups]


def _options(
    sides: tuple[_Side, _Side],
    weights: dict[str, int],
    stand: tuple[Places, Places],
    groups: list[list[list[int]]],
) -> Iterator[tuple[float, int, int, int]]:
    """Yield which neighbour may join which group: how much nearer, group, side, sentence."""
    for side in (0, 1):
        holder = {number: at for at, group in enumerate(groups) for number in group[side]}
        for number in range(len(sides[side].sentences)):
            if number in holder:
                continue
            for near in (number - 1, number + 1):
                at = holder.get(near)
                # No group has several sentences on both sides.
                if at is None or len(groups[at][1 - side]) > 1:
                    continue
                if abs(stand[side].own[number] - stand[side].own[near]) > _NEIGHBOURS:
                    continue
                gain = _gain(sides, weights, groups[at], side, number)
                if gain > _JOINED_GAIN:
                    yield gain, at, side, number


def _gain(
    sides: tuple[_Side, _Side],
    weights: dict[str, int],
    group: list[list[int]],
    side: int,
    number: int,
) -> float:
    """Return how much a sentence more brings the parts of a group nearer to the whole."""
    (whole,) = group[1 - side]
    one = sides[1 - side].words[whole]
    parts: Words = Counter()
    for part in group[side]:
        parts.update(sides[side].words[part])
    return _dice(one, parts + sides[side].words[number], weights) - _dice(one, parts, weights)


def _dice(left: Words, right: Words, weights: dict[str, int]) -> float:
    common = sum(weights.get(word, 0) * min(many, right[word]) for word, many in left.items())
    return 2 * common / max(1, _total(left, weights) + _total(right, weights))


def _links(sides: tuple[_Side, _Side], groups: Sequence[Group]) -> tuple[Links, Links]:
    alone: tuple[Relation, Relation] = ("deleted", "inserted")
    links = [[Link("", "", alone[at], 0.0, "")] * len(side.keys) for at, side in enumerate(sides)]
    for pair, group in enumerate(groups):
        texts = [" ".join(sides[at].sentences[n].text for n in group[at]) for at in (0, 1)]
        keys = [" ".join(sides[at].keys[number] for number in group[at]) for at in (0, 1)]
        relation, alike = _relation(sides, group), round(ratio(*keys), 2)
        for at, spans in enumerate(changed_spans(*texts)):
            for number, own in _parts(sides[at], group[at], texts[at], spans):
                links[at][number] = Link(str(pair), texts[1 - at], relation, alike, written(own))
    return tuple(links[0]), tuple(links[1])


def _parts(
    side: _Side, numbers: Iterable[int], text: str, spans: Sequence[Span]
) -> Iterator[tuple[int, list[Span]]]:
    """Yield the sentences of a joined text with their own parts of its spans."""
    start = 0
    for number in numbers:
        end = start + len(side.sentences[number].text)
        yield number, within(text, spans, start, end)
        start = end + 1


def _relation(sides: tuple[_Side, _Side], group: Group) -> Relation:
    left, right = group
    if len(right) > 1:
        return "split"
    if len(left) > 1:
        return "merged"
    keys = sides[0].keys[left[0]], sides[1].keys[right[0]]
    if "".join(keys[0].split()) == "".join(keys[1].split()):
        return "moved"
    norms = (key.partition("\n")[0] for key in keys)
    return "number_only" if len(set(norms)) == 1 else "rewritten"

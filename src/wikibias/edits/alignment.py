"""Alignment of removed with added sentences: scores of pairs, best assignment, groups."""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import mul
from typing import NamedTuple

from wikibias.edits.word_diff import changed_spans, spans_in_words, within
from wikibias.records import Link, Relation, Sentence
from wikibias.text import segmentation, similarity

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
        keys = [segmentation.comparison_key(sentence) for sentence in sentences]
        return cls(sentences, keys, [Counter(_stems(key)) for key in keys])


def _stems(key: str) -> Iterator[str]:
    for word in key.split():
        if not word.isascii() and segmentation.is_unspaced(word):
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
    # So much more is asked for where there are many sentences, to be alike by chance.
    chance = math.log(max(1, max(len(side.keys) for side in sides) / _FEW)) / 4
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


Pair = tuple[int, int]
# Rows times columns times the smaller of them, up to which the best assignment is looked for:
# some hundredths of a second.
_MOST_STEPS = 64_000


def assign(gains: Mapping[Pair, int]) -> list[Pair]:
    """Return pairs (left, right), each side at most once, so that the sum of gains is highest.

    Left and right that no chain of pairs joins are assigned apart. Where a group so joined is
    larger than some forty a side, the pairs are taken greedily, the highest gain first: that is
    never less than half of the best sum, and mostly within a twentieth of it.

    Args:
        gains: of the pairs that may be; above 0.
    """
    return sorted(pair for group in _connected(gains) for pair in _group_assignment(group))


def _group_assignment(gains: Mapping[Pair, int]) -> list[Pair]:
    if len(gains) == 1:
        return [*gains]
    rows, columns = (len({pair[side] for pair in gains}) for side in (0, 1))
    return greedy(gains) if rows * columns * min(rows, columns) > _MOST_STEPS else best(gains)


def greedy(gains: Mapping[Pair, int]) -> list[Pair]:
    """Return pairs, the highest gain first, each side at most once."""
    left: set[int] = set()
    right: set[int] = set()
    chosen = []
    for pair in sorted(gains, key=lambda pair: (-gains[pair], pair)):
        if pair[0] not in left and pair[1] not in right:
            left.add(pair[0])
            right.add(pair[1])
            chosen.append(pair)
    return chosen


def best(gains: Mapping[Pair, int]) -> list[Pair]:
    """Return the pairs of the highest sum, by the Hungarian method with potentials."""
    rows, columns = (sorted({pair[side] for pair in gains}) for side in (0, 1))
    if len(rows) > len(columns):
        return [(a, b) for b, a in best({(b, a): gain for (a, b), gain in gains.items()})]
    cost = [[-gains.get((row, column), 0) for column in columns] for row in rows]
    return [
        (rows[row], columns[column])
        for column, row in enumerate(_matching(cost))
        if row is not None and cost[row][column] < 0
    ]


def _matching(cost: list[list[int]]) -> list[int | None]:
    """Return, for each column, its row in the assignment of the lowest sum of costs.

    There are no more rows than columns. Each row in turn is added along the cheapest chain of
    changes. `of_row` and `of_column` are the potentials: no cost less those of its row and column
    is below 0.
    """
    columns = len(cost[0])
    of_row, of_column = [0] * len(cost), [0] * columns
    taken: list[int | None] = [None] * columns
    for first in range(len(cost)):
        lowest: list[int | None] = [None] * columns
        before: list[int | None] = [None] * columns
        in_tree = [False] * columns
        row, at = first, None
        while True:
            step, nearest = None, 0
            for column in range(columns):
                if in_tree[column]:
                    continue
                reduced = cost[row][column] - of_row[row] - of_column[column]
                known = lowest[column]
                if known is None or reduced < known:
                    lowest[column], before[column], known = reduced, at, reduced
                if step is None or known < step:
                    step, nearest = known, column
            change = step or 0
            of_row[first] += change
            for column in range(columns):
                if in_tree[column]:
                    holder = taken[column]
                    of_row[holder if holder is not None else first] += change
                    of_column[column] -= change
                elif (known := lowest[column]) is not None:
                    lowest[column] = known - change
            at = nearest
            in_tree[at] = True
            holder = taken[at]
            if holder is None:
                break
            row = holder
        while at is not None:
            came_from = before[at]
            taken[at] = first if came_from is None else taken[came_from]
            at = came_from
    return taken


def _connected(gains: Mapping[Pair, int]) -> list[dict[Pair, int]]:
    """Return the pairs in groups that share no left and no right, with their gains."""
    leader: dict[tuple[int, int], tuple[int, int]] = {}

    def found(node: tuple[int, int]) -> tuple[int, int]:
        while (above := leader.setdefault(node, node)) != node:
            leader[node] = leader[above]
            node = above
        return node

    for left, right in gains:
        leader[found((0, left))] = found((1, right))
    groups: dict[tuple[int, int], dict[Pair, int]] = {}
    for pair, gain in gains.items():
        groups.setdefault(found((0, pair[0])), {})[pair] = gain
    return list(groups.values())


# How much more two sentences together must have in common with a third than one of them has.
_JOINED_GAIN = 0.04
# Parts of a split or merged sentence; and how many sentences further the next one may stand.
_MOST_PARTS, _NEIGHBOURS = 8, 2

# Removed sentences and the added ones that they became, by number, in order.
Group = tuple[tuple[int, ...], tuple[int, ...]]
Links = tuple[Link, ...]


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
    if not (removed and added):
        return _alone("deleted", len(removed)), _alone("inserted", len(added))
    sides = Side.of(removed), Side.of(added)
    if stand is None:
        nothing: tuple[list[None], list[None]] = [None] * len(removed), [None] * len(added)
        stand = places(nothing[0], len(added)), places(nothing[1], len(removed))
    if sides[0].keys > sides[1].keys:  # so that the mirrored edit is computed in the same way
        groups = [(a, b) for b, a in _groups((sides[1], sides[0]), (stand[1], stand[0]))]
    else:
        groups = _groups(sides, stand)
    return _links(sides, sorted(groups))


def _groups(sides: tuple[Side, Side], stand: tuple[Places, Places]) -> list[Group]:
    weights = Weights(sides)
    pairs = assign(gains_of(sides, weights, stand))
    pairs += _same_but_numbers(sides, pairs)
    return _Groups(sides, weights, stand, pairs).joined()


def _same_but_numbers(
    sides: tuple[Side, Side], pairs: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pair what is left and differs in numbers alone, in order."""
    paired: tuple[set[int], ...] = tuple(map(set, zip(*pairs, strict=True))) or (set(), set())
    left: dict[str, deque[int]] = defaultdict(deque)
    for number, sentence in enumerate(sides[0].sentences):
        if number not in paired[0]:
            left[sentence.norm].append(number)
    found = []
    for number, sentence in enumerate(sides[1].sentences):
        if number not in paired[1] and (same := left.get(sentence.norm)):
            found.append((same.popleft(), number))
    return found


class _Groups:
    """Pairs, and those neighbours that make them nearer."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        weights: Weights,
        stand: tuple[Places, Places],
        pairs: Iterable[tuple[int, int]],
    ) -> None:
        self._sides, self._weights, self._stand = sides, weights, stand
        self._groups = [[[left], [right]] for left, right in pairs]
        # How much nearer a sentence brings a group: group, parts that it has, side, sentence.
        self._known: dict[tuple[int, int, int, int], float] = {}

    def joined(self) -> list[Group]:
        """Return the groups, grown as far as they may."""
        groups = self._groups
        for _ in range(_MOST_PARTS - 1):
            options = sorted(self._options(), reverse=True)
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

    def _options(self) -> Iterator[tuple[float, int, int, int]]:
        """Yield which neighbour may join which group: how much nearer, group, side, sentence."""
        groups, known = self._groups, self._known
        for side in (0, 1):
            own = self._stand[side].own
            holder = {number: at for at, group in enumerate(groups) for number in group[side]}
            for number in range(len(self._sides[side].sentences)):
                if number in holder:
                    continue
                for near in (number - 1, number + 1):
                    at = holder.get(near)
                    # No group has several sentences on both sides.
                    if at is None or len(groups[at][1 - side]) > 1:
                        continue
                    if abs(own[number] - own[near]) > _NEIGHBOURS:
                        continue
                    # A group only grows: its size tells what it holds.
                    what = at, len(groups[at][side]), side, number
                    if what not in known:
                        known[what] = self._gain(groups[at], side, number)
                    if known[what] > _JOINED_GAIN:
                        yield known[what], at, side, number

    def _gain(self, group: list[list[int]], side: int, number: int) -> float:
        """Return how much a sentence more brings the parts of a group nearer to the whole."""
        words, (whole,) = self._sides[side].words, group[1 - side]
        first, *others = group[side]
        parts = sum((words[part] for part in others), words[first])
        own, other = self._weights.totals[side], self._weights.totals[1 - side]
        total = other[whole], sum(own[part] for part in group[side]), own[number]
        there = self._sides[1 - side].words[whole]
        return nearer(there, parts, words[number], self._weights, total)


def _alone(relation: Relation, sentences: int) -> Links:
    return (Link("", "", relation, 0.0, ""),) * sentences


def _links(sides: tuple[Side, Side], groups: Sequence[Group]) -> tuple[Links, Links]:
    links = [
        list(_alone("deleted", len(sides[0].keys))),
        list(_alone("inserted", len(sides[1].keys))),
    ]
    for pair, group in enumerate(groups):
        texts = [" ".join(sides[at].sentences[n].text for n in group[at]) for at in (0, 1)]
        keys = [" ".join(sides[at].keys[number] for number in group[at]) for at in (0, 1)]
        relation, alike = _relation(sides, group), round(similarity.ratio(*keys), 2)
        for at, spans in enumerate(changed_spans(*texts)):
            start = 0
            for number in group[at]:
                end = start + len(sides[at].sentences[number].text)
                own = spans_in_words(within(texts[at], spans, start, end))
                links[at][number] = Link(str(pair), texts[1 - at], relation, alike, own)
                start = end + 1
    return tuple(links[0]), tuple(links[1])


def _relation(sides: tuple[Side, Side], group: Group) -> Relation:
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

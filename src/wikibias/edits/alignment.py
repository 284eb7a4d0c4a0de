"""Which removed sentence became which added one: pairs, splits and merges."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence

from wikibias.edits.assignment import assign
from wikibias.edits.change_spans import Span, changed_spans, within, written
from wikibias.edits.likeness import Places, Side, Weights, Words, gains_of, nearer, places
from wikibias.records import Link, Relation, Sentence
from wikibias.text.similarity import ratio

# How much more two sentences together must have in common with a third than one of them has.
_JOINED_GAIN = 0.04
# Parts of a split or merged sentence; and how many sentences further the next one may stand.
_MOST_PARTS, _NEIGHBOURS = 8, 2

# Removed sentences and the added ones that they became, by number, in order.
Group = tuple[tuple[int, ...], tuple[int, ...]]
Links = tuple[Link, ...]
# How much nearer a sentence brings a group: group, parts that it has, side, sentence.
Gains = dict[tuple[int, int, int, int], float]


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
    return _joined(sides, weights, stand, pairs)


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


def _joined(
    sides: tuple[Side, Side],
    weights: Weights,
    stand: tuple[Places, Places],
    pairs: Iterable[tuple[int, int]],
) -> list[Group]:
    """Return the pairs as groups, with those neighbours that make them nearer."""
    groups: list[list[list[int]]] = [[[left], [right]] for left, right in pairs]
    known: Gains = {}
    for _ in range(_MOST_PARTS - 1):
        options = sorted(_options(sides, weights, stand, groups, known), reverse=True)
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
    sides: tuple[Side, Side],
    weights: Weights,
    stand: tuple[Places, Places],
    groups: list[list[list[int]]],
    known: Gains,
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
                # A group only grows: its size tells what it holds.
                what = at, len(groups[at][side]), side, number
                if what not in known:
                    known[what] = _gain(sides, weights, groups[at], side, number)
                if known[what] > _JOINED_GAIN:
                    yield known[what], at, side, number


def _gain(
    sides: tuple[Side, Side],
    weights: Weights,
    group: list[list[int]],
    side: int,
    number: int,
) -> float:
    """Return how much a sentence more brings the parts of a group nearer to the whole."""
    (whole,) = group[1 - side]
    first, *others = group[side]
    parts: Words = sides[side].words[first]
    if others:
        parts = parts.copy()
        for part in others:
            parts.update(sides[side].words[part])
    own, other = weights.totals[side], weights.totals[1 - side]
    total = other[whole], sum(own[part] for part in group[side]), own[number]
    return nearer(sides[1 - side].words[whole], parts, sides[side].words[number], weights, total)


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
        relation, alike = _relation(sides, group), round(ratio(*keys), 2)
        for at, spans in enumerate(changed_spans(*texts)):
            for number, own in _parts(sides[at], group[at], texts[at], spans):
                links[at][number] = Link(str(pair), texts[1 - at], relation, alike, written(own))
    return tuple(links[0]), tuple(links[1])


def _parts(
    side: Side, numbers: Iterable[int], text: str, spans: Sequence[Span]
) -> Iterator[tuple[int, list[Span]]]:
    """Yield the sentences of a joined text with their own parts of its spans."""
    start = 0
    for number in numbers:
        end = start + len(side.sentences[number].text)
        yield number, within(text, spans, start, end)
        start = end + 1


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

"""What an edit changed, by element and action, in the manner of mwedittypes.

The elements and text units of the parts that differ are compared as bags: what stands on one side
only was removed or inserted. A removed and an inserted element that are known by the same name, or
share most words, are one that was changed. One that stands on both sides, but in another section or
behind others than before, was moved. The vocabulary is that of Wikimedia's mwedittypes
(https://gitlab.wikimedia.org/repos/research/edit-types); docs/quality.md compares them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from wikibias.edits.intents.changed_parts import Part, changed_parts
from wikibias.edits.intents.markup_elements import Element, elements_of
from wikibias.edits.intents.text_units import UNITS, paragraphs, units, visible
from wikibias.edits.intents.word_overlap import Overlap
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.records import EditFact
from wikibias.text import affixes

Action = Literal["inserted", "removed", "changed", "moved"]
ACTIONS: tuple[Action, ...] = ("inserted", "removed", "changed", "moved")
# Words. Shorter lines stand in many places.
_SHORTEST_LINE = 4
# Of these one became another only if both have the same name.
_KNOWN_BY_NAME = ("category", "media", "tag")
# Wherever it stands a sentence ends.
_SENTENCE_BREAK = ". "
# Of longer parts only the beginning is read.
_MOST_CHARACTERS = 2_000_000
# Parts that are remembered, and characters of the longest.
_SIDES_KEPT = 256
_LONGEST_KEPT = 10_000


class _Side(NamedTuple):
    """A part of one text: its elements, its running text, and the names it was read with."""

    elements: list[Element]
    text: str
    namespaces: Namespaces


_kept: dict[tuple[str, int], _Side] = {}


def edit_elements(before: str, after: str, namespaces: Namespaces) -> tuple[EditFact, ...]:
    """Return how many elements and units of text an edit inserted, removed, changed and moved.

    Args:
        before: the wikitext before the edit; "" where there was none.
        after: the wikitext after it.
        namespaces: tell a link to a file or a category from one to an article.

    Returns:
        One fact for each element and action that occurs, sorted.
    """
    parts, kept = changed_parts(before, after)
    sides = [(_side(part.before, namespaces), _side(part.after, namespaces)) for part in parts]
    counts = Counter(_sections(parts))
    counts["section", "moved"] = len(kept) - len(_ordered([old for old, _ in kept]))
    counts.update(_markup(sides))
    counts.update(_moves(sides))
    counts.update(_text(sides))
    return tuple(EditFact(*key, number) for key, number in sorted(counts.items()) if number)


def _side(text: str, namespaces: Namespaces) -> _Side:
    if len(text) > _LONGEST_KEPT:
        return _read(text[:_MOST_CHARACTERS], namespaces)
    # What one edit made of a line, the next one often changes again.
    key = text, id(namespaces)
    side = _kept.pop(key, None)
    if side is None or side.namespaces is not namespaces:
        side = _read(text, namespaces)
        if len(_kept) >= _SIDES_KEPT:
            del _kept[next(iter(_kept))]
    _kept[key] = side
    return side


def _read(text: str, namespaces: Namespaces) -> _Side:
    found = elements_of(text, namespaces)
    return _Side(found, visible(text, found), namespaces)


def _sections(parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
    for part in parts:
        yield "section", _action(part.old is not None, part.new is not None)


def _action(was: bool, is_now: bool) -> Action:
    return "changed" if was and is_now else "inserted" if is_now else "removed"


def _markup(sides: Sequence[tuple[_Side, _Side]]) -> Counter[tuple[str, str]]:
    """Count the elements that stand on one side only."""
    old, new = (
        Counter[tuple[str, str, str]](
            (one.kind, one.name, one.source) for pair in sides for one in pair[side].elements
        )
        for side in (0, 1)
    )
    counts: Counter[tuple[str, str]] = Counter()
    gone, come = _by_kind(old - new), _by_kind(new - old)
    for kind in sorted(gone.keys() | come.keys()):
        changed = _changed(kind, gone[kind], come[kind])
        counts[kind, "changed"] = changed
        counts[kind, "removed"] = len(gone[kind]) - changed
        counts[kind, "inserted"] = len(come[kind]) - changed
    return counts


def _by_kind(found: Counter[tuple[str, str, str]]) -> defaultdict[str, list[tuple[str, str]]]:
    by_kind: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for kind, name, source in found.elements():
        by_kind[kind].append((name, source))
    return by_kind


def _changed(kind: str, gone: list[tuple[str, str]], come: list[tuple[str, str]]) -> int:
    """Return how many of the elements of a kind that are gone became one that has come."""
    by_name = Counter(name for name, _ in gone if name) & Counter(name for name, _ in come if name)
    if kind in ("formatting", "list"):
        return 0
    if kind in _KNOWN_BY_NAME:
        return by_name.total()
    if kind == "table":
        return min(len(gone), len(come))
    old, new = _others(gone, by_name), _others(come, by_name)
    return by_name.total() + len(Overlap(old, new).pairs())


def _others(found: list[tuple[str, str]], named: Counter[str]) -> list[str]:
    """Return the sources of the elements that are not matched by their name."""
    left = named.copy()
    others = []
    for name, source in found:
        if left[name] > 0:
            left[name] -= 1
        else:
            others.append(source)
    return others


def _moves(sides: Sequence[tuple[_Side, _Side]]) -> Counter[tuple[str, str]]:
    """Count elements and lines of text that stand once on both sides, but elsewhere."""
    counts: Counter[tuple[str, str]] = Counter()
    places = [_once(_placed(pair[side] for pair in sides)) for side in (0, 1)]
    stayed: defaultdict[int, list[tuple[tuple[int, int], tuple[str, str]]]] = defaultdict(list)
    for key, (part, place) in places[1].items():
        if key not in places[0]:
            continue
        old_part, old_place = places[0][key]
        if old_part != part:
            counts[key[0], "moved"] += 1
        else:
            stayed[part].append(((place, old_place), key))
    for found in stayed.values():
        found.sort()
        in_order = _ordered([old for (_, old), _ in found])
        for number, (_, key) in enumerate(found):
            counts[key[0], "moved"] += number not in in_order
    return counts


Placed = tuple[tuple[str, str], tuple[int, int]]


def _placed(sides: Iterable[_Side]) -> Iterator[Placed]:
    """Yield elements and lines of text with the number of their part, and their place in it."""
    for number, side in enumerate(sides):
        for one in side.elements:
            if one.kind not in ("formatting", "list", "comment", "tag"):
                yield (one.kind, one.source), (number, one.start)
        for place, line in enumerate(side.text.split("\n")):
            if len(line.split()) >= _SHORTEST_LINE:
                yield ("line", line.strip()), (number, place)


def _once(placed: Iterable[Placed]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the places of what stands in one place only."""
    places: dict[tuple[str, str], tuple[int, int]] = {}
    twice: set[Hashable] = set()
    for key, place in placed:
        if key in places:
            twice.add(key)
        places[key] = place
    return {key: place for key, place in places.items() if key not in twice}


def _ordered(numbers: Sequence[int]) -> set[int]:
    """Return the indices of a longest run of numbers that rise."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, number in enumerate(numbers):
        place = bisect_left(tails, number)
        before.append(last[place - 1] if place else -1)
        tails[place : place + 1] = [number]
        last[place : place + 1] = [index]
    kept = set()
    index = last[-1] if last else -1
    while index >= 0:
        kept.add(index)
        index = before[index]
    return kept


def _text(sides: Sequence[tuple[_Side, _Side]]) -> Counter[tuple[str, str]]:
    """Count the units of text; of one kind, as many as were removed and inserted were changed."""
    if all(old.text == new.text for old, new in sides):
        return Counter()
    old_lines, new_lines = (
        Counter(line for pair in sides for line in pair[side].text.split("\n")) for side in (0, 1)
    )
    # A line that both have holds nothing that changed: no unit reaches across its end.
    gone, come = (list((x - y).elements()) for x, y in _both_ways(old_lines, new_lines))
    if len(gone) == len(come):
        gone, come = differing_sentences(gone, come)
    totals = units("\n".join(gone)), units("\n".join(come))
    for total, lines in zip(totals, (old_lines, new_lines), strict=True):
        total["whitespace"]["\n"] = lines.total()
    for side, total in enumerate(totals):
        for pair in sides:
            if pair[0].text != pair[1].text:
                total["paragraph"].update(paragraphs(pair[side].text))
    counts: Counter[tuple[str, str]] = Counter()
    for unit in UNITS:
        removed, inserted = _surplus(totals[0][unit], totals[1][unit])
        changed = min(removed, inserted)
        counts[unit, "changed"] = changed
        counts[unit, "removed"] = removed - changed
        counts[unit, "inserted"] = inserted - changed
    return counts


def differing_sentences(gone: Sequence[str], come: Sequence[str]) -> tuple[list[str], list[str]]:
    """Cut off the sentences that two lines of the same number begin and end with.

    No unit reaches across the cuts, so the difference of the units stays. For that both sides need
    as many lines: what closes a quotation counts at the end of the last line only.
    """
    rest: tuple[list[str], list[str]] = [], []
    for old, new in zip(gone, come, strict=True):
        start, end = affixes.changed(old, new)
        first = old.rfind(_SENTENCE_BREAK, 0, start)
        first = 0 if first < 0 else first + len(_SENTENCE_BREAK)
        last = new.find(_SENTENCE_BREAK, end)
        last = len(new) if last < 0 else last + len(_SENTENCE_BREAK)
        rest[0].append(old[first : len(old) - len(new) + last])
        rest[1].append(new[first:last])
    return rest


def _surplus(old: Counter[str], new: Counter[str]) -> tuple[int, int]:
    """Return how many items one bag has more than the other, and how many the other has more."""
    if old == new:
        return 0, 0
    kept = sum(min(number, new[item]) for item, number in old.items() if item in new)
    return old.total() - kept, new.total() - kept


def _both_ways(old: Counter[str], new: Counter[str]) -> tuple[tuple[Counter[str], ...], ...]:
    return (old, new), (new, old)

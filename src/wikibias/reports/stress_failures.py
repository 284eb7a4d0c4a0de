"""Failures of stress tests as a page shows them: where they gather, an example, and the words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikibias.edits.word_diff import Span, gaps, written
from wikibias.kits.document import Change, Table, pieces
from wikibias.messages import counted
from wikibias.research.stress.answers import Answer, label
from wikibias.research.stress.scoring import considered

_WORD = re.compile(r"\w+|[^\w\s]")
_SHOWN = 5
_WORDS = 10
_FEWEST = 5
"""Rows that a word must have before its failures say anything."""
_LONGEST = 600
"""Characters of a sentence that are shown and compared."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One of the cases that failed of a template or an original, and how many others did."""

    says: str
    change: Change


def failures(given: Sequence[Answer]) -> list[Failure]:
    """Return the templates, or originals, with the most failures, an example of each.

    Counts the rows whose original was called what it is, where that is known; leaves out cases
    without an original, of which `sentences` makes a table.
    """
    shown = []
    for found, rows in _gathered([each for each in given if each.case.original]):
        says = f"{_where(found[0], len(found), rows)} · {_said(found[0])}"
        shown.append(Failure(says, _clearest(found)))
    return shown


def sentences(given: Sequence[Answer]) -> Table | None:
    """Return the same of cases without an original, as a table; None where none failed."""
    found = _gathered([each for each in given if not each.case.original])
    if not found:
        return None
    rows = [
        [failed[0].case.text[:_LONGEST], _where(failed[0], len(failed), rows), _said(failed[0])]
        for failed, rows in found
    ]
    return Table(["sentence", "where", "answer"], rows, 3, prose=True, stacks=True)


def _gathered(given: Sequence[Answer]) -> list[tuple[list[Answer], int]]:
    """Return the failed of each cluster, the most first, and the number of its rows."""
    rows = considered(given)
    of = Counter(each.case.cluster for each in rows)
    failed: dict[str, list[Answer]] = {}
    for each in rows:
        if not each.right:
            failed.setdefault(each.case.cluster, []).append(each)
    most = sorted(failed.items(), key=lambda item: -len(item[1]))[:_SHOWN]
    return [(found, of[cluster]) for cluster, found in most]


def _clearest(found: Sequence[Answer]) -> Change:
    """Return the first case in which a word changed, else the first."""
    changes = (change_of(each.case.original, each.case.text) for each in found)
    with_words = (each for each in changes if any(piece.changed for piece in each.after))
    first = found[0].case
    return next(with_words, None) or change_of(first.original, first.text)


def _where(example: Answer, failed: int, rows: int) -> str:
    share = f"{failed:,} of {counted(rows, 'case')} failed"
    return " · ".join(filter(None, [example.case.category, share]))


def _said(example: Answer) -> str:
    said = {"?": "neither (?)"}.get(example.predicted, example.predicted)
    return f"expected {label(example.case.expected)}, called {said}"


def change_of(original: str, text: str) -> Change:
    """Return a case with what was swapped or put in marked; long texts cut.

    Each mark counts as a word, so that the spaces that a tokeniser leaves about it are no change.
    """
    sides = original[:_LONGEST], text[:_LONGEST]
    places = [[found.span() for found in _WORD.finditer(side)] for side in sides]
    keys = [
        [side[start:end].casefold() for start, end in found]
        for side, found in zip(sides, places, strict=True)
    ]
    found = gaps(*keys)
    left = [_span(places[0], gap.source) for gap in found if gap.source[0] < gap.source[1]]
    right = [_span(places[1], gap.target) for gap in found if gap.target[0] < gap.target[1]]
    return Change(pieces(sides[0], written(left)), pieces(sides[1], written(right)))


def _span(places: Sequence[Span], words_: Span) -> Span:
    return places[words_[0]][0], places[words_[1] - 1][1]


def words(given: Iterable[Answer]) -> Table | None:
    """Return which words fail most often where they are swapped or put in; None of too few."""
    rows, failed = Counter[str](), Counter[str]()
    spelt: dict[str, str] = {}
    for each in considered(list(given)):
        if not each.case.original:
            continue
        after = change_of(each.case.original, each.case.text).after
        put_in = {piece.text.casefold(): piece.text for piece in after if piece.changed}
        for word, written_so in put_in.items():
            spelt.setdefault(word, written_so)
        rows.update(put_in.keys())
        if not each.right:
            failed.update(put_in.keys())
    enough = [word for word in failed if rows[word] >= _FEWEST]
    enough.sort(key=lambda word: (-failed[word] / rows[word], -rows[word], word))
    if not enough:
        return None
    shares = {word: f"{failed[word] / rows[word]:.0%}" for word in enough[:_WORDS]}
    cells = [
        [spelt[word][:60], f"{failed[word]:,}", f"{rows[word]:,}", share]
        for word, share in shares.items()
    ]
    title = f"Words swapped in or put in that fail most often, of those in {_FEWEST} cases or more"
    return Table(["word", "failed", "cases", "share"], cells, title=title)

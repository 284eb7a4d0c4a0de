"""What an editor did to a sentence, by the rule of WIKIBIAS (appendix C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wikibias.edits.change_spans import Span
from wikibias.edits.word_diff import Gap, gaps, tokens, word_diff
from wikibias.records import EditedSpan, EditType

__all__ = ["TokenEdit", "adjacent_edits", "edit_counts", "edited_spans", "word_diff"]


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


def _type_of(gap: Gap) -> EditType:
    if gap.source[0] == gap.source[1]:
        return "addition"
    return "deletion" if gap.target[0] == gap.target[1] else "substitution"


def edit_counts(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Return how many edits of each type pairs of texts have: by adjacency, and by the whole rule.

    Beside them how many pairs have so many edits, five meaning five or more.
    """
    found: dict[str, Counter[str]] = {"adjacency": Counter(), "rule": Counter()}
    per_pair: dict[str, Counter[str]] = {"adjacency": Counter(), "rule": Counter()}
    for texts in pairs:
        made = {
            "adjacency": [edit.type for edit in adjacent_edits(*map(_keys, texts))],
            "rule": [edit.type for edit in edited_spans(*texts)],
        }
        for name, types in made.items():
            found[name].update(types)
            per_pair[name][str(min(len(types), 5))] += 1
    kinds: tuple[EditType, ...] = ("substitution", "deletion", "addition")
    counts = {name: {str(kind): found[name][kind] for kind in kinds} for name in found}
    for name, counted in per_pair.items():
        counts[f"{name}_per_pair"] = dict(sorted(counted.items()))
    return counts


def _keys(text: str) -> list[str]:
    return [text[start:end].casefold() for start, end in tokens(text)]


def edited_spans(source: str, target: str) -> tuple[EditedSpan, ...]:
    """Return what was done to a sentence, in document order, as spans in characters.

    Case does not count.
    """
    sides = tokens(source), tokens(target)
    keys = [
        [text[start:end].casefold() for start, end in side]
        for text, side in zip((source, target), sides, strict=True)
    ]
    return tuple(
        EditedSpan(edit.type, _in_chars(sides[0], edit.source), _in_chars(sides[1], edit.target))
        for edit in adjacent_edits(*keys)
    )


def _in_chars(side: Sequence[Span], span: Span) -> str:
    start, end = span
    return f"{side[start][0]}:{side[end - 1][1]}" if start < end else ""

"""How many edits of each type pairs of texts have, and how many pairs have how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wikibias.edits.edited_spans import adjacent_edits, edited_spans
from wikibias.edits.word_diff import keys_of, tokens
from wikibias.records import EditedSpan, EditType

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

"""Which choice a cell means: by its value, its text, or the word for yes or no in a language."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from wikibias.config.guidelines import Question
from wikibias.config.yes_no import folded
from wikibias.research.annotation.answers import UNPARSED, cell_label
from wikibias.research.annotation.exchange.doubts import Doubts, brief

Value = str | list[str] | None
"""A choice, "?" or None; of a question with several choices a list."""
NONE = "none"
"""Says of a question with several choices that none holds."""
NONE_TEXT = "None of these"
_PARTED = (re.compile(r"[;|\n]"), re.compile(r"[;|\n,]"))


def offers_none(question: Question) -> bool:
    """Return whether other programs need a choice of its own to say that none holds."""
    return question.several and NONE not in question.values


@dataclass(slots=True)
class Choices:
    """Reads the cells of one question.

    Attributes:
        question: what was asked.
        words: whether a word says yes. Of two choices yes is the first and no the second, unless
            their values say yes or no themselves; of several choices no says that none holds.
        doubts: where cells are noted of which nothing could be read.
        read_as: how often a word, folded, was read as which value, where it is not the value.
    """

    question: Question
    words: Mapping[str, bool]
    doubts: Doubts
    read_as: Counter[tuple[str, str]] = field(default_factory=Counter)
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for says, values in self._yes_no().items():
            self._known |= {word: values for word, yes in self.words.items() if yes is says}
        if offers_none(self.question):
            self._known |= {folded(NONE): (), folded(NONE_TEXT): ()}
        heads = Counter(folded(c.text.partition(":")[0]) for c in self.question.choices)
        for choice in self.question.choices:
            head = folded(choice.text.partition(":")[0])
            if heads[head] == 1:
                self._known[head] = (choice.value,)
        for choice in self.question.choices:
            self._known[folded(choice.text)] = self._known[folded(choice.value)] = (choice.value,)

    def value(self, cell: Any, place: str) -> Value:
        """Return what a cell means: "?" where nothing can be read of it, None where it is blank."""
        said = _said(cell)
        if said is None:
            return None
        found = self._values(said)
        if found is None or (len(found) != 1 and not self.question.several):
            known = ", ".join([*self.question.values, *[NONE] * offers_none(self.question)])
            self.doubts.add(
                "answer",
                f"to {self.question.name!r} cannot be read as {known}; written as {UNPARSED}",
                place,
                cell,
            )
            return UNPARSED
        if self.question.several:
            return [value for value in self.question.values if value in found]
        return found[0]

    def notes(self) -> list[str]:
        """Return in a line how words were read that are not the values themselves."""
        if not self.read_as:
            return []
        read = [
            f"{brief(word)} as {value or NONE} ({count:,})"
            for (word, value), count in sorted(self.read_as.items())
        ]
        return [f"{self.question.name}: read {', '.join(read)}"]

    def _values(self, said: str | list[str]) -> tuple[str, ...] | None:
        if isinstance(said, list):
            return self._all(said)
        found = self._one(said)
        for mark in _PARTED if self.question.several else ():
            parts = [part for part in mark.split(said) if part.strip()]
            if found is None and parts:
                found = self._all(parts)
        return found

    def _all(self, parts: Sequence[str]) -> tuple[str, ...] | None:
        each = [self._one(part) for part in parts]
        # "None" beside a choice contradicts it.
        if any(found is None or (not found and len(each) > 1) for found in each):
            return None
        return tuple(value for found in each for value in found or ())

    def _one(self, part: str) -> tuple[str, ...] | None:
        if part in self.question.values:
            return (part,)
        word = folded(part)
        found = self._known.get(word)
        if found is not None and word not in map(folded, (*found, *[NONE] * (not found))):
            self.read_as[word, "".join(found)] += 1
        return found

    def _yes_no(self) -> dict[bool, tuple[str, ...]]:
        """Return which values yes and no stand for."""
        values = self.question.values
        if self.question.several:
            return {False: ()} | ({True: values} if len(values) == 1 else {})
        said = {
            self.words[word]: value for value in values if (word := folded(value)) in self.words
        }
        if len(said) == 2:
            return {says: (value,) for says, value in said.items()}
        return {True: values[:1], False: values[1:]} if len(values) == 2 else {}


def _said(cell: Any) -> str | list[str] | None:
    """Return what a cell says, or the texts of a list; None where it is blank."""
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        with suppress(ValueError, RecursionError):
            cell = json.loads(cell)
    if isinstance(cell, list):
        return [cell_label(part) or "" for part in cell]
    return cell_label(cell)

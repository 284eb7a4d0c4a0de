"""Answers that come back: one of each item and annotator, and the rows that they are written as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wikibias.config.guidelines import Guidelines
from wikibias.research.annotation.exchange.choices import Value
from wikibias.research.annotation.exchange.doubts import Doubts


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked span: characters of the text, the end not among them, and its label."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What an annotator said of an item: `values` by question; `place` is where it stands."""

    item: str
    annotator: str
    values: Mapping[str, Value]
    marks: tuple[Mark, ...] = ()
    comment: str = ""
    place: str = ""

    @property
    def says_something(self) -> bool:
        """Whether it answers a question or marks words; a comment alone is no answer."""
        return bool(self.marks) or any(value is not None for value in self.values.values())

    @property
    def is_empty(self) -> bool:
        """Whether it answers no question, and says nothing else either."""
        return not (self.says_something or self.comment)


def last_of_each(answers: Iterable[Answer], items: Iterable[str], doubts: Doubts) -> list[Answer]:
    """Return the last answer of each annotator to each item, by item and name of the annotator.

    Args:
        answers: in the order in which they were given; those that say nothing are left out.
        items: all that there are, in order.
        doubts: where is noted what was answered twice.
    """
    found: dict[str, dict[str, Answer]] = {item: {} for item in items}
    for answer in answers:
        if answer.is_empty:
            continue
        of_item = found[answer.item]
        if answer.annotator in of_item:
            same = of_item[answer.annotator].values == answer.values
            doubts.add(
                "item",
                "answered twice by one annotator, "
                + ("in the same way" if same else "differently; the last answer is taken"),
                answer.place,
                answer.item,
            )
        of_item[answer.annotator] = answer
    return [of_item[name] for of_item in found.values() for name in sorted(of_item)]


def as_rows(answers: Iterable[Answer], guidelines: Guidelines) -> list[dict[str, Any]]:
    """Return the rows of a long table of answers, as the labelling page has them."""
    rows = []
    for answer in answers:
        row: dict[str, Any] = {"item": answer.item, "annotator": answer.annotator}
        row |= {
            question.name: answer.values.get(question.name) for question in guidelines.questions
        }
        if guidelines.spans:
            row["spans"] = [
                {"start": mark.start, "end": mark.end, "label": mark.label} for mark in answer.marks
            ]
        rows.append({**row, "comment": answer.comment})
    return rows

"""Blank cells of sheets: counted, and filled in where it is said what blank means.

Many tick only what they find, so that a sheet with one label and many blanks says less than it
seems to. Nobody but who asked for the answers knows what its blanks mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wikibias.config.guidelines import Guidelines, Question
from wikibias.errors import UsageError
from wikibias.messages import counted, nearest
from wikibias.research.annotation.answers import UNPARSED, cell_label
from wikibias.research.annotation.exchange.choices import NONE, Value, offers_none
from wikibias.research.annotation.exchange.rows import Answer
from wikibias.research.annotation.tasks import Task


@dataclass(slots=True)
class _Cells:
    """The cells of one question in one sheet."""

    blank: int = 0
    written: int = 0
    labels: set[str] = field(default_factory=set)


class Blanks:
    """Counts blank cells, and fills them in.

    Args:
        tasks: all of them; blanks in those that are dealt to others mean nothing.
        guidelines: what was asked.
        label: the choice that blank means; None where nobody said.

    Raises:
        UsageError: no question has this choice.
    """

    def __init__(self, tasks: Sequence[Task], guidelines: Guidelines, label: str | None) -> None:
        self._offered = {question.name: _offered(question) for question in guidelines.questions}
        self._several = {question.name for question in guidelines.questions if question.several}
        self._means: dict[str, Value] = {}
        for question in guidelines.questions:
            if label in self._offered[question.name]:
                is_none = label == NONE and offers_none(question)
                chosen = [] if is_none or label is None else [label]
                self._means[question.name] = chosen if question.several else label
        if label is not None and not self._means:
            known = dict.fromkeys(name for names in self._offered.values() for name in names)
            raise UsageError(f"--blank {label}: no question has this choice{nearest(label, known)}")
        self._label = label
        self._dealt = {task.item: task.annotators for task in tasks if task.annotators}
        self._names = {name for names in self._dealt.values() for name in names}
        self._seen: dict[tuple[str, str], _Cells] = {}
        self._filled: Counter[str] = Counter()

    @property
    def means_something(self) -> bool:
        """Whether it was said what blank means."""
        return self._label is not None

    def count(self, sheet: str, row: Mapping[str, Any], answer: Answer | None) -> None:
        """Count the cells of a row, by question; `answer` is what was read of it, if anything."""
        for name in self._offered:
            if name not in row:
                continue
            cells = self._seen.setdefault((sheet, name), _Cells())
            if cell_label(row[name]) is None:
                cells.blank += 1
                continue
            cells.written += 1
            if answer is not None:
                cells.labels.add(_shown(answer.values[name]))

    def filled(self, answer: Answer) -> Answer:
        """Return an answer with what blank means in its blank cells; not where others are asked."""
        names = self._dealt.get(answer.item, ())
        if answer.annotator in self._names and answer.annotator not in names:
            return answer
        blank = [name for name in self._means if answer.values.get(name) is None]
        self._filled.update(blank)
        return replace(answer, values={**answer.values, **{n: self._means[n] for n in blank}})

    def lines(self) -> list[str]:
        """Return a line for each column with blank cells of which nobody said what they mean."""
        lines = []
        for (sheet, name), cells in self._seen.items():
            if not cells.blank or name in self._means:
                continue
            if not cells.written:
                lines.append(
                    f"{sheet}: column {name} is blank in all {counted(cells.blank, 'row')}; fill "
                    "it in, or say with --blank LABEL what blank means"
                )
            else:
                rows = f"{sheet}: {counted(cells.blank, 'row')} blank in {name}; no answer"
                lines.append(rows + self._doubt(name, cells.labels))
        return lines

    def _doubt(self, name: str, labels: Collection[str]) -> str:
        """Return what to do where all that is not blank says one label; else nothing."""
        if len(labels) != 1 or UNPARSED in labels:
            return ""
        (label,) = labels
        others = [choice for choice in self._offered[name] if choice != label]
        if name in self._several and NONE in others:
            others = [NONE]
        return (
            f". All others say {label}: if blank means {' or '.join(others)}, say so with "
            f"--blank {others[0] if len(others) == 1 else 'LABEL'}"
        )

    def notes(self) -> list[str]:
        """Return in a line for each question how many blanks were filled in."""
        return [
            f"{name}: read blank as {self._label} ({count:,})"
            for name, count in self._filled.items()
        ]


def _offered(question: Question) -> list[str]:
    return [*question.values, *[NONE] * offers_none(question)]


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else "; ".join(value or [NONE])

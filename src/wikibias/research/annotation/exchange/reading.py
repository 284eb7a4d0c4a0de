"""What every reader of answers needs: the tasks, what was asked, and where doubts are noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wikibias.config.guidelines import Guidelines
from wikibias.config.yes_no import yes_no
from wikibias.research.annotation.exchange.blanks import Blanks
from wikibias.research.annotation.exchange.choices import Choices
from wikibias.research.annotation.exchange.doubts import Doubts
from wikibias.research.annotation.exchange.joining import Tasks
from wikibias.research.annotation.exchange.marks import read_marks
from wikibias.research.annotation.exchange.rows import Answer
from wikibias.research.annotation.tasks import Task


class Reading:
    """Makes answers of what a file says.

    Attributes:
        guidelines: what was asked.
        texts: the texts of all tasks.
        doubts: what did not fit, counted.
        remarks: what is to be said of whole files.
        choices: what reads the answers to each question, by its name.
        columns: the names of all columns of sheets.
        blanks: what is blank in sheets, counted; `blank` is the choice that it means.

    Raises:
        UsageError: no question has the choice that blank means.
    """

    def __init__(
        self, tasks: Sequence[Task], guidelines: Guidelines, *, blank: str | None = None
    ) -> None:
        words = yes_no()
        self.guidelines = guidelines
        self.texts = [task.text for task in tasks]
        self.doubts = Doubts()
        self.remarks: list[str] = []
        self.columns: dict[str, None] = {}
        self.choices = {
            question.name: Choices(question, words, self.doubts)
            for question in guidelines.questions
        }
        self.blanks = Blanks(tasks, guidelines, blank)
        self._tasks = Tasks(tasks, guidelines, self.doubts)

    def answer(
        self,
        *,
        item: Any,
        texts: Mapping[str, Any],
        annotator: str,
        cells: Mapping[str, Any],
        place: str,
        units: bool = False,
    ) -> Answer | None:
        """Return an answer; None, and noted, where it belongs to no task.

        Args:
            item: what names the task; None where nothing does.
            texts: the texts that stand beside, by field.
            annotator: who answered.
            cells: what was answered, by question; `spans` and `comment`.
            place: where it stands.
            units: see `read_marks`.
        """
        task = self._tasks.find(item, texts, place, annotator)
        if task is None:
            return None
        comment = _text(cells.get("comment"))
        return Answer(
            task.item,
            _whole(annotator),
            {name: read.value(cells.get(name), place) for name, read in self.choices.items()},
            read_marks(
                cells.get("spans"),
                task.text,
                self.guidelines.spans,
                place,
                self.doubts,
                units=units,
            ),
            comment,
            place,
        )

    def remark(self, line: str) -> None:
        """Note what is to be said of a whole file."""
        self.remarks.append(line)

    def notes(self) -> list[str]:
        """Return how words were read that are no values, and blanks, in lines for each question."""
        words = [note for read in self.choices.values() for note in read.notes()]
        return words + self.blanks.notes()

    def warnings(self) -> list[str]:
        """Return all that is to be warned of: files, what did not fit, and what is blank."""
        return [*self.remarks, *self.doubts.lines(), *self.blanks.lines()]


def _text(cell: Any) -> str:
    """Return a comment, of one text or a list of them; "" where it is blank."""
    parts = cell if isinstance(cell, list) else [cell]
    said = "\n".join(str(part).strip() for part in parts if part is not None)
    return _whole(said.strip())


def _whole(text: str) -> str:
    """Return a text without halves of characters, which JSON can have and no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")

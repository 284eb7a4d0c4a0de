"""What an annotator sees of a task: its sentences and where they stand, and nothing of the edit.

Who made the edit, when, why, and which sentences are controls or repeats would tip annotators off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wikibias.config.guidelines import Guidelines
from wikibias.errors import UsageError
from wikibias.messages import nearest
from wikibias.research.annotation.tasks import Task, sides

Field = Literal["previous", "text", "next", "before_edit", "after_edit", "section"]
JUDGED: tuple[Field, ...] = ("text", "before_edit", "after_edit")
"""The sentences that are judged; the others tell where they stand."""
HEADINGS: Mapping[Field, str] = {
    "section": "Section",
    "previous": "The sentence before it",
    "text": "The sentence to judge",
    "before_edit": "Before the edit",
    "after_edit": "After the edit",
    "next": "The sentence behind it",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A task as annotators see it: `texts` by field, the same fields for all tasks of a file."""

    item: str
    texts: Mapping[Field, str]


def shown_tasks(tasks: Sequence[Task], guidelines: Guidelines) -> list[Shown]:
    """Return tasks as annotators see them, in order; those to practise with are left out."""
    every = [(task.item, shown(task, guidelines)) for task in tasks if task.kind != "practice"]
    used = [name for name in HEADINGS if name in JUDGED or any(texts[name] for _, texts in every)]
    return [
        Shown(item, {name: texts[name] for name in used if name in texts}) for item, texts in every
    ]


def shown(task: Task, guidelines: Guidelines) -> dict[Field, str]:
    """Return all that may be shown of a task, by field; "" for what it lacks."""
    judged: dict[Field, str] = {"text": task.text}
    if guidelines.view == "pair":
        before, after = sides(task)
        judged = {"before_edit": before, "after_edit": after}
    around: dict[Field, str] = {
        "section": task.section or "",
        "previous": task.previous or "",
        "next": task.next or "",
    }
    return judged | around


def dealt_to(tasks: Sequence[Task]) -> list[str]:
    """Return the annotators to whom tasks are dealt; none where everybody is to judge all."""
    return list(dict.fromkeys(name for task in tasks for name in task.annotators))


def tasks_of(tasks: Sequence[Task], annotator: str) -> list[Task]:
    """Return the tasks that an annotator is to judge.

    Raises:
        UsageError: there is none; the message names those to whom the tasks are dealt.
    """
    own = [task for task in tasks if not task.annotators or annotator in task.annotators]
    if all(task.kind == "practice" for task in own):
        known = nearest(annotator, dealt_to(tasks)) if dealt_to(tasks) else ""
        raise UsageError(f"no task is for {annotator!r}{known}")
    return own


def marked_field(tasks: Sequence[Task], guidelines: Guidelines) -> Field:
    """Return the field in which words are marked: it is the text of every task.

    Raises:
        UsageError: words are to be marked in pairs of which some begin and some end with the text.
    """
    if guidelines.view == "sentence":
        return "text"
    added = {task.role == "added" for task in tasks if task.kind != "practice"}
    if len(added) > 1 and guidelines.spans:
        raise UsageError(
            "words are marked in the sentence before the edit of some tasks, and after it of "
            "others; give removed and added sentences in two files"
        )
    return "after_edit" if added == {True} else "before_edit"

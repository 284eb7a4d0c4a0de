"""A round of labelling: what each annotator sees next, and what becomes of his answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from wikibias.config.guidelines import Guidelines, Practice
from wikibias.errors import UsageError, WikibiasError
from wikibias.messages import counted
from wikibias.research.annotation.answer_store import AnswerStore
from wikibias.research.annotation.labelling.judgements import feedback, judgement
from wikibias.research.annotation.labelling.order import ordered
from wikibias.research.annotation.labelling.shown import shown
from wikibias.research.annotation.tasks import Task

LONGEST_NAME = 60  # characters
_REMEMBERED = 64  # annotators whose order is not made anew with each answer


class Round:
    """Gives annotators their items, one at a time, and keeps what they say.

    An annotator's place is the first item in his order that he has not answered. So nothing but
    the answers themselves is kept, and who comes back goes on where he stopped.

    Attributes:
        given: how many answers were there at its beginning, by annotator.
        foreign: how many others, to what is none of its tasks.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        guidelines: Guidelines,
        store: AnswerStore,
        *,
        names: Sequence[str] = (),
        seed: int = 0,
        with_edit: bool = False,
    ) -> None:
        """Begin a round, or go on with it.

        Args:
            tasks: what is labelled.
            guidelines: what is asked.
            store: where the answers lie.
            names: who annotates; those whom the tasks name, and anybody where they name none.
            seed: of the orders.
            with_edit: show the edit of a sentence as well where the guidelines are for sentences.

        Raises:
            WikibiasError: nothing is to be labelled, no edit can be shown, or the answers there are
                all to something else.
        """
        if all(task.kind == "practice" for task in tasks):
            raise WikibiasError("there is nothing to label; give a file with tasks")
        self.guidelines, self.store = guidelines, store
        assigned = dict.fromkeys(name for task in tasks for name in task.annotators)
        self.names = tuple(checked_name(name) for name in names or assigned)
        self._practice = {f"practice {n}": each for n, each in enumerate(guidelines.practice, 1)}
        self._tasks = [*_practice_tasks(self._practice), *tasks]
        self._edit = with_edit or guidelines.view == "pair"
        if self._edit and not any(task.counterpart or task.before or task.after for task in tasks):
            raise UsageError(
                "the tasks hold no edits to show; draw them with what their edits made of them "
                "(`annotate sample --pair`), or label sentences alone"
            )
        digests = _digests(self._tasks)
        self.given, self.foreign = _given(store, digests)
        if self.foreign and not self.given:
            raise UsageError(
                f"{store.path} holds {counted(self.foreign, 'answer')}, none of them to one of "
                "these tasks; give the tasks that they were given to, or another --db"
            )
        store.belong(_asked(guidelines), digests)
        self._order = lru_cache(_REMEMBERED)(lambda name: ordered(self._tasks, name, seed))
        for name in self.names:
            if all(task.kind == "practice" for task in self._order(name)):
                raise UsageError(
                    f"no sentence is for {name!r}; the tasks are dealt to {', '.join(assigned)}"
                )

    def check_annotator(self, name: str) -> str:
        """Return the name of an annotator.

        Raises:
            UsageError: it cannot be one, or is none of those who were named.
        """
        name = checked_name(name)
        if self.names and name not in self.names:
            raise UsageError(f"the annotators are {', '.join(self.names)}")
        return name

    def state(self, annotator: str) -> dict[str, Any]:
        """Return what the page shows an annotator: the next item, and how far he is."""
        order = self._order(annotator)
        answered = self.store.answered(annotator)
        place = self._place(annotator, answered)
        practice = sum(task.kind == "practice" for task in order)
        state: dict[str, Any] = {
            "place": place,
            "done": sum(task.item in answered for task in order[practice:]),
            "of": len(order) - practice,
            "can_undo": bool(answered),
            "practice": None,
            "item": None,
            "draft": None,
        }
        if place is not None:
            task = order[place]
            state["item"] = shown(task, edit=self._edit)
            state["draft"] = self.store.draft(annotator, task.item)
            if task.kind == "practice":
                state["practice"] = {"number": place + 1, "of": practice}
        return state

    def answer(self, annotator: str, place: int | None, said: Mapping[str, Any]) -> dict[str, Any]:
        """Keep an answer to the item at a place; return the state then, and whether it was taken.

        It is not where the annotator is at another place, as one who answers in two windows.

        Raises:
            UsageError: it is no answer to what was asked.
            DiskError: it could not be kept.
        """
        if place is None or place != self._place(annotator, self.store.answered(annotator)):
            return {**self.state(annotator), "taken": False}
        task = self._order(annotator)[place]
        row = judgement(self.guidelines, task.text, said)
        taken = self.store.answer(annotator, task.item, row, counts=task.kind != "practice")
        state = {**self.state(annotator), "taken": taken}
        practice = self._practice.get(task.item)
        if practice is not None and taken:
            state["feedback"] = feedback(self.guidelines, practice, row)
        return state

    def undo(self, annotator: str, place: int | None) -> dict[str, Any]:
        """Take the last answer back, if the annotator is at a place; return the state then."""
        taken = place == self._place(annotator, self.store.answered(annotator))
        if taken:
            self.store.undo(annotator)
        return {**self.state(annotator), "taken": taken}

    def _place(self, annotator: str, answered: set[str]) -> int | None:
        order = self._order(annotator)
        return next((n for n, task in enumerate(order) if task.item not in answered), None)


def checked_name(name: str) -> str:
    """Return the name of an annotator, without spaces around it.

    Raises:
        UsageError: it is empty, too long, or holds what cannot be shown or parts names elsewhere.
    """
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or "|" in name:
        raise UsageError(
            f"the name of an annotator must have 1 to {LONGEST_NAME} characters, all of them "
            "visible, and no |"
        )
    return name


def possible_name(name: str) -> str:
    """Return what of a name that cannot be one may stand in it."""
    kept = "".join(char for char in name[: 2 * LONGEST_NAME] if char.isprintable() and char != "|")
    return kept.strip()[:LONGEST_NAME].strip()


def _practice_tasks(practice: Mapping[str, Practice]) -> list[Task]:
    return [
        Task(item=item, text=each.text, counterpart=each.counterpart, kind="practice")
        for item, each in practice.items()
    ]


def _given(store: AnswerStore, items: Container[str]) -> tuple[dict[str, int], int]:
    """Return how many answers each annotator gave to these items, and how many are to others."""
    rows = store.rows()
    given = Counter(str(row["annotator"]) for row in rows if row["item"] in items)
    return dict(sorted(given.items())), len(rows) - given.total()


def _asked(guidelines: Guidelines) -> str:
    """Return what answers depend on: changed wording of the guidelines is the user's affair."""
    questions = [[each.name, each.several, each.values] for each in guidelines.questions]
    return json.dumps([questions, guidelines.spans], ensure_ascii=False)


def _digests(tasks: Sequence[Task]) -> dict[str, str]:
    found: dict[str, str] = {}
    for task in tasks:
        try:
            task.item.encode()
        except UnicodeEncodeError as error:
            raise WikibiasError(
                f"the item {ascii(task.item)[:40]} holds half of a character; rename it"
            ) from error
        if task.item in found:
            raise WikibiasError(
                f"the item {task.item!r} is called as a practice item of the guidelines is; "
                "rename it"
            )
        content = [task.text, task.counterpart] if task.kind != "practice" else []
        found[task.item] = sha256(json.dumps(content).encode()).hexdigest()
    return found

"""Rounds of labelling: what each annotator sees next, and what becomes of the answers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any

from wikibias.edits.word_diff import changed_spans, spans_in_words, words
from wikibias.errors import UsageError, WikibiasError, counted, printable
from wikibias.kits.checked import Meta, Struct, convert
from wikibias.kits.document import Piece, pieces
from wikibias.kits.files import ascii_json, to_json
from wikibias.kits.html import language_code
from wikibias.research.annotation import tasks
from wikibias.research.annotation.answer_store import AnswerStore
from wikibias.research.annotation.tasks import Guidelines, Practice, Question, Task

_KEPT = "\n\t\u200b"
_STAND_IN = "\ufffd"
_MOST = 40  # other sentences of a side; an edit may have thousands
LONGEST = 20_000
"""Characters of a text that are shown; a browser lays out what is much longer for seconds."""
_LONGEST_AROUND = 2000  # of what stands around it; it may be forty sentences
_CUT = " […]"


def task_view(task: Task, *, edit: bool, said: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
    """Return what is shown of a task, as the page reads it.

    Only fields that are named here leave this function: no item, whose name may say what it is, no
    kind, label, role, tag, title, revision or probability.

    Args:
        task: what is labelled.
        edit: show the sentence before and after its edit, and the first other sentences of it;
            which side is which is then plain.
        said: what annotators said of it, to whom decides between them.
    """
    with_edit = edit and bool(task.counterpart or task.kind != "practice")
    text = task.text[:LONGEST]
    longest = max(map(len, (task.text, *(task.sides if with_edit else ()))))
    return {
        "text": _visible(text),
        "words": [list(span) for span in words(text)],
        "cut": {"shown": LONGEST, "of": longest} if longest > LONGEST else None,
        "previous": _around(task.previous),
        "next": _around(task.next),
        "section": _around(task.section),
        "language": language_code(task.language or ""),
        "edit": _edit(task) if with_edit else None,
        "said": [{name: _visible(text) for name, text in each.items()} for each in said],
    }


def _edit(task: Task) -> dict[str, Any]:
    both = task.sides
    before, after = (_visible(side[:LONGEST]) for side in both)
    left, right = changed_spans(before, after) if before and after else ((), ())
    return {
        "before": _listed(pieces(before, spans_in_words(left))),
        "after": _listed(pieces(after, spans_in_words(right))),
        "others": {
            side: [_around(text) for text in texts if text not in both][:_MOST]
            for side, texts in (("before", task.before), ("after", task.after))
        },
    }


def _around(text: str | None) -> str:
    text = text or ""
    return _visible(text[:_LONGEST_AROUND]) + (_CUT if len(text) > _LONGEST_AROUND else "")


def _visible(text: str) -> str:
    """Return a text of the same length without characters that reorder or hide others."""
    if printable(text, keep=_KEPT) == text:
        return text
    return "".join(char if printable(char, keep=_KEPT) == char else _STAND_IN for char in text)


def _listed(found: Sequence[Piece]) -> list[tuple[str, bool]]:
    return [(piece.text, piece.changed) for piece in found]


LONGEST_COMMENT = 5000  # characters
MOST_SPANS = 500


class Mark(Struct, frozen=True):
    """A marked span: characters of the text, the end not among them, and its label."""

    start: Annotated[int, Meta(ge=0)]
    end: int
    label: str


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """What an annotator sends: `answers` by question, a value or a list of several."""

    place: int | None
    answers: Mapping[str, str | list[str]] = {}
    spans: Annotated[tuple[Mark, ...], Meta(max_length=MOST_SPANS)] = ()
    comment: Annotated[str, Meta(max_length=LONGEST_COMMENT)] = ""


def read_reply(sent: object) -> Reply:
    """Return what an annotator sends, as JSON holds it.

    Raises:
        UsageError: it is not of this form.
    """
    try:
        reply = convert(sent, Reply)
        reply.comment.encode()  # half of a character no file can hold
    except (ValueError, RecursionError) as error:
        raise UsageError(f"that is no answer: {error!s:.100}") from error
    return reply


def judgement(guidelines: Guidelines, text: str, reply: Reply) -> dict[str, Any]:
    """Return an answer as a row of a long table has it, without item and annotator.

    Args:
        guidelines: what was asked.
        text: what was labelled.
        reply: what was answered.

    Raises:
        UsageError: a question is not answered, or an answer is none that may be given.
    """
    if foreign := {*reply.answers} - {each.name for each in guidelines.questions}:
        raise UsageError(f"there is no question {min(foreign)[:40]!r}")
    if reply.spans and not guidelines.spans:
        raise UsageError("no marks are asked for")
    row: dict[str, Any] = {
        each.name: _chosen(each, reply.answers.get(each.name)) for each in guidelines.questions
    }
    if guidelines.spans:
        for mark in reply.spans:
            if not mark.start < mark.end <= len(text):
                raise UsageError("a mark does not lie in the sentence")
            if mark.label not in guidelines.spans:
                raise UsageError(f"a mark must be one of {', '.join(guidelines.spans)}")
        marks = sorted({(m.start, m.end, guidelines.spans.index(m.label)) for m in reply.spans})
        row["spans"] = [
            {"start": start, "end": end, "label": guidelines.spans[at]} for start, end, at in marks
        ]
    return {**row, "comment": reply.comment.strip()}


def _chosen(question: Question, value: str | list[str] | None) -> str | list[str]:
    given = [value] if isinstance(value, str) else value
    is_list = isinstance(value, list)
    if given is None or is_list != question.several or not {*given} <= {*question.values}:
        what = "none, or any of" if question.several else "one of"
        raise UsageError(f"{question.text} Choose {what} {', '.join(question.values)}.")
    return [each for each in question.values if each in given] if question.several else given[0]


def feedback(
    guidelines: Guidelines, practice: Practice, row: Mapping[str, Any]
) -> dict[str, str | bool]:
    """Return what an annotator is told who has answered a practice item."""
    said = {name: row[name] for name in practice.answers}
    given = _listed_answers(said)
    return {
        "right": all(set(given[name]) == set(each) for name, each in practice.answers.items()),
        "said": _in_words(guidelines, given),
        "expected": _in_words(guidelines, practice.answers),
        "why": practice.why,
    }


def _listed_answers(said: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """Return what is chosen of each question as a list, also where it is one choice."""
    return {name: each if isinstance(each, list) else [each] for name, each in said.items()}


def _in_words(guidelines: Guidelines, answers: Mapping[str, Sequence[str]]) -> str:
    """Return what is answered, by the words of the choices before their colon."""
    texts = [
        choice.text.partition(":")[0].strip()
        for question in guidelines.questions
        for choice in question.choices
        if choice.value in answers[question.name]
    ]
    none = "None of these"
    return ", ".join(texts) or guidelines.page.get(none, none)


def adjudication(
    guidelines: Guidelines, wanted: Sequence[Task], rows: Iterable[Mapping[str, Any]]
) -> tuple[dict[str, Reply], dict[str, list[dict[str, str]]]]:
    """Return what annotators agree on, and what each said of the other tasks, by item.

    Args:
        guidelines: what was asked.
        wanted: the tasks; what nobody answered is in neither.
        rows: the answers, as long tables have them.

    Raises:
        UsageError: a row lacks its item or a question.
    """
    agreed, apart = dict[str, Reply](), dict[str, list[dict[str, str]]]()
    given: dict[str, list[tuple[Reply, dict[str, str]]]] = {}
    for row in rows:
        if lacking := [n for n in ("item", *_names(guidelines)) if row.get(n) is None]:
            what = "give answers by these guidelines, of a sheet what `annotate import` makes of it"
            raise UsageError(f"an answer without {lacking[0]}; {what}")
        answers = {name: row[name] for name in _names(guidelines)}
        marks = [f"{of['label']} {of['start']}–{of['end']}" for of in row.get("spans") or ()]
        said = "; ".join((_in_words(guidelines, _listed_answers(answers)), *marks))
        who, comment = str(row.get("annotator")), row.get("comment") or ""
        shown = {"who": who, "said": said, "comment": comment}
        reply = read_reply({"place": None, "answers": answers, "spans": row.get("spans") or []})
        given.setdefault(str(row["item"]), []).append((reply, shown))
    for task in wanted:
        replies = [] if task.kind == "repeat" else given.get(task.item, [])
        if len({repr(reply) for reply, _ in replies}) == 1:
            agreed[task.item] = replies[0][0]
        elif replies:
            apart[task.item] = [shown for _, shown in replies]
    return agreed, apart


def _names(guidelines: Guidelines) -> list[str]:
    return [each.name for each in guidelines.questions]


LONGEST_NAME = 60  # characters
_REMEMBERED = 64  # annotators whose order is not made anew with each answer


class Round:
    """Gives annotators their items, one at a time, and keeps what they say.

    An annotator's place is the first item in his order that he has not answered. So nothing but
    the answers themselves is kept, and who comes back goes on where he stopped.

    Attributes:
        given: how many answers were there at its beginning, by annotator.
        foreign: how many others, to what is none of its tasks.
        agreed: how many tasks annotators agree on, where the round decides between them.
        apart: what they said of the others, by item.
    """

    def __init__(
        self,
        wanted: Sequence[Task],
        guidelines: Guidelines,
        store: AnswerStore,
        *,
        names: Sequence[str] = (),
        with_edit: bool = False,
        others: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """Begin a round, or go on with it.

        Args:
            wanted: what is labelled.
            guidelines: what is asked.
            store: where the answers lie.
            names: who annotates; those whom the tasks name, and anybody where they name none.
            with_edit: show the edit of a sentence as well where the guidelines are for sentences.
            others: answers of annotators, to decide between: what they agree on is answered at
                once, in the one name of this round, and practice is left out.

        Raises:
            WikibiasError: nothing is to be labelled, no edit can be shown, or the answers there are
                all to something else.
        """
        if all(task.kind == "practice" for task in wanted):
            raise WikibiasError("there is nothing to label; give a file with tasks")
        agreed, self.apart = adjudication(guidelines, wanted, others)
        said = Counter(str(row["item"]) for row in others)
        self.agreed, self.alone = len(agreed), sum(said[item] == 1 for item in agreed)
        if agreed or self.apart:
            guidelines = replace(guidelines, practice=())
            # Whoever the tasks were dealt to, one person decides on all.
            at_hand = agreed.keys() | self.apart.keys()
            wanted = [replace(task, annotators=()) for task in wanted if task.item in at_hand]
        self.guidelines, self.store = guidelines, store
        self.names = tuple(checked_name(name) for name in names or tasks.dealt_to(wanted))
        self._practice = {f"practice {n}": each for n, each in enumerate(guidelines.practice, 1)}
        learned = [
            Task(item, each.text, "practice", counterpart=each.counterpart)
            for item, each in self._practice.items()
        ]
        self._tasks = [*learned, *wanted]
        self._edit = with_edit or guidelines.view == "pair"
        if self._edit and not any(task.counterpart or task.before or task.after for task in wanted):
            raise UsageError(
                "the tasks hold no edits to show; draw them with what their edits made of them "
                "(`annotate sample`), or label sentences alone"
            )
        digests = _digests(self._tasks)
        rows = store.rows()
        given = Counter(str(row["annotator"]) for row in rows if row["item"] in digests)
        self.given, self.foreign = dict(sorted(given.items())), len(rows) - given.total()
        if self.foreign and not self.given:
            raise UsageError(
                f"{store.path} holds {counted(self.foreign, 'answer')}, none of them to one of "
                "these tasks; give the tasks that they were given to, or another --db"
            )
        # What answers depend on: changed wording of the guidelines is the user's affair.
        questions = [[each.name, each.several, each.values] for each in guidelines.questions]
        store.belong(to_json([questions, guidelines.spans]), digests)
        self._order = lru_cache(_REMEMBERED)(
            lambda name: tasks.ordered(tasks.own_tasks(self._tasks, name), name)
        )
        for name in self.names:
            self._order(name)
        for task in wanted:
            if task.item in agreed:
                row = judgement(guidelines, task.text, agreed[task.item])
                store.answer(self.names[0], task.item, row)

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
            state["item"] = task_view(task, edit=self._edit, said=self.apart.get(task.item, ()))
            state["draft"] = self.store.draft(annotator, task.item)
            if task.kind == "practice":
                state["practice"] = {"number": place + 1, "of": practice}
        return state

    def answer(self, annotator: str, place: int | None, reply: Reply) -> dict[str, Any]:
        """Keep an answer to the item at a place; return the state then, and whether it was taken.

        It is not where the annotator is at another place, as one who answers in two windows.

        Raises:
            UsageError: it is no answer to what was asked.
            DiskError: it could not be kept.
        """
        task = self._task(annotator, place)
        row = judgement(self.guidelines, task.text, reply)
        if place != self._place(annotator, self.store.answered(annotator)):
            return {**self.state(annotator), "taken": False}
        taken = self.store.answer(annotator, task.item, row, counts=task.kind != "practice")
        state = {**self.state(annotator), "taken": taken}
        practice = self._practice.get(task.item)
        if practice is not None and taken:
            state["feedback"] = feedback(self.guidelines, practice, row)
        return state

    def undo(self, annotator: str, place: int | None) -> dict[str, Any]:
        """Take the last answer back, if the annotator is at a place; return the state then.

        Raises:
            UsageError: there is no such place.
        """
        if place is not None:  # at the end
            self._task(annotator, place)
        taken = place == self._place(annotator, self.store.answered(annotator))
        if taken:
            self.store.undo(annotator)
        return {**self.state(annotator), "taken": taken}

    def _task(self, annotator: str, place: int | None) -> Task:
        order = self._order(annotator)
        if place is None or not 0 <= place < len(order):
            raise UsageError(f"there is no item at place {place}; open the page anew")
        return order[place]

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


def _digests(wanted: Sequence[Task]) -> dict[str, str]:
    found: dict[str, str] = {}
    for task in wanted:
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
        found[task.item] = sha256(ascii_json(content).encode()).hexdigest()
    return found

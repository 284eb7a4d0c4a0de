"""A language model as an annotator: tasks to questions, answers to rows of a table."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from wikibias.errors import WikibiasError, counted
from wikibias.research.annotation.answers import UNPARSED
from wikibias.research.annotation.prompts import Prompting, Rule
from wikibias.research.annotation.tasks import Task
from wikibias.research.language_models import asking

LONGEST = 100_000
"""Characters of a sentence; what is longer is a page, and costs as one."""
_END = 80  # characters of an answer that cannot be read: its end, where a label would stand


@dataclass(slots=True)
class Plan:
    """What is to be asked.

    Attributes:
        hashes: of the question about each task, in order.
        known: how many answers are there already.
        refused: how many questions were refused, and are not asked again.
        ask: the number of the first task of each question that is not answered.
        tokens_in: about how many tokens these have.
    """

    hashes: list[str] = field(default_factory=list)
    known: int = 0
    refused: int = 0
    ask: list[int] = field(default_factory=list)
    tokens_in: int = 0


@dataclass(frozen=True, slots=True)
class Annotator:
    """A model, and how it is asked and understood.

    Attributes:
        model: who answers.
        prompting: what is sent, and how answers are read.
        decoding: how answers are made.
        rule: which label an answer gives.
        version: of the model, told once, since it may take long.
    """

    model: asking.LanguageModel
    prompting: Prompting
    decoding: asking.Decoding
    rule: Rule
    version: str

    @property
    def name(self) -> str:
        """The column `annotator`: the model and the setting."""
        return f"{self.model.name}@{self.prompting.setting.name}"

    def question(self, task: Task) -> asking.Question:
        """Return what is asked about a task."""
        try:
            messages = self.prompting.messages(task.text)
        except WikibiasError as error:
            raise type(error)(f"sentence {task.item[:40]!r}: {error}") from error
        mark = asking.prompt_hash(self.model.name, self.version, messages, self.decoding)
        return asking.Question(mark, messages)

    def plan(self, tasks: Sequence[Task], cache: asking.AnswerCache, meter: asking.Meter) -> Plan:
        """Return what is to be asked; `meter` counts the answers that are there.

        Two tasks of one text are one question.

        Raises:
            WikibiasError: a sentence is longer than `LONGEST`.
        """
        plan, seen, size = Plan(), set[str](), 0
        for number, task in enumerate(tasks):
            if len(task.text) > LONGEST:
                raise WikibiasError(
                    f"sentence {task.item[:40]!r} has {len(task.text):,} characters, more than "
                    f"{LONGEST:,}; split it, or leave it out"
                )
            question = self.question(task)
            plan.hashes.append(question.hash)
            if question.hash in seen:
                continue
            seen.add(question.hash)
            reply = cache.get(question.hash)
            if reply is None:
                plan.ask.append(number)
                size += question.size
            elif reply.finish == asking.REFUSED:
                plan.refused += 1
            else:
                plan.known += 1
                meter.count(question.size, reply)
        plan.tokens_in = asking.usual_tokens(size, len(plan.ask))
        return plan

    def ask(
        self,
        tasks: Sequence[Task],
        plan: Plan,
        cache: asking.AnswerCache,
        meter: asking.Meter,
        *,
        concurrency: int = 1,
        tell: Callable[[asking.Outcome], None] = lambda outcome: None,
    ) -> asking.Outcome:
        """Ask what is not answered yet; see `asking.ask_all`."""
        questions = (self.question(tasks[number]) for number in plan.ask)
        return asking.ask_all(
            self.model, questions, self.decoding, cache, meter, concurrency=concurrency, tell=tell
        )

    def rows(
        self, tasks: Sequence[Task], plan: Plan, cache: asking.AnswerCache
    ) -> Iterator[dict[str, Any]]:
        """Yield a row for each task that is answered or refused, in their order."""
        task_name, setting = self.prompting.task.name, self.prompting.setting.name
        for task, mark in zip(tasks, plan.hashes, strict=True):
            reply = cache.get(mark)
            if reply is None:
                continue
            left_out = reply.left_out.split(",")
            yield {
                "item": task.item,
                "annotator": self.name,
                self.prompting.task.question: self.prompting.read(reply.text, self.rule),
                "answer": reply.text,
                "model": reply.model or self.model.name,
                "version": self.version or reply.version,
                "prompt": f"{task_name}/{setting}",
                "prompt_hash": mark,
                "temperature": None if "temperature" in left_out else asking.TEMPERATURE,
                "seed": None if "seed" in left_out else self.decoding.seed,
                "finish": reply.finish,
                "tokens_in": reply.tokens_in,
                "tokens_out": reply.tokens_out,
            }


def why_unread(rows: Iterable[dict[str, Any]], question: str) -> str | None:
    """Return why half of the answers or more are "?", and what helps; None where fewer are."""
    answers = [row for row in rows if row["finish"] != asking.REFUSED]
    lost = [row for row in answers if row[question] == UNPARSED]
    if not lost or 2 * len(lost) < len(answers):
        return None
    cut = sum(row["finish"] == "length" for row in lost)
    empty = sum(not row["answer"].strip() for row in lost)
    unread = f"{len(lost):,} of {counted(len(answers), 'answer')} cannot be read"
    if 2 * cut >= len(lost):
        return f"{unread}, {cut:,} of them cut short; raise --max-tokens"
    if 2 * empty >= len(lost):
        return f"{unread}, {empty:,} of them empty; raise --max-tokens, or choose another --model"
    one = next(" ".join(row["answer"].split()) for row in lost if row["answer"].strip())
    return (
        f"{unread}: they name no label of the task, or several, as {one[-_END:]!r}; see --task, "
        "--setting and --rule"
    )


def label_counts(rows: Iterable[dict[str, Any]], question: str) -> dict[str, int]:
    """Return how many rows have each label, the commonest first, and "?" last."""
    counts = Counter(str(row[question]) for row in rows)
    unparsed = counts.pop(UNPARSED, 0)
    ordered = dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
    return {**ordered, UNPARSED: unparsed}

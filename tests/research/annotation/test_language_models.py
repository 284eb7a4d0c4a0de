"""A language model as an annotator: questions of tasks, and rows of answers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from wikibias.errors import WikibiasError
from wikibias.research.annotation import language_models
from wikibias.research.annotation.prompts import COLUMNS, Prompting, load_prompt_task
from wikibias.research.annotation.tasks import Task
from wikibias.research.language_models import asking

TASKS = [
    Task("a", "The splendid mill stood here."),
    Task("b", "The mill stood here."),
    Task("c", "The splendid mill stood here."),
    Task("d", "A tower stood there."),
]


class Judge:
    """Finds praise."""

    name = "judge"

    def __init__(self, says: dict[str, str] | None = None) -> None:
        self.says = says or {"splendid": "BIASED.", "tower": "BIASED or NOT BIASED?"}
        self.asked = 0

    def version(self) -> str:
        return "7"

    def answer(self, messages: Sequence[asking.Message], decoding: asking.Decoding) -> asking.Reply:
        self.asked += 1
        text = messages[-1].content
        found = next((said for word, said in self.says.items() if word in text), "NOT BIASED.")
        if found == "none":
            raise asking.NoAnswerError("none")
        return asking.Reply(found, 30, 2, "stop", "judge-2026")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[asking.AnswerCache]:
    with asking.answer_cache(tmp_path / "cache") as cache:
        yield cache


def annotator(model: Any) -> language_models.Annotator:
    prompting = Prompting(load_prompt_task("bias"), "0-shot")
    return language_models.Annotator(model, prompting, asking.Decoding(seed=3), "distinct", "7")


def test_rows_are_in_the_order_of_the_tasks(cache: asking.AnswerCache) -> None:
    judge = annotator(Judge())
    plan = judge.plan(TASKS, cache, asking.Meter(256))
    judge.ask(TASKS, plan, cache, asking.Meter(256), concurrency=3)
    found = [*judge.rows(TASKS, plan, cache)]
    assert [(row["item"], row["bias"]) for row in found] == [
        ("a", "biased"), ("b", "neutral"), ("c", "biased"), ("d", "?"),
    ]  # fmt: skip
    assert found[0] == {
        "item": "a", "annotator": "judge@0-shot", "bias": "biased", "answer": "BIASED.",
        "model": "judge-2026", "version": "7", "prompt": "bias/0-shot",
        "prompt_hash": plan.hashes[0], "temperature": 0.0, "seed": 3, "finish": "stop",
        "tokens_in": 30, "tokens_out": 2,
    }  # fmt: skip
    assert {*found[0]} == {*COLUMNS, "bias"}
    assert language_models.label_counts(found, "bias") == {"biased": 2, "neutral": 1, "?": 1}


def test_sentences_that_are_the_same_are_asked_about_once(cache: asking.AnswerCache) -> None:
    model = Judge()
    judge = annotator(model)
    plan = judge.plan(TASKS, cache, asking.Meter(256))
    assert (plan.known, plan.ask) == (0, [0, 1, 3])
    assert 60 < plan.tokens_in < 180
    judge.ask(TASKS, plan, cache, asking.Meter(256))
    assert model.asked == 3


def test_what_is_answered_is_not_asked_again_but_counts(cache: asking.AnswerCache) -> None:
    judge = annotator(Judge())
    judge.ask(TASKS[:2], judge.plan(TASKS[:2], cache, asking.Meter(256)), cache, asking.Meter(256))
    meter = asking.Meter(256)
    plan = judge.plan(TASKS, cache, meter)
    assert (plan.known, plan.ask) == (2, [3])
    assert (meter.tokens_in, meter.tokens_out) == (60, 4)


def test_a_sentence_without_an_answer_has_no_row(cache: asking.AnswerCache) -> None:
    judge = annotator(Judge({"tower": "none"}))
    plan = judge.plan(TASKS, cache, asking.Meter(256))
    outcome = judge.ask(TASKS, plan, cache, asking.Meter(256))
    assert [*outcome.without.values()] == ["none"]
    assert [row["item"] for row in judge.rows(TASKS, plan, cache)] == ["a", "b", "c"]


def test_a_page_is_no_sentence_and_is_named_before_anything_is_asked(
    cache: asking.AnswerCache,
) -> None:
    tasks = [*TASKS, Task("page", "a" * (language_models.LONGEST + 1))]
    with pytest.raises(WikibiasError, match="sentence 'page' has 100,001 characters"):
        annotator(Judge()).plan(tasks, cache, asking.Meter(256))


def row(answer: str, finish: str = "stop", label: str = "?") -> dict[str, Any]:
    return {"bias": label, "answer": answer, "finish": finish}


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ([row("BIASED", label="biased")] * 3 + [row("both")] * 2, None),
        ([row("", "refused")] * 9, None),
        ([row("I thi", "length")] * 3, "3 of 3 answers cannot be read, 3 of them cut short; raise "
         "--max-tokens"),
        ([row("")] * 2 + [row("A", label="biased")], "2 of 3 answers cannot be read, 2 of them "
         "empty; raise --max-tokens, or choose another --model"),
        ([row("It is\nVOREINGENOMMEN.")], "1 of 1 answer cannot be read: they name no label of the "
         "task, or several, as 'It is VOREINGENOMMEN.'; see --task, --setting and --rule"),
    ],
)  # fmt: skip
def test_why_most_answers_cannot_be_read(found: list[dict[str, Any]], why: str | None) -> None:
    assert language_models.why_unread(found, "bias") == why

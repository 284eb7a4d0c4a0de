"""Tests of which task an answer belongs to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exchange_tasks import BIAS, INTENTS, PAIRS, TASKS
from wikibias.research.annotation.exchange.doubts import Doubts
from wikibias.research.annotation.exchange.joining import Tasks, alike


def found(item: object, said: str = "", text: str | None = None) -> str | None:
    """Return the item of the task that is found; `said` must be in the only doubt there is."""
    doubts = Doubts()
    texts = {} if text is None else {"text": text}
    task = Tasks(TASKS, BIAS, doubts).find(item, texts, "a.csv:2")
    assert len(doubts.lines()) == bool(said)
    assert said in "".join(doubts.lines())
    return task.item if task else None


class TestFind:
    @pytest.mark.parametrize("item", ["s1", " s1 ", "S1", "s1\u00a0"])
    def test_by_item_however_written(self, item: str) -> None:
        assert found(item) == "s1"

    @pytest.mark.parametrize(
        "text",
        [
            'The legendary "Mill" was the best in Élan – by far.',
            "The legendary “Mill” was  the best in Élan — by far. ",
            "The legendary «Mill» was the best in E\u0301lan -- by far.",
        ],
    )
    def test_quotation_marks_and_dashes_do_no_harm(self, text: str) -> None:
        assert found("s1", text=text) == "s1"

    def test_a_text_that_was_mended_is_taken_and_noted(self) -> None:
        assert found("s2", "changed since", "The mill was bilt in 1820.") == "s2"

    def test_a_text_of_another_task_is_left_out(self) -> None:
        assert found("s1", "of one task and the text of another", TASKS[1].text) is None

    def test_a_text_of_no_task_is_left_out(self) -> None:
        assert found("s1", "with another text than its task", "A bridge.") is None

    def test_an_item_that_no_task_has_is_left_out(self) -> None:
        assert found("s9", "of an item that no task has") is None

    def test_a_repeat_is_told_by_its_item(self) -> None:
        assert found("s4", text=TASKS[3].text) == "s4"

    def test_without_an_item_the_text_must_be_that_of_one_task(self) -> None:
        assert found("", "found by the text", TASKS[0].text) == "s1"
        assert found(None, "of no task's text", "A bridge.") is None
        assert found(None, "of no task's text") is None

    def test_without_an_item_a_repeat_is_told_by_the_order_of_the_rows(self) -> None:
        doubts = Doubts()
        tasks = Tasks(TASKS, BIAS, doubts)
        text = {"text": TASKS[1].text}
        rows = [(f"a.csv:{n}", who) for n, who in enumerate(("ann", "bob", "ann", "ann"), 2)]
        given = [tasks.find(None, text, place, who) for place, who in rows]
        assert given == [TASKS[1], TASKS[1], TASKS[3], None]
        assert doubts.lines() == [
            "3 rows without an item, of a sentence that is asked again; taken in the order of the "
            "rows (keep the column item to be certain); the first: a.csv:2",
            "1 row without an item and the text of several tasks; left out (keep the column item "
            "to be certain); the first: a.csv:5",
        ]

    def test_without_an_item_two_tasks_of_one_text_are_not_told_apart(self) -> None:
        doubts = Doubts()
        tasks = Tasks([TASKS[0], replace(TASKS[0], item="s9")], BIAS, doubts)
        assert tasks.find(None, {"text": TASKS[0].text}, "a.csv:2") is None
        assert "left out (keep the column item" in doubts.lines()[0]

    def test_one_side_of_a_pair_is_enough(self) -> None:
        doubts = Doubts()
        tasks = Tasks(PAIRS, INTENTS, doubts)
        assert tasks.find("e2", {"after_edit": "A bridge."}, "p") is PAIRS[1]
        assert (
            tasks.find("e1", {"before_edit": "A famous mill.", "after_edit": ""}, "p") is PAIRS[0]
        )
        assert doubts.lines() == []


def test_numbers_of_excel_are_found_as_items() -> None:
    tasks = [replace(TASKS[0], item="1"), replace(TASKS[1], item="20")]
    assert Tasks(tasks, BIAS, Doubts()).find("20.0", {}, "p") is tasks[1]
    assert Tasks(tasks, BIAS, Doubts()).find(1.0, {}, "p") is tasks[0]


def test_items_that_look_like_numbers_are_found() -> None:
    tasks = [replace(TASKS[0], item="1.0"), replace(TASKS[1], item="1")]
    for item, task in (("1.0", tasks[0]), ("1", tasks[1]), (1, tasks[1])):
        assert Tasks(tasks, BIAS, Doubts()).find(item, {}, "p") is task
    assert Tasks(tasks[:1], BIAS, Doubts()).find("1", {}, "p") is tasks[0]


def test_alike_keeps_what_makes_a_text_another_one() -> None:
    assert alike("A – b… “c” d\u00a0e") == 'A - b... "c" d e'
    assert alike("A mill") != alike("a mill")

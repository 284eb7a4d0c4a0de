"""Tests of what annotators see of a task."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exchange_tasks import BIAS, INTENTS, PAIRS, TASKS
from wikibias.config.guidelines import Guidelines
from wikibias.errors import UsageError
from wikibias.research.annotation.exchange.shown import (
    dealt_to,
    marked_field,
    shown,
    shown_tasks,
    tasks_of,
)
from wikibias.research.annotation.tasks import Task

WITH_MARKS = Guidelines("w", "W", "a", INTENTS.questions, view="pair", spans=("framing",))


class TestShownTasks:
    def test_shows_sentences_and_where_they_stand_and_nothing_else(self) -> None:
        found = shown_tasks(TASKS, BIAS)
        assert [task.item for task in found] == ["s1", "s2", "s3", "s4"]
        assert {tuple(task.texts) for task in found} == {("previous", "text")}
        told = repr([task.texts for task in found])
        assert not any(word in told for word in ("POV", "removed", "control", "title", "0.5"))

    def test_what_an_edit_left_alone_is_the_same_on_both_sides(self) -> None:
        task = Task("c", "A mill.", kind="control", role="unchanged")
        (found,) = shown_tasks([task], INTENTS)
        assert set(found.texts.values()) == {"A mill."}

    def test_shows_no_other_version_of_a_single_sentence(self) -> None:
        found = shown(PAIRS[0], BIAS)
        assert "A mill." not in found.values()

    def test_turns_pairs_so_that_the_older_sentence_comes_first(self) -> None:
        found = [tuple(task.texts.values()) for task in shown_tasks(PAIRS, INTENTS)]
        assert found == [
            ("A famous mill.", "A mill."),
            ("A fine bridge.", "A bridge."),
            ("A road.", ""),
        ]


class TestMarkedField:
    def test_is_the_side_that_holds_the_text(self) -> None:
        assert marked_field(TASKS, BIAS) == "text"
        assert marked_field([PAIRS[0]], WITH_MARKS) == "before_edit"
        assert marked_field([PAIRS[1]], WITH_MARKS) == "after_edit"

    def test_refuses_texts_on_both_sides_where_words_are_marked(self) -> None:
        with pytest.raises(UsageError, match="in two files"):
            marked_field(PAIRS, WITH_MARKS)
        assert marked_field(PAIRS, INTENTS) == "before_edit"


def test_no_tasks_give_nothing() -> None:
    assert shown_tasks([Task("p", "A.", kind="practice")], BIAS) == []


class TestTasksOf:
    def test_what_is_dealt_to_one_and_what_is_for_everybody(self) -> None:
        tasks = [replace(TASKS[0], annotators=("ann", "bob")), replace(TASKS[1]), TASKS[4]]
        assert [task.item for task in tasks_of(tasks, "bob")] == ["s1", "s2", "p1"]
        assert [task.item for task in tasks_of(tasks, "cleo")] == ["s2", "p1"]
        assert dealt_to(tasks) == ["ann", "bob"]

    def test_of_tasks_that_are_not_dealt_all(self) -> None:
        assert tasks_of(TASKS, "anybody") == TASKS
        assert dealt_to(TASKS) == []

    def test_who_has_none_is_told_who_has(self) -> None:
        tasks = [replace(TASKS[0], annotators=("ann",)), TASKS[4]]
        with pytest.raises(UsageError, match=r"no task is for 'bob'.* Known: ann"):
            tasks_of(tasks, "bob")

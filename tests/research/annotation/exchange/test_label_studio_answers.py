"""Tests of what Label Studio 1.23 really exported, and of what is odd in such files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exchange_tasks import EXPORTS, TASKS, TYPES, reading
from wikibias.research.annotation.exchange.forms import read_answers_of
from wikibias.research.annotation.exchange.label_studio_answers import from_tasks, is_flat, is_task
from wikibias.research.annotation.exchange.reading import Reading
from wikibias.research.annotation.exchange.rows import Answer, Mark, last_of_each
from wikibias.research.annotation.tasks import read_tasks


def exported(name: str) -> tuple[list[Answer], list[str]]:
    """Return the answers of a real export, and what is doubted of it."""
    tasks = read_tasks(EXPORTS / "tasks.jsonl")
    found = Reading(tasks, TYPES)
    answers = read_answers_of(EXPORTS / name, found, annotator=None, renames={})
    return last_of_each(answers, [task.item for task in tasks], found.doubts), found.doubts.lines()


class TestRealExports:
    @pytest.mark.parametrize("name", ["export.json", "export.min.json", "export.csv", "export.tsv"])
    def test_each_form_gives_the_same_answers(self, name: str) -> None:
        answers, _ = exported(name)
        given = {(a.item, a.annotator): a for a in answers}
        assert len(given) == 10
        assert given["s1", "4"].values == {"bias_types": []}
        assert given["s3", "4"].values == {"bias_types": ["framing", "epistemological"]}
        assert ("s5", "5") not in given
        assert given["s7", "5"].comment == 'I was "in doubt"; why?\nSee the rules.'

    def test_what_its_page_marked_behind_an_emoji_is_where_it_was_marked(self) -> None:
        answers, _ = exported("export.json")
        by_hand = next(a for a in answers if a.annotator == "1")
        text = next(t.text for t in read_tasks(EXPORTS / "tasks.jsonl") if t.item == "s21")
        assert by_hand.marks == (Mark(55, 62, "framing"),)
        assert text.index("🚲") < 55
        assert text[55:62] == "rebuilt"

    def test_what_is_left_out_is_said(self) -> None:
        _, doubts = exported("export.json")
        assert [line.partition("; the first")[0] for line in doubts] == [
            "1 item answered twice by one annotator, differently; the last answer is taken",
            "1 annotation skipped by its annotator; left out",
        ]


def task(*annotations: Any, **data: Any) -> dict[str, Any]:
    """Return a task of the form JSON."""
    return {
        "data": {"item": "s2", **data},
        "annotations": list(annotations),
        "predictions": [CHOICE],
    }


def annotation(*result: Any, by: Any = 7, **more: Any) -> dict[str, Any]:
    return {"id": 1, "completed_by": by, "result": list(result), **more}


CHOICE = {"from_name": "bias", "type": "choices", "value": {"choices": ["biased"]}}


class TestOddTasks:
    def read(self, *rows: Any) -> tuple[list[Answer], str]:
        found = reading()
        return list(from_tasks(rows, Path("f.json"), found)), " ".join(found.doubts.lines())

    def test_predictions_are_no_answers(self) -> None:
        assert self.read(task()) == ([], "")

    def test_an_account_is_known_by_its_number_alone(self) -> None:
        answers, _ = self.read(
            task(
                annotation(CHOICE, by={"id": 3, "email": "x@example.org"}),
                annotation(CHOICE, by=None),
            )
        )
        assert [answer.annotator for answer in answers] == ["3", "unknown"]

    def test_an_annotation_without_a_result_is_no_answer(self) -> None:
        answers, said = self.read(task(annotation()))
        assert answers == []
        assert "1 annotation without any answer" in said

    def test_other_tasks_and_what_is_none_are_left_out(self) -> None:
        answers, said = self.read(
            task(annotation(CHOICE), item="x"),
            "x",
            {"data": {}},
            task(3, annotation(CHOICE, 3, {})),
        )
        assert len(answers) == 1
        assert "1 row of an item that no task has" in said
        assert "2 parts without annotations; left out" in said

    def test_a_choice_that_was_not_offered_is_not_guessed(self) -> None:
        wrong = {**CHOICE, "value": {"choices": ["rather biased"]}}
        answers, said = self.read(task(annotation(wrong)))
        assert answers[0].values == {"bias": "?"}
        assert "cannot be read as biased, neutral; written as ?; the first: f.json: task 1" in said

    def test_without_an_item_the_text_tells_the_task(self) -> None:
        answers, said = self.read(task(annotation(CHOICE), item="", text=TASKS[0].text))
        assert [answer.item for answer in answers] == ["s1"]
        assert "found by the text" in said


def test_forms_are_told_apart() -> None:
    rows = json.loads((EXPORTS / "export.min.json").read_text("utf-8"))
    assert is_flat(rows[0])
    assert not is_task(rows[0])
    assert is_task(json.loads((EXPORTS / "export.json").read_text("utf-8"))[0])
    assert not is_flat(["item", "annotator", "bias"])

"""Tests of reading which choice a cell means."""

from __future__ import annotations

from typing import Any

import pytest

from casefiles import cases
from exchange_tasks import BIAS, INTENTS, TYPES
from wikibias.config.guidelines import Choice, Question
from wikibias.config.yes_no import yes_no
from wikibias.research.annotation.exchange.choices import Choices
from wikibias.research.annotation.exchange.doubts import Doubts

QUESTIONS = {asked.name: asked.questions[0] for asked in (BIAS, TYPES, INTENTS)} | {
    "answered": Question(
        "q", "Is it?", (Choice("no", "No, it is not", "n"), Choice("yes", "Yes, it is", "y"))
    ),
    "one": Question("q", "Is it?", (Choice("praise", "Praise", "1"),), several=True),
    "three": Question(
        "q", "How?", tuple(Choice(v, v.title(), str(n)) for n, v in enumerate("abc", 1))
    ),
}


def reader(name: str) -> Choices:
    """Return a reader of one of the questions."""
    return Choices(QUESTIONS[name], yes_no(), Doubts())


@pytest.mark.parametrize("case", cases("exchange_choices"))
def test_reads_what_people_write(case: dict[str, Any]) -> None:
    choices = reader(case["question"])
    for cell in case["cells"]:
        assert choices.value(cell, "p") == case.get("means"), cell


def test_what_cannot_be_read_is_counted_with_its_place() -> None:
    choices = reader("bias")
    for number, cell in enumerate(("perhaps", "biased", "rather"), 2):
        choices.value(cell, f"a.csv:{number}")
    assert choices.doubts.lines() == [
        "2 answers to 'bias' cannot be read as biased, neutral; written as ?; the first: "
        "a.csv:2 'perhaps'"
    ]


def test_says_how_words_were_read_that_are_no_values() -> None:
    choices = reader("bias")
    for cell in ("Oui", "oui", "non", "biased", "Biased"):
        choices.value(cell, "p")
    assert choices.notes() == ["bias: read 'non' as neutral (1), 'oui' as biased (2)"]
    assert reader("bias").notes() == []

"""Tests of what Label Studio gets."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from exchange_tasks import BIAS, INTENTS, PAIRS, TASKS, TYPES
from wikibias.config.guidelines import Choice, Guidelines, Question
from wikibias.research.annotation.exchange.label_studio import (
    instructions,
    label_config,
    write_label_studio,
)
from wikibias.research.annotation.exchange.shown import Field

HOSTILE = Guidelines(
    "h",
    "$text & <b>",
    "One.\n\n<script>Two",
    (Question("q", "$5?", (Choice("a", '"A" <', "1"), Choice("b", "B\x0b", "2"))),),
    rules=("No & <i>.",),
    spans=("so<called",),
)


def config(guidelines: Guidelines, *fields: Field) -> ET.Element:
    """Return the labelling configuration, parsed; words are marked in the last of the fields."""
    shown: tuple[Field, ...] = fields or ("text",)
    return ET.fromstring(label_config(guidelines, shown, shown[-1]))


class TestLabelConfig:
    def test_a_choice_shows_its_text_and_its_value_comes_back(self) -> None:
        view = config(BIAS, "previous", "text")
        choices = view.find("Choices")
        assert choices is not None
        assert choices.attrib == {
            "name": "bias",
            "toName": "text",
            "required": "true",
            "choice": "single",
        }
        assert [(c.get("alias"), c.get("hotkey")) for c in choices] == [
            ("biased", "1"),
            ("neutral", "2"),
        ]
        assert [text.get("value") for text in view.iter("Text")] == ["$previous", "$text"]
        assert view.find("Labels") is None

    def test_of_several_choices_none_is_one_too(self) -> None:
        view = config(TYPES)
        choices = view.find("Choices")
        assert choices is not None
        assert choices.get("choice") == "multiple"
        assert choices[-1].attrib == {"value": "None of these", "alias": "none", "hotkey": "0"}
        assert [label.get("alias") for label in view.iter("Label")] == list(TYPES.spans)

    def test_pairs_stand_side_by_side(self) -> None:
        view = config(INTENTS, "section", "before_edit", "after_edit")
        sides = view.findall("./View/View/Text")
        assert [side.get("name") for side in sides] == ["before_edit", "after_edit"]

    def test_what_a_user_writes_is_text(self) -> None:
        view = config(HOSTILE)
        headers = [header.get("value") for header in view.iter("Header")]
        assert headers[0] == " $text & <b>"
        assert " $5?" in headers
        assert [choice.get("value") for choice in view.iter("Choice")] == ['"A" <', "B\\x0b"]
        assert "<script>" not in instructions(HOSTILE)
        assert instructions(HOSTILE).count("<p>") == 2


def test_writes_tasks_configuration_and_instructions(tmp_path: Path) -> None:
    write_label_studio(tmp_path, TASKS, BIAS)
    rows = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert rows[1] == {
        "data": {
            "item": "s2",
            "previous": "A river runs there.",
            "text": "The mill was built in 1820.",
        }
    }
    # All fields are there of each: Label Studio refuses a task that lacks one.
    assert {tuple(row["data"]) for row in rows} == {("item", "previous", "text")}
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "instructions.html",
        "labels.xml",
        "tasks.json",
    ]


def test_pairs_of_both_kinds_are_written(tmp_path: Path) -> None:
    write_label_studio(tmp_path, PAIRS, INTENTS)
    rows = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert rows[1]["data"]["before_edit"] == "A fine bridge."

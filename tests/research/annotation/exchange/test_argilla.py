"""Tests of what Argilla gets. The classes of argilla 2.8 read it, settings and records."""

from __future__ import annotations

import json
from pathlib import Path

from exchange_tasks import BIAS, INTENTS, PAIRS, TASKS, TYPES
from wikibias.research.annotation.exchange.argilla import instructions, settings, write_argilla


def test_settings_hold_questions_marks_and_a_comment() -> None:
    found = settings(TYPES, ["previous", "text"], "text")
    kinds = [(question["name"], question["settings"]["type"]) for question in found["questions"]]
    assert kinds == [
        ("bias_types", "multi_label_selection"),
        ("spans", "span"),
        ("comment", "text"),
    ]
    types, spans, comment = found["questions"]
    assert [option["value"] for option in types["settings"]["options"]] == [
        "framing",
        "epistemological",
        "demographic",
        "none",
    ]
    assert types["settings"]["visible_options"] == 4
    assert (types["required"], spans["required"], comment["required"]) == (True, False, False)
    assert spans["settings"]["field"] == "text"
    assert [(field["name"], field["required"]) for field in found["fields"]] == [
        ("previous", False),
        ("text", True),
    ]


def test_fewer_choices_than_argilla_folds_up_are_not_counted() -> None:
    (bias, _) = settings(BIAS, ["text"], "text")["questions"]
    assert bias["settings"]["type"] == "label_selection"
    assert bias["settings"]["visible_options"] is None


def test_a_folder_is_what_from_disk_reads(tmp_path: Path) -> None:
    write_argilla(tmp_path, TASKS, BIAS)
    records = json.loads((tmp_path / "records.json").read_text("utf-8"))
    assert [record["id"] for record in records] == ["s1", "s2", "s3", "s4"]
    assert records[0]["fields"] == {"text": TASKS[0].text}
    assert records[0]["metadata"] == {}
    dataset = json.loads((tmp_path / ".argilla" / "dataset.json").read_text("utf-8"))
    assert dataset["name"] == "wikibias-bias"
    assert (
        json.loads((tmp_path / ".argilla" / "settings.json").read_text("utf-8"))["mapping"] is None
    )


def test_an_empty_side_of_a_pair_is_left_out_and_not_required(tmp_path: Path) -> None:
    write_argilla(tmp_path, PAIRS, INTENTS)
    records = json.loads((tmp_path / "records.json").read_text("utf-8"))
    assert list(records[2]["fields"]) == ["before_edit"]
    fields = json.loads((tmp_path / ".argilla" / "settings.json").read_text("utf-8"))["fields"]
    assert [(field["name"], field["required"]) for field in fields] == [
        ("before_edit", True),
        ("after_edit", False),
    ]


def test_instructions_are_markdown() -> None:
    said = instructions(BIAS)
    assert said.count("\n- ") == len(BIAS.rules)

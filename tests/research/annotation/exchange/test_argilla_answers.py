"""Tests of records that come back from Argilla, as argilla 2.8 writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exchange_tasks import TASKS, TYPES, reading
from wikibias.research.annotation.exchange.argilla_answers import from_records, is_record
from wikibias.research.annotation.exchange.rows import Answer, Mark

ANN, BOB = "11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"


def nested(item: str, **responses: Any) -> dict[str, Any]:
    """Return a record as `records.to_json` writes it."""
    return {
        "id": item,
        "fields": {"text": next(task.text for task in TASKS if task.item == item)},
        "metadata": {},
        "suggestions": {"bias_types": {"value": ["framing"], "score": 0.9, "agent": "model"}},
        "responses": {
            name: [{"value": value, "user_id": user} for user, value in by_user.items()]
            for name, by_user in responses.items()
        },
        "vectors": {},
        "status": "completed",
        "_server_id": "22222222-0000-4000-8000-000000000001",
    }


def read(*records: Any) -> tuple[list[Answer], str]:
    """Return the answers, and what is doubted."""
    found = reading(TYPES)
    return list(from_records(records, Path("records.json"), found)), " ".join(found.doubts.lines())


def test_nested_records_hold_the_answers_of_each_user() -> None:
    place = TASKS[2].text.index("so-called")
    units = place + 1  # its page counts the emoji before it twice
    span = {"start": units, "end": units + 9, "label": "framing"}
    record = nested(
        "s3",
        bias_types={ANN: ["framing"], BOB: ["none"]},
        spans={ANN: [span]},
        comment={BOB: "Why?"},
    )
    answers, said = read(record, nested("s1"))
    assert is_record(record)
    assert [(a.item, a.annotator, a.values["bias_types"], a.comment) for a in answers] == [
        ("s3", ANN, ["framing"], ""),
        ("s3", BOB, [], "Why?"),
    ]
    assert answers[0].marks == (Mark(place, place + 9, "framing"),)
    assert "counted as browsers do" in said


def test_flat_records_say_what_was_discarded() -> None:
    record = {
        "id": "s1",
        "text": TASKS[0].text,
        "status": "completed",
        "bias_types.responses": [["framing"], ["none"], ["demographic"]],
        "bias_types.responses.users": [ANN, BOB],
        "bias_types.responses.status": ["submitted", "discarded", "draft"],
        "bias_types.suggestion": ["framing"],
    }
    answers, said = read(record)
    assert is_record(record)
    assert [(a.annotator, a.values["bias_types"]) for a in answers] == [(ANN, ["framing"])]
    assert "1 answer with the status discarded; left out" in said
    assert "1 answer with the status draft; left out" in said


def test_what_is_odd_is_left_out_and_noted() -> None:
    answers, said = read(
        "x", {"id": "s9", "responses": {"bias_types": [3, {"value": ["framing"]}]}}
    )
    assert answers == []
    assert "1 part without responses" in said
    assert "1 row of an item that no task has" in said
    assert not is_record({"id": "s1", "text": "A."})

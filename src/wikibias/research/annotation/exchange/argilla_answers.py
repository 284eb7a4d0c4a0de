"""Reads the records that Argilla writes: nested (`records.to_json`) or flat (`to_list(flatten)`).

A nested record does not say which answers were discarded; a flat one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wikibias.research.annotation.exchange.reading import Reading
from wikibias.research.annotation.exchange.rows import Answer

_FLAT = ".responses"


def is_record(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a record of Argilla, nested or flat."""
    nested = isinstance(row.get("responses"), Mapping) and isinstance(row.get("fields"), Mapping)
    return nested or any(name.endswith(_FLAT) for name in row)


def from_records(rows: Sequence[Any], path: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of records, those that were discarded left out."""
    for number, record in enumerate(rows, 1):
        place = f"{path}: record {number}"
        if not isinstance(record, Mapping):
            reading.doubts.add("part", "without responses; left out", place)
            continue
        texts = record.get("fields")
        for user, cells in _by_user(record, place, reading).items():
            answer = reading.answer(
                item=record.get("id"),
                texts=texts if isinstance(texts, Mapping) else record,
                annotator=user,
                cells=cells,
                place=place,
                units=True,
            )
            if answer is not None:
                yield answer


def _by_user(record: Mapping[str, Any], place: str, reading: Reading) -> dict[str, dict[str, Any]]:
    """Return what each user answered, by question."""
    found: dict[str, dict[str, Any]] = {}
    left_out: dict[tuple[str, str], None] = {}
    for question in (*reading.choices, "spans", "comment"):
        for user, value, status in _responses(record, question):
            if status in ("discarded", "draft"):
                left_out[user, status] = None
            else:
                found.setdefault(user, {})[question] = value
    for _, status in left_out:
        reading.doubts.add("answer", f"with the status {status}; left out", place)
    return found


def _responses(record: Mapping[str, Any], question: str) -> Iterator[tuple[str, Any, str]]:
    """Yield user, value and status of the responses to a question."""
    nested = record.get("responses")
    if isinstance(nested, Mapping):
        for one in _list(nested.get(question)):
            if isinstance(one, Mapping):
                yield (
                    str(one.get("user_id") or "unknown"),
                    one.get("value"),
                    str(one.get("status") or ""),
                )
        return
    name = f"{question}{_FLAT}"
    users, statuses = _list(record.get(f"{name}.users")), _list(record.get(f"{name}.status"))
    for number, value in enumerate(_list(record.get(name))):
        user = users[number] if number < len(users) else f"user {number + 1}"
        status = statuses[number] if number < len(statuses) else ""
        yield str(user), value, str(status or "")


def _list(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []

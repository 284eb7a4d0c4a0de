"""Tests of sheets that were filled in, and mangled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from casefiles import cases
from exchange_tasks import TASKS, TYPES, reading
from wikibias.research.annotation.exchange.forms import read_answers_of
from wikibias.research.annotation.exchange.rows import Mark, last_of_each
from wikibias.research.annotation.exchange.sheet_answers import from_sheet
from wikibias.research.annotation.tables import read_table, write_rows


@pytest.mark.parametrize("case", cases("mangled_sheets"))
def test_reads_what_people_give_back(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(case["content"].encode(case.get("encoding", "utf-8")))
    found = reading()
    answers = last_of_each(
        read_answers_of(path, found, annotator=None, renames=case.get("renames", {})),
        [task.item for task in TASKS],
        found.doubts,
    )
    assert [[a.item, a.annotator, a.values["bias"]] for a in answers] == case["answers"]
    said = found.warnings()
    wanted = [part.replace("{path}", str(path)) for part in case.get("said", [])]
    assert [sum(part in line for line in said) for part in wanted] == [1] * len(wanted), said
    assert len(said) == len(wanted), said


def test_marks_stand_as_json_in_a_cell(tmp_path: Path) -> None:
    spans = [{"start": 4, "end": 13, "label": "framing"}]
    rows = [{"item": "s1", "bias_types": ["framing"], "spans": spans}]
    for name in ("a.csv", "a.jsonl"):
        write_rows(tmp_path / name, rows)
        found = reading(TYPES)
        table = read_table(tmp_path / name)
        (answer,) = from_sheet(table, found, annotator="ann", renames={})
        assert answer.marks == (Mark(4, 13, "framing"),)
        assert answer.values == {"bias_types": ["framing"]}
        assert answer.annotator == "ann"

"""Tests of the ways to and from each form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from exchange_tasks import BIAS, TASKS, reading
from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.exchange.forms import Form, export_tasks, read_answers_of
from wikibias.research.annotation.tables import write_rows


def said_of(path: Path) -> list[tuple[str, str, object]]:
    """Return item, annotator and answer of each row of a file that comes back."""
    found = read_answers_of(path, reading(), annotator=None, renames={})
    return [(a.item, a.annotator, a.values["bias"]) for a in found]


class TestExportTasks:
    @pytest.mark.parametrize("form", get_args(Form))
    def test_two_runs_give_the_same_bytes(self, form: Form, tmp_path: Path) -> None:
        written = []
        for number in "12":
            out = tmp_path / number
            out = out.with_suffix(f".{form}") if form in ("csv", "jsonl") else out
            export_tasks(TASKS, BIAS, form, out, overwrite=False)
            files = sorted(path for path in (out, *out.rglob("*")) if path.is_file())
            written.append([path.read_bytes() for path in files])
        assert written[0] == written[1]

    def test_a_sheet_that_may_hold_answers_is_not_replaced(self, tmp_path: Path) -> None:
        out = tmp_path / "s.csv"
        export_tasks(TASKS, BIAS, "csv", out, overwrite=False)
        with pytest.raises(UsageError, match="may hold answers"):
            export_tasks(TASKS, BIAS, "csv", out, overwrite=False)
        export_tasks(TASKS, BIAS, "csv", out, overwrite=True)

    def test_a_folder_that_somebody_changed_is_not_replaced(self, tmp_path: Path) -> None:
        out = tmp_path / "ls"
        export_tasks(TASKS, BIAS, "label-studio", out, overwrite=False)
        export_tasks(TASKS, BIAS, "label-studio", out, overwrite=False)
        (out / "export.csv").write_text("answers")
        with pytest.raises(UsageError, match="holds what this command did not write"):
            export_tasks(TASKS, BIAS, "label-studio", out, overwrite=False)

    def test_the_name_says_the_form(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match=r"must end in \.csv or \.tsv"):
            export_tasks(TASKS, BIAS, "csv", tmp_path / "s.xlsx", overwrite=False)


class TestReadAnswers:
    def test_each_form_is_told_by_what_is_in_it(self, tmp_path: Path) -> None:
        result = [{"from_name": "bias", "type": "choices", "value": {"choices": ["biased"]}}]
        annotations = [{"completed_by": 4, "result": result}]
        responses = {"bias": [{"value": "biased", "user_id": "u"}]}
        forms: dict[str, tuple[list[Any], str]] = {
            "ls.json": ([{"data": {"item": "s1"}, "annotations": annotations}], "4"),
            "min.json": (
                [{"item": "s1", "annotation_id": 1, "annotator": 4, "bias": "biased"}],
                "4",
            ),
            "records.json": ([{"id": "s1", "fields": {}, "responses": responses}], "u"),
            "rows.json": ([{"item": "s1", "bias": "yes"}], "rows"),
        }
        for name, (rows, who) in forms.items():
            (tmp_path / name).write_text(json.dumps(rows))
            assert said_of(tmp_path / name) == [("s1", who, "biased")], name
        assert said_of(tmp_path) == [("s1", "u", "biased")]
        write_rows(tmp_path / "records.jsonl", forms["records.json"][0])
        assert said_of(tmp_path / "records.jsonl") == [("s1", "u", "biased")]

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("a.xlsx", "PK", "save it as CSV"),
            ("a.json", "{", "no JSON"),
            ("a.json", "{}", "no list of tasks"),
            ("a.json", "[]", "no list of tasks"),
            ("a.json", "[" * 100_000, "no JSON"),
            ("a.json", '[{"item": "s1"}]', "no column for bias"),
            ("a.json", '[{"data": {"item": "s1"}}]', "export the project there as JSON"),
            ("a.csv", "item\ns1\n", "say with --rename OLD=bias"),
            ("a.zip", "PK", "its name must end in"),
        ],
    )
    def test_says_in_a_line_what_is_wrong(
        self, tmp_path: Path, name: str, content: str, said: str
    ) -> None:
        (tmp_path / name).write_text(content)
        with pytest.raises(WikibiasError, match=said):
            said_of(tmp_path / name)

    def test_a_folder_without_records_is_none_of_argilla(self, tmp_path: Path) -> None:
        with pytest.raises(WikibiasError, match=r"records\.json: cannot be read"):
            said_of(tmp_path)

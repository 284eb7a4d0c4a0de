"""Tests of who said what."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikibias.errors import WikibiasError
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.answers import cell_label, label_choices, table_answers
from wikibias.research.annotation.tables import read_table


class TestTableAnswers:
    def test_a_wide_table_has_a_column_an_annotator(self, tmp_path: Path) -> None:
        path = tmp_path / "t.csv"
        write_rows(path, [{"item": "x", "a": 1, "b": "?"}, {"item": "y", "a": "1.0", "b": ""}])
        found = table_answers([read_table(path)], columns="a,b")
        assert (found.items, found.annotators) == (["x", "y"], ["a", "b"])
        assert found.values == [["1", None], ["1", None]]
        assert found.unparsed == {"a": 0, "b": 1}

    def test_labels_that_differ_in_letter_case_are_one(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "t.csv", [{"a": "Yes", "b": "yes"}, {"a": "NO", "b": "No"}])
        found = table_answers([read_table(tmp_path / "t.csv")], columns="a,b")
        assert found.values == [["Yes", "Yes"], ["NO", "NO"]]

    def test_long_tables_may_lie_in_several_files(self, tmp_path: Path) -> None:
        write_rows(
            tmp_path / "ann.csv", [{"item": "x", "bias": "yes"}, {"item": "y", "bias": "no"}]
        )
        write_rows(tmp_path / "bob.csv", [{"item": "y", "bias": "yes"}])
        found = table_answers([read_table(tmp_path / f"{name}.csv") for name in ("ann", "bob")])
        assert found.annotators == ["ann", "bob"]
        assert found.values == [["yes", None], ["no", "yes"]]

    def test_an_annotator_answers_a_sentence_once(self, tmp_path: Path) -> None:
        rows = [{"item": "x", "rater": 1, "label": 0}, {"item": "x", "rater": 1, "label": 1}]
        write_rows(tmp_path / "t.csv", rows)
        with pytest.raises(WikibiasError, match=r"t\.csv:3: '1' answered 'x' twice"):
            table_answers([read_table(tmp_path / "t.csv")])

    @pytest.mark.parametrize("missing", ["item", "annotator"])
    def test_a_row_says_which_and_who(self, tmp_path: Path, missing: str) -> None:
        row = {"item": "x", "annotator": "ann", "bias": 1}
        write_rows(tmp_path / "t.jsonl", [row, {**row, missing: None}])
        with pytest.raises(WikibiasError, match=rf"t\.jsonl:2: no {missing}; fill it in"):
            table_answers([read_table(tmp_path / "t.jsonl")])

    def test_says_which_column_is_missing(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "t.csv", [{"item": "x", "rater": 1}])
        with pytest.raises(WikibiasError, match="name it with --label"):
            table_answers([read_table(tmp_path / "t.csv")])


class TestLists:
    @pytest.mark.parametrize("cell", [["b", "a", "b"], ("a", "b"), '["b", "a"]', ' ["a","b"] '])
    def test_the_same_choices_are_the_same_answer(self, cell: object) -> None:
        assert cell_label(cell) == '["a", "b"]'

    def test_no_choice_is_an_answer_too(self) -> None:
        assert cell_label([]) == cell_label("[]") == "[]"
        assert label_choices("[]") == []

    @pytest.mark.parametrize("text", ["biased", "[sic] biased", "[" * 9999, ""])
    def test_other_texts_are_no_lists(self, text: str) -> None:
        assert label_choices(text) is None

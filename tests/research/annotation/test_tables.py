"""Tests of tables of tasks, answers and labels."""

from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.tables import write_rows
from wikibias.research.annotation.tables import chosen_columns, column, plain_rows, read_table

ROWS: list[dict[str, Any]] = [
    {"item": "a", "text": "=1+1", "before": ["x", "y"]},
    {"item": "b", "text": "ü"},
]


class TestReadTable:
    @pytest.mark.parametrize("ending", [".jsonl", ".csv", ".tsv"])
    def test_gives_back_what_was_written(self, tmp_path: Path, ending: str) -> None:
        write_rows(tmp_path / f"t{ending}", ROWS)
        table = read_table(tmp_path / f"t{ending}")
        assert column(table, "text") == ["=1+1", "ü"]
        assert list(table.columns) == ["item", "text", "before"]

    def test_reads_a_byte_order_mark_and_blank_rows(self, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_bytes("item,bias\r\na,oui\r\n,\r\n".encode("utf-8-sig"))
        assert plain_rows(read_table(tmp_path / "t.csv")) == [{"item": "a", "bias": "oui"}]

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("t.txt", "", "its name must end in"),
            ("t.xlsx", "", "save it as CSV"),
            ("t.csv", "a,b\n1\n", "1 column where the first line has 2"),
            ("t.csv", "a,a\n1,2\n", "two columns are called"),
            ("t.csv", "a,b\n", "no row"),
            ("t.json", "{}", "no list of objects"),
            ("t.jsonl", "[1]", "no JSON object"),
            ("t.json", r'[{"a": "\ud83d"}]', "half a character"),
            ("t.parquet", "PAR", "not a Parquet file"),
        ],
    )
    def test_says_in_a_line_what_is_wrong(
        self, tmp_path: Path, name: str, content: str, said: str
    ) -> None:
        (tmp_path / name).write_text(content)
        with pytest.raises(WikibiasError, match=said):
            read_table(tmp_path / name)


class TestWriteRows:
    def test_marks_utf_8_for_excel_where_it_is_asked_to(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "t.csv", ROWS, mark=True)
        assert (tmp_path / "t.csv").read_bytes().startswith(b"\xef\xbb\xbfitem,")
        assert column(read_table(tmp_path / "t.csv"), "item") == ["a", "b"]

    def test_no_heading_is_a_formula(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "t.csv", [{"=1+1": "x"}])
        assert (tmp_path / "t.csv").read_text().startswith("'=1+1")
        assert list(read_table(tmp_path / "t.csv").columns) == ["=1+1"]


class TestChosen:
    def test_takes_names_and_patterns_in_their_order(self, tmp_path: Path) -> None:
        write_rows(tmp_path / "t.csv", [{"b@1": 1, "gold": 0, "a@2": 1}])
        table = read_table(tmp_path / "t.csv")
        assert chosen_columns(table, "gold,*@*") == ["gold", "b@1", "a@2"]
        with pytest.raises(UsageError, match="no column 'glod'; did you mean 'gold'"):
            chosen_columns(table, "glod")


def test_rows_hold_what_json_can_hold() -> None:
    table = pd.DataFrame(
        {"when": [date(2020, 1, 2)], "share": [float("nan")], "n": [1]}, dtype=object
    )
    assert plain_rows(table) == [{"when": "2020-01-02", "share": None, "n": 1}]


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_a_nul_in_a_cell_leaves_a_file_that_can_be_read(name: str, tmp_path: Path) -> None:
    write_rows(tmp_path / name, [{"answer": "a\0b"}])
    assert column(read_table(tmp_path / name), "answer") == ["a\ufffdb"]

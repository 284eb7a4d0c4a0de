"""Tests of tables to fill in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from exchange_tasks import BIAS, TASKS, TYPES
from wikibias.research.annotation.exchange.sheets import how_to_fill_in, write_sheet
from wikibias.research.annotation.tables import read_table


def test_a_sheet_has_a_blank_column_for_each_question(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.csv", TASKS, BIAS)
    table = read_table(tmp_path / "s.csv")
    assert list(table.columns) == ["item", "previous", "text", "annotator", "bias", "comment"]
    assert table.column("item") == ["s1", "s2", "s3", "s4"]
    assert set(table.column("bias")) == {""}
    assert (tmp_path / "s.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.csv", [replace(TASKS[0], text='=HYPERLINK("x")')], BIAS)
    assert ",\"'=HYPERLINK" in (tmp_path / "s.csv").read_text("utf-8-sig")
    assert read_table(tmp_path / "s.csv").column("text") == ['=HYPERLINK("x")']


def test_json_lines_can_hold_marks(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.jsonl", TASKS, TYPES)
    assert read_table(tmp_path / "s.jsonl").column("spans") == [None] * 4
    write_sheet(tmp_path / "s.csv", TASKS, TYPES)
    assert "spans" not in read_table(tmp_path / "s.csv").columns


def test_says_what_may_be_filled_in() -> None:
    assert how_to_fill_in(BIAS) == ["bias: biased, neutral"]
    assert how_to_fill_in(TYPES) == [
        "bias_types: framing, epistemological, demographic, none; several with a semicolon "
        "between them"
    ]

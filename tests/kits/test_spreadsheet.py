"""Excel files, which hold text of whoever saved a page."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from wikibias.kits.spreadsheet import write_workbook
from workbooks import read_workbook

pytest.importorskip("xlsxwriter", reason="the extra excel is not installed")

RISKY = ("=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "https://example.org", "{=1}")


def test_a_text_is_text(tmp_path: Path) -> None:
    write_workbook(tmp_path / "a.xlsx", ["text"], [("one", [[text] for text in RISKY])])
    assert read_workbook(tmp_path / "a.xlsx")["one"] == [["text"], *([text] for text in RISKY)]
    with ZipFile(tmp_path / "a.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
        assert 'quotePrefix="1"' in archive.read("xl/styles.xml").decode()
    assert sheet.count('s="2" t="inlineStr"') == 4
    assert "hyperlink" not in sheet


def test_what_excel_cannot_hold(tmp_path: Path) -> None:
    long = "\N{GRINNING FACE}" * 20_000
    values = ["a\x00\x1b\ufffe\ud800b", long, 1 << 60, float("nan"), True, 1.5, None, ["a", "b"]]
    write_workbook(tmp_path / "a.xlsx", ["text"], [("one", [values])])
    _, (clean, cut, *others) = read_workbook(tmp_path / "a.xlsx")["one"]
    assert clean == "ab"
    assert cut == f"{long[:16_380]} [cut]"
    assert others == [str(1 << 60), "nan", "1", "1.5", "a, b"]


def test_more_rows_than_a_sheet_takes_go_on_in_another(tmp_path: Path) -> None:
    sheets = [("train", [[str(number)] for number in range(5)]), ("dev", [])]
    write_workbook(tmp_path / "a.xlsx", ["n"], sheets, most_rows=3)
    found = read_workbook(tmp_path / "a.xlsx")
    assert [*found] == ["train", "train 2", "train 3", "dev"]
    assert found["train 2"] == [["n"], ["2"], ["3"]]
    assert (found["train 3"], found["dev"]) == ([["n"], ["4"]], [["n"]])

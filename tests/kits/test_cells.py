"""Cells that people open in a spreadsheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.kits.cells import harmless, original
from wikibias.text.segmentation import normalise


@pytest.mark.parametrize(
    "cell",
    ["=1+1", '=cmd|" /C calc"!A0', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＠"],
)
def test_a_formula_gets_an_apostrophe(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "POV", "a=b", "'tis", "1-2", "日本", "?"])
def test_other_cells_stay(cell: str) -> None:
    assert harmless(cell) == cell


@pytest.mark.hypothesis
@given(st.text(alphabet="'=-@a＝ \t"))
def test_what_is_read_is_what_was_written(cell: str) -> None:
    assert original(harmless(cell)) == cell
    assert not harmless(cell).startswith(("=", "+", "-", "@", "\t", "\r", "＝"))


@pytest.mark.hypothesis
@given(st.text(), st.booleans())
def test_the_normal_form_of_a_corpus_is_no_formula(text: str, keep: bool) -> None:
    """Which is why the TSV files of a corpus, which programs read, need no apostrophes."""
    norm = normalise(text, keep_apostrophes=keep)
    assert harmless(norm) == norm


def test_a_cell_without_apostrophe_is_read_as_it_is() -> None:
    """Spreadsheets may take the apostrophe away, and users may write cells themselves."""
    assert original("=POV") == "=POV"

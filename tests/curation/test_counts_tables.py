"""The tables of template counts: chains of redirects, and ratios."""

import csv
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exports import Page, Revision, wikibias
from template_counts import aliases, counted, redirect
from wikibias.curation.counts_tables import read_about
from wikibias.errors import UsageError


def test_chains_of_redirects_are_resolved_and_circles_are_not(tmp_path: Path) -> None:
    pages = [
        redirect("NPOV", "Neutral"),
        redirect("Neutral", "POV"),
        redirect("POV", ""),
        redirect("A", "B"),
        redirect("B", "A"),
        redirect("Self", "Self"),
        Page("Mill", [Revision("{{nPOV}} {{NPOV}} {{POV}} {{A}}")]),
    ]
    found = counted(tmp_path, *pages)
    assert found["NPOV"][0] == "POV"
    assert found["A"][0] is None
    assert aliases(tmp_path) == [
        ("A", "B", "B", True),
        ("B", "A", "A", True),
        ("NPOV", "Neutral", "POV", True),
        ("Neutral", "POV", "POV", True),
    ]


def test_the_ratio_is_among_names_of_one_template_or_like_a_word(tmp_path: Path) -> None:
    texts = ["{{weasel}}"] * 6 + ["{{weasel-inline}}"] * 3 + ["{{Ben Weasel}}"]
    mill = Page("Mill", [Revision(text) for text in texts])
    counted(tmp_path, mill, redirect("Weasel-inline", "Weasel"))
    rows = pq.read_table(tmp_path / "o/counts.parquet").to_pylist()
    assert [(r["name"], round(r["ratio"], 3)) for r in rows] == [
        ("Weasel", 0.667),
        ("Weasel-inline", 0.333),
        ("Ben Weasel", 1.0),
    ]
    ended = wikibias("tags", "count", "--like", "WEASEL", "-o", tmp_path / "o", tmp_path / "a.xml")
    assert [f"{share:.4f}" in ended.out for share in (0.6, 0.3, 0.1)] == [True] * 3


def test_no_cell_is_a_formula_for_a_spreadsheet(tmp_path: Path) -> None:
    names = ["=HYPERLINK(1)", "+1", "-", "@x", "＝1"]
    calls = " ".join(f"{{{{{name}}}}}" for name in names)
    counted(tmp_path, Page("Mill", [Revision(calls)]), redirect("=HYPERLINK(1)", "@x"))
    for table in ("counts", "aliases"):
        lines = (tmp_path / f"o/{table}.tsv").read_text("utf-8").splitlines()
        cells = [cell for line in lines for cell in line.split("\t")]
        assert "'=HYPERLINK(1)" in cells
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "＝"))]
    kept = pq.read_table(tmp_path / "o/counts.parquet").to_pylist()
    assert {row["name"] for row in kept} == set(names)


def test_a_folder_without_counts_is_refused_with_the_command_to_run(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=f"no template counts; run `wikibias tags count -o {tmp_path}"
    ):
        read_about(tmp_path)


def test_a_name_with_quotation_marks_swallows_no_line(tmp_path: Path) -> None:
    text = '{{"q}} {{"q"}} {{r "s}} {{t}}'
    counted(tmp_path, Page("Mill", [Revision(text)]))
    (table,) = tmp_path.rglob("counts.tsv")
    with table.open(encoding="utf-8", newline="") as file:
        names = {row["name"] for row in csv.DictReader(file, delimiter="\t")}
    assert names == {'"q', '"q"', 'R "s', "T"}

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.rendering import figures
from wikibias.rendering.html import Table, render

PACKAGE = "wikibias.reports"


def page(table: Table) -> str:
    split = {"title": "test", "scores": table, "figures": {}, "errors": Table([], [])}
    return render(PACKAGE, "model.html.j2", {"title": "T", "lead": "L", "splits": [split]})


class Cells(HTMLParser):
    """Collects the tags, and the text of the cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "td" and self.get_starttag_text() is not None:
            self.cells[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_any_text_comes_back_from_its_cell_and_adds_no_tag(text: str) -> None:
    plain, parser = Cells(), Cells()
    plain.feed(page(Table([""], [["x"]])))
    parser.feed(page(Table([""], [[text]])))
    assert parser.cells == [text]
    assert parser.tags == plain.tags


def test_text_and_numbers_are_told_apart() -> None:
    shown = page(Table(["sentence", "row"], [["a", "1"]], prose=True))
    assert '<td class="text" dir="auto">a</td>' in shown
    assert "<td>1</td>" in shown
    assert 'class="prose"' in shown


def test_what_is_wide_scrolls_in_its_own_box() -> None:
    shown = page(Table([""], [["x"]]))
    assert len(re.findall("<table", shown)) == len(re.findall('class="scroll"[^>]*><table', shown))
    assert "overflow-x: auto" in shown
    assert "prefers-color-scheme: dark" in shown


def test_a_picture_is_inside_the_page_in_its_own_size() -> None:
    png = figures.calibration_curve([(0.2, 0.1, 5)], ("x", "y"), "t")
    split = {"title": "", "scores": Table([], []), "figures": {"a": png}, "errors": Table([], [])}
    shown = render(PACKAGE, "model.html.j2", {"title": "", "lead": "", "splits": [split]})
    (width,) = re.findall(r'src="data:image/png;base64,[^"]+" width="(\d+)"', shown)
    assert abs(int(width) - 3.9 * 96) <= 1


def test_a_name_that_the_template_lacks_is_an_error() -> None:
    with pytest.raises(Exception, match="'lead' is undefined"):
        render(PACKAGE, "model.html.j2", {"title": "T", "splits": []})


def test_templates_escape_by_themselves() -> None:
    package = Path(render.__code__.co_filename).parents[1]
    for path in package.rglob("*.j2"):
        assert not re.search(r"\|\s*safe|autoescape", path.read_text(encoding="utf-8")), path

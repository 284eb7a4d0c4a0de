from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.kits.charts import (
    WIDTH,
    Canvas,
    cut,
    legend,
    legend_rows,
    plain_number,
    ticks,
    width_of,
)

SVG = "{http://www.w3.org/2000/svg}"


@given(st.text(), st.text(), st.text())
def test_any_text_is_text_in_a_well_formed_file(label: str, title: str, alt: str) -> None:
    canvas = Canvas(20)
    canvas.text(0, 10, label)
    canvas.rect(0, 0, 5, 5, "c0", tip=label)
    tree = ElementTree.fromstring(canvas.drawing(title, alt).file())
    assert {element.tag for element in tree.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "style", "title", "desc", "text", "rect")
    }
    assert tree.get("role") == "img"


def test_a_drawing_says_in_words_what_it_shows() -> None:
    drawn = Canvas(20).drawing("Removals", "they rise from 2 in 2006 to 31 in 2009")
    tree = ElementTree.fromstring(drawn.file())
    assert tree.findtext(f"{SVG}title") == "Removals"
    assert tree.findtext(f"{SVG}desc") == drawn.alt
    assert tree.get("aria-label") == "Removals: they rise from 2 in 2006 to 31 in 2009"


def test_a_page_gives_the_colours_and_a_file_has_its_own() -> None:
    drawn = Canvas(20).drawing("t", "a")
    assert "<style>" not in drawn.markup
    assert "#" not in drawn.markup
    assert "prefers-color-scheme: dark" in drawn.file()


@pytest.mark.parametrize(
    ("most", "expected"),
    [(0, [0, 1]), (1, [0, 1]), (7, [0, 2, 4, 6, 8]), (28, [0, 10, 20, 30]), (float("nan"), [0, 1])],
)
def test_ticks_are_round_and_reach_the_largest_value(most: float, expected: list[float]) -> None:
    assert ticks(most) == expected


@given(st.floats(0.001, 1e12))
def test_ticks_are_few(most: float) -> None:
    found = ticks(most)
    assert found[-1] >= most * 0.999
    assert len(found) <= 6


def test_a_long_label_is_cut_and_ideographs_are_wide() -> None:
    assert cut("short", 100) == "short"
    assert cut("a very long name of a tag", 60).endswith("…")
    assert width_of(cut("霧島岑神社の記事" * 5, 100)) <= 100
    assert width_of("神") == 2 * width_of("a")
    assert width_of("medium") > width_of("tedium")


def test_a_legend_takes_as_many_lines_as_it_says() -> None:
    names = ["a name of some length", "another name of some length", "c"]
    canvas = Canvas(60)
    legend(canvas, names)
    tree = ElementTree.fromstring(canvas.drawing("t", "a").file())
    heights = {element.get("y") for element in tree.iter(f"{SVG}text")}
    assert len(heights) == legend_rows(names) == 2
    assert all(float(e.get("x", "0")) < WIDTH for e in tree.iter(f"{SVG}text"))


def test_numbers_are_short() -> None:
    assert [plain_number(value) for value in (1200, 0.25, 3.0)] == ["1,200", "0.25", "3"]

"""Pages in HTML, and their charts."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from page_checks import Structure
from wikibias.errors import printable
from wikibias.kits import charts, html
from wikibias.kits.charts import columns
from wikibias.kits.document import (
    Block,
    Document,
    Facts,
    Link,
    Notes,
    Passage,
    Piece,
    Quote,
    Section,
    Styled,
    Table,
    Text,
    change,
    pieces,
)
from wikibias.kits.html import is_page, language_code, render


def page(*blocks: Block) -> str:
    return html.html(Document("T", "L", blocks))


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r")))
def test_any_text_comes_back_from_its_cell_and_adds_no_tag(text: str) -> None:
    plain, found = (Structure(page(Table(["h"], [[cell]], prose=True))) for cell in ("MARK", text))
    assert found.text == plain.text.replace("MARK", printable(text, keep="\n\t\u200b"))
    assert found.tags == plain.tags


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


def test_templates_escape_by_themselves() -> None:
    package = Path(render.__code__.co_filename).parents[1]
    for path in package.rglob("*.j2"):
        assert not re.search(r"\|\s*safe|autoescape", path.read_text(encoding="utf-8")), path


def test_the_policy_allows_the_style_of_the_page_and_nothing_else() -> None:
    shown = page(Facts([("a", "b")]))
    (style,) = re.findall(r"<style>(.*?)</style>", shown, re.DOTALL)
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    assert f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:" in unescape(shown)
    assert "style=" not in shown


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://en.demo.example/w/index.php?diff=7&oldid=6", True),
        ("HTTP://demo.example", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("https://demo.example@evil.example/", False),
        ("//evil.example/", False),
        ("https:\\\\evil.example", False),
        (" https://demo.example", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_web_are_links(url: str, is_link: bool) -> None:
    shown = page(Text(Link("diff", url)))
    assert ("<a href=" in shown.split("<main", 1)[1]) == is_link
    assert "diff" in shown


def test_a_change_is_marked_by_more_than_colour_and_names_its_language() -> None:
    both = change(pieces("the finest", "4:10"), pieces("the largest", "4:11"), "rewritten")
    alone = change((), (Piece("new <b>", True),))
    shown = page(Quote([both, alone], "fr"))
    assert '<p dir="auto" lang="fr">the <del>finest</del></p>' in shown
    assert "the <ins>largest</ins>" in shown
    assert "<ins>new &lt;b&gt;</ins>" in shown
    assert '<div class="side empty"></div>' in shown


def test_a_table_that_stacks_names_the_column_at_each_cell() -> None:
    table = Table(["page", "edits"], [["Halvern", "3"]], title="Pages", stacks=True)
    shown = page(table)
    assert 'aria-label="Pages"' in shown
    assert '<td role="cell" data-head="edits">3</td>' in shown


def test_a_page_is_known_again(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page("x"), "utf-8")
    (tmp_path / "other.html").write_text("<!doctype html><title>Mine</title>", "utf-8")
    assert is_page(tmp_path / "page.html")
    assert not is_page(tmp_path / "other.html")
    assert not is_page(tmp_path)


def test_codes_of_wikipedias_become_those_of_languages() -> None:
    assert [language_code(code) for code in ("fr", "simple", "zh-yue")] == ["fr", "en", "yue"]
    assert language_code('"><script>') == ""


def test_sections_nest_under_headings_with_anchors_of_their_own() -> None:
    inner = Section("Inner", ["text"], id="inner")
    document = Document("T", "L", [Section("One", [inner]), Section("Two")], contents=True)
    shown = html.html(document)
    assert re.findall(r"<h(\d)[^>]*>([^<]*)</h", shown) == [
        ("1", "T"), ("2", "One"), ("3", "Inner"), ("2", "Two"),
    ]  # fmt: skip
    assert re.findall(r'<li><a href="#([^"]*)"', shown) == ["section-1", "section-2"]
    assert re.findall(r'<section aria-labelledby="([^"]*)"', shown) == [
        "section-1", "inner", "section-2",
    ]  # fmt: skip


def test_every_block_has_its_form() -> None:
    drawing = columns(["a"], {"": [1]}, title="Bars", alt="one bar")
    shown = page(
        Notes(["run `wikibias tags`"], boxed=True),
        Text(["so ", Styled("loud", "strong"), Styled("low", "quiet")], "note"),
        Text("wikibias `x`", "command"),
        drawing,
        Table(["a"], [["1"], ["2"]], marked=[1], caption="below"),
        Section(
            "more",
            [Passage((Piece("said", False),), "by whom", marked=True, lang="simple")],
            "",
            "",
            "folded",
        ),
        Section("card", ["in it"], kind="card"),
    )
    for part in (
        '<div class="note"><ul>\n<li dir="auto">run <code>wikibias tags</code></li>',
        '<p dir="auto" class="note">so <strong>loud</strong><span class="quiet">low</span></p>',
        '<pre tabindex="0">wikibias `x`</pre>',
        "<figure><figcaption>Bars</figcaption>",
        '<tr class="marked">',
        '<p class="quiet">below</p>',
        '<details><summary dir="auto">more</summary>',
        '<p dir="auto" lang="en" class="asked">said</p>\n<p class="place">by whom</p>',
        '<article class="card"><h2 dir="auto">card</h2>',
    ):
        assert part in shown


def test_a_name_that_the_template_lacks_is_an_error() -> None:
    with pytest.raises(Exception, match="'lead' is undefined"):
        render("wikibias.kits", "document.html.j2", {"title": "T"})


SVG = "{http://www.w3.org/2000/svg}"


def of(drawing: charts.Drawing, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing.file()).iter(f"{SVG}{name}"))


def texts(drawing: charts.Drawing) -> list[str]:
    return [element.text or "" for element in of(drawing, "text")]


DRAWN: dict[str, Callable[[], charts.Drawing]] = {
    "columns": lambda: charts.columns(
        ["2006", "2007"], {"a": [1, 2]}, title="t", alt="x", axis="year"
    ),
    "no columns": lambda: charts.columns([], {"a": []}, title="t", alt="x"),
    "curves": lambda: charts.curves({"a": [(0, 1), (0.9, 0.5)]}, title="t", alt="x", axis="days"),
    "no points": lambda: charts.curves({"a": []}, title="t", alt="x", axis="days"),
    "funnel": lambda: charts.funnel({"a": 3, "b": 0}, 9, title="t"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_every_chart_is_drawn_within_its_width_and_its_bytes_repeat(name: str) -> None:
    drawing = DRAWN[name]()
    assert drawing == DRAWN[name]()
    for rect in of(drawing, "rect"):
        assert 0 <= float(rect.get("x", "")) <= charts.WIDTH
        assert float(rect.get("x", "")) + float(rect.get("width", "")) <= charts.WIDTH + 0.2


def test_a_column_is_as_high_as_its_value() -> None:
    high, low, none = (
        float(rect.get("height", ""))
        for rect in of(charts.columns(["a", "b", "c"], {"": [4, 2, 0]}, title="t", alt="x"), "rect")
    )
    assert high == pytest.approx(2 * low, rel=0.01)
    assert none == 0


def test_as_many_names_are_written_as_there_is_room_for() -> None:
    years = [str(year) for year in range(2001, 2027)]
    drawing = charts.columns(years, {"": [1] * 26}, title="t", alt="x")
    written = [text for text in texts(drawing) if text in years]
    assert written[0] == "2001"
    assert 4 <= len(written) <= 9


def test_shares_are_written_in_percent() -> None:
    drawing = charts.curves({"a": [(0, 1), (1, 0)]}, title="t", alt="x", axis="days")
    assert {"0%", "100%", "days"} <= set(texts(drawing))


def test_a_funnel_says_what_each_step_takes() -> None:
    drawing = charts.funnel({"spelling": 3, "outlier": 0, "reverted": 5}, 2, title="t", end="kept")
    assert drawing.alt == "Of 10, spelling 3, reverted 5 drop out; 2 are kept (20%)."
    assert "outlier" not in drawing.markup


@given(st.text(), st.text(), st.text())
def test_any_text_is_text_in_a_well_formed_file(label: str, title: str, alt: str) -> None:
    canvas = charts.Canvas(20)
    canvas.text(0, 10, label)
    canvas.rect(0, 0, 5, 5, "c0", tip=label)
    tree = ElementTree.fromstring(canvas.drawing(title, alt).file())
    assert {element.tag for element in tree.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "style", "title", "desc", "text", "rect")
    }
    assert tree.get("role") == "img"


def test_a_drawing_says_in_words_what_it_shows() -> None:
    drawn = charts.Canvas(20).drawing("Removals", "they rise from 2 in 2006 to 31 in 2009")
    tree = ElementTree.fromstring(drawn.file())
    assert tree.findtext(f"{SVG}title") == "Removals"
    assert tree.findtext(f"{SVG}desc") == drawn.alt
    assert tree.get("aria-label") == "Removals: they rise from 2 in 2006 to 31 in 2009"


def test_a_page_gives_the_colours_and_a_file_has_its_own() -> None:
    drawn = charts.Canvas(20).drawing("t", "a")
    assert "<style>" not in drawn.markup
    assert "#" not in drawn.markup
    assert "prefers-color-scheme: dark" in drawn.file()


@pytest.mark.parametrize(
    ("most", "expected"),
    [(0, [0, 1]), (1, [0, 1]), (7, [0, 2, 4, 6, 8]), (28, [0, 10, 20, 30]), (float("nan"), [0, 1])],
)
def test_ticks_are_round_and_reach_the_largest_value(most: float, expected: list[float]) -> None:
    assert charts.ticks(most) == expected


@given(st.floats(0.001, 1e12))
def test_ticks_are_few(most: float) -> None:
    found = charts.ticks(most)
    assert found[-1] >= most * 0.999
    assert len(found) <= 6


def test_a_long_label_is_cut_and_ideographs_are_wide() -> None:
    assert charts.cut("short", 100) == "short"
    assert charts.cut("a very long name of a tag", 60).endswith("…")
    assert charts.width_of(charts.cut("霧島岑神社の記事" * 5, 100)) <= 100
    assert charts.width_of("神") == 2 * charts.width_of("a")
    assert charts.width_of("medium") > charts.width_of("tedium")


def test_a_legend_takes_as_many_lines_as_it_says() -> None:
    names = ["a name of some length", "another name of some length", "c"]
    canvas = charts.Canvas(60)
    charts.legend(canvas, names)
    tree = ElementTree.fromstring(canvas.drawing("t", "a").file())
    heights = {element.get("y") for element in tree.iter(f"{SVG}text")}
    assert len(heights) == charts.legend_rows(names) == 2
    assert all(float(e.get("x", "0")) < charts.WIDTH for e in tree.iter(f"{SVG}text"))


def test_numbers_are_short() -> None:
    assert [charts.plain_number(value) for value in (1200, 0.25, 3.0)] == ["1,200", "0.25", "3"]


def test_a_value_that_is_not_known_is_left_out() -> None:
    rows = {
        "F1": [charts.Dot(0.5, 0.4, 0.6), charts.Dot(0.3)],
        "AUC": [charts.Dot(None), charts.Dot(0.7)],
    }
    drawing = charts.dots(rows, title="t", alt="x", series=["model", "constant"])
    assert len(of(drawing, "circle")) == 3
    assert sum("solid" in (line.get("class") or "") for line in of(drawing, "line")) == 1


def test_a_value_below_the_scale_widens_it() -> None:
    (circle,) = of(charts.dots({"MCC": [charts.Dot(-0.4)]}, title="t", alt="x"), "circle")
    (end,) = of(charts.dots({"MCC": [charts.Dot(1.0)]}, title="t", alt="x"), "circle")
    assert 0 < float(circle.get("cx", "")) < float(end.get("cx", "")) < charts.WIDTH


def test_a_matrix_is_shaded_by_share_and_written_on_in_its_contrast() -> None:
    cells = [[("40\n80%", 0.8), ("10\n20%", 0.2)]]
    drawing = charts.matrix(
        cells, ["biased"], ["biased", "neutral"], title="t", alt="x", axes=("a", "b")
    )
    texts = {text.text: text.get("class") for text in of(drawing, "text")}
    assert texts["40"] == "inside"
    assert texts["20%"] == ""
    shades = [rect.get("class") for rect in of(drawing, "rect") if "c0" in str(rect.get("class"))]
    assert shades == ["c0 shade4", "c0 shade1"]


def test_a_band_stands_behind_its_dot_with_a_line_at_its_value() -> None:
    bands: dict[str, list[charts.Dot | None]] = {
        "own": [charts.Dot(0.2, 0.1, 0.3)],
        "other": [None],
    }
    rows = {"own": [charts.Dot(0.5)], "other": [charts.Dot(0.4)]}
    drawing = charts.dots(rows, title="t", alt="x", bands=bands)
    (band,) = of(drawing, "rect")
    (mean,) = [line for line in of(drawing, "line") if line.get("class") == "quiet"]
    begin, wide = float(band.get("x", "")), float(band.get("width", ""))
    assert begin < float(mean.get("x1", "")) < begin + wide
    circles = of(drawing, "circle")
    assert abs(float(circles[0].get("cy", "")) - float(band.get("y", "")) - 6) < 0.2


def test_a_band_outside_the_scale_widens_it() -> None:
    rows, bands = {"a": [charts.Dot(0.5)]}, {"a": [charts.Dot(-0.4, -0.5, -0.3)]}
    (band,) = of(charts.dots(rows, title="t", alt="x", bands=bands), "rect")
    assert float(band.get("x", "")) >= 0


def lives(**series: list[tuple[float, float]]) -> charts.Drawing:
    return charts.survival_chart(series, title="Lives", alt="half end within a day.")


def test_lines_go_down_in_steps_from_all_to_the_last_share() -> None:
    (path,) = of(lives(one=[(0, 1), (1, 0.5), (400, 0.5)]), "path")
    places = [
        tuple(map(float, pair.split())) for pair in re.split(r"[ML]", path.get("d") or "")[1:]
    ]
    heights = [y for _, y in places]
    assert heights == sorted(heights)
    assert len(set(heights)) == 2
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert places[-1][0] == 360


def test_the_axis_names_times_that_people_know() -> None:
    drawing = lives(one=[(0, 1), (0.5, 0.5), (400, 0.1)])
    known = ("minute", "hour", "day", "month", "10 years")
    assert [text for text in texts(drawing) if text in known] == ["hour", "day", "month"]
    assert "time since the tag was put in" in texts(drawing)


def test_no_life_and_a_life_of_no_time_can_be_drawn() -> None:
    assert of(lives(), "path") == of(charts.dots({}, title="t", alt="x"), "circle") == []
    assert len(of(lives(one=[(0, 1), (0, 0)]), "path")) == 1


def test_a_curve_goes_from_all_to_the_last_day_seen() -> None:
    assert charts.points([(1, 0.5)], 5) == [(0, 1), (1, 0.5), (5, 0.5)]
    assert charts.points([], 3) == [(0, 1), (3, 1)]


def test_of_many_steps_the_last_one_is_drawn() -> None:
    many = [(float(day), 1 - day / 2000) for day in range(1, 1500)]
    found = charts.points(many, 2000)
    assert len(found) < 500
    assert found[-2:] == [many[-1], (2000, many[-1][1])]


def test_the_last_mark_is_named_though_it_stands_at_the_edge() -> None:
    drawing = lives(one=[(1, 1), (30, 0.5), (366, 0)])
    (year,) = (text for text in of(drawing, "text") if text.text == "year")
    assert (year.get("x"), year.get("text-anchor")) == ("360", "end")

import hashlib
import re
from base64 import b64encode
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from page_checks import Structure
from wikibias.errors import printable
from wikibias.kits import html
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

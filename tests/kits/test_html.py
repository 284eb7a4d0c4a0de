from __future__ import annotations

import hashlib
import re
import sys
from base64 import b64encode
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.kits import html
from wikibias.kits.document import Change, pieces, whole
from wikibias.kits.html import Link, Table, is_page, language_code, render
from wikibias.messages import printable

PACKAGE = "wikibias.reports"


def page(table: Table) -> str:
    empty = Table([], [])
    split: dict[str, Any] = {"title": "test", "few": None, "figures": [], "errors": empty}
    rest: dict[str, Any] = {"name": "", "warnings": [], "facts": [], "parameters": [], "grid": None}
    rest |= {"leaks": [], "edits": [], "is_order": False, "attention": None}
    rest |= {"data": empty, "splits": [{**split, "scores": table}]}
    return render(PACKAGE, "model.html.j2", {"title": "T", "lead": "L", **rest})


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


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r")))
def test_any_text_comes_back_from_its_cell_and_adds_no_tag(text: str) -> None:
    plain, parser = Cells(), Cells()
    plain.feed(page(Table(["h"], [["x"]], prose=True)))
    parser.feed(page(Table(["h"], [[text]], prose=True)))
    assert parser.cells == [printable(text, keep="\n\t\u200b")]
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


def test_a_name_that_the_template_lacks_is_an_error() -> None:
    with pytest.raises(Exception, match="'lead' is undefined"):
        render(PACKAGE, "model.html.j2", {"title": "T", "splits": []})


def test_templates_escape_by_themselves() -> None:
    package = Path(render.__code__.co_filename).parents[1]
    for path in package.rglob("*.j2"):
        assert not re.search(r"\|\s*safe|autoescape", path.read_text(encoding="utf-8")), path


def shown_with(kit: str, tmp_path: Path, **context: Any) -> str:
    """Return a page whose content is one call of the kit."""
    package = tmp_path / "pages"
    (package / "templates").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "templates" / "one.html.j2").write_text(
        '{% extends "base.html.j2" %}{% import "kit.html.j2" as kit %}'
        f"{{% block content %}}{{{{ {kit} }}}}{{% endblock %}}",
        encoding="utf-8",
    )
    return render("pages", "one.html.j2", {"title": "T", "lead": "L", **context})


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pages", raising=False)
    html._environment.cache_clear()
    html.stylesheet.cache_clear()
    return tmp_path


def test_the_policy_allows_the_style_of_the_page_and_nothing_else(pages: Path) -> None:
    shown = shown_with('kit.facts([("a", "b")])', pages)
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
def test_only_addresses_of_the_web_are_links(url: str, is_link: bool, pages: Path) -> None:
    shown = shown_with("kit.link(item)", pages, item=Link("diff", url))
    assert ("<a href=" in shown.split("<main", 1)[1]) == is_link
    assert "diff" in shown


def test_a_change_is_marked_by_more_than_colour_and_names_its_language(pages: Path) -> None:
    change = Change(pieces("the finest", "4:10"), pieces("the largest", "4:11"), "rewritten")
    alone = Change((), whole("new <b>", changed=True))
    shown = shown_with('kit.diff(changes, "fr")', pages, changes=[change, alone])
    assert '<p dir="auto" lang="fr">the <del>finest</del></p>' in shown
    assert "the <ins>largest</ins>" in shown
    assert "<ins>new &lt;b&gt;</ins>" in shown
    assert '<div class="side empty"></div>' in shown


def test_a_table_that_stacks_names_the_column_at_each_cell(pages: Path) -> None:
    table = Table(["page", "edits"], [["Halvern", "3"]], title="Pages", stacks=True)
    shown = shown_with("kit.table(table)", pages, table=table)
    assert 'aria-label="Pages"' in shown
    assert '<td role="cell" data-head="edits">3</td>' in shown


def test_a_page_is_known_again(pages: Path) -> None:
    (pages / "page.html").write_text(shown_with('kit.facts([("a", "b")])', pages), "utf-8")
    (pages / "other.html").write_text("<!doctype html><title>Mine</title>", "utf-8")
    assert is_page(pages / "page.html")
    assert not is_page(pages / "other.html")
    assert not is_page(pages)


def test_codes_of_wikipedias_become_those_of_languages() -> None:
    assert [language_code(code) for code in ("fr", "simple", "zh-yue")] == ["fr", "en", "yue"]
    assert language_code('"><script>') == ""

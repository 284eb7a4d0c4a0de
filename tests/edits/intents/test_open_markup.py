"""Whether a place lies inside open markup, and what kind of line it stands in."""

from __future__ import annotations

import pytest

from wikibias.edits.intents.markup_elements import line_kind, open_markup


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("a [[b§ c]]", "link"),
        ("a [[b c]]§", None),
        ("a {{b|[[c§]]}}", "template"),
        ("a {{b}} § {{c}}", None),
        ("a<ref>b§</ref>", "reference"),
        ('a<ref name="b§">c</ref>', "reference"),
        ('a<ref name="b" />c§', None),
        ('a<ref name="§b" />c', "reference"),
        ("a<ref>b</ref>§", None),
        ("a<references />b§", None),
        ("a<!-- [[b§ -->", "comment"),
        ("a<!-- b -->§", None),
        ("b]] c§", None),
        ("a < b [[c]] > d§", None),
        ("§", None),
    ],
)
def test_what_is_open(line: str, kind: str | None) -> None:
    place = line.index("§")
    assert open_markup(line.replace("§", ""), [place]) == [kind]


def test_places_are_looked_at_in_order() -> None:
    line = "a [[b]] {{c}}"
    assert open_markup(line, [0, 4, 4, 7, 10, 13]) == [None, "link", "link", None, "template", None]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("The mill.", "prose"),
        ("[[Mill|The mill]] stood.", "prose"),
        ("{{Unreferenced}} The mill.", "prose"),
        ("", "blank"),
        (" \t", "blank"),
        ("== Mill ==", "heading"),
        ("* mill", "list"),
        ("# mill", "list"),
        (": mill", "list"),
        ("; mill", "list"),
        ("{| class=x", "table"),
        ("|}", "table"),
        ("|-", "table"),
        ("! Mill", "table"),
        ("| mill || dam", "table"),
        ("|name = Mill", "infobox"),
        (" mill", "preformatted"),
        ("----", "rule"),
        ("[[Category:Mills]]", "category"),
        ("[[File:Mill.jpg|thumb|The mill]]", "image"),
        ("[[fr:Moulin]]", "interwiki"),
        ("[[Katigoria:Mill]] ", "interwiki"),
        ("[[Wikipedia:Mill|Mill]] is a page.", "prose"),
    ],
)
def test_kinds_of_lines(line: str, kind: str) -> None:
    assert line_kind(line) == kind

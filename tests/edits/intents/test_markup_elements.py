"""The elements of a piece of wikitext."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.intents.markup_elements import elements_of, line_kind, open_markup
from wikibias.mediawiki import Namespaces

FRENCH = Namespaces.of({}, {"file": ["Fichier"], "category": ["Catégorie"]})


@pytest.mark.parametrize(
    ("wikitext", "found"),
    [
        ("{{ Cite  web |url=x}}", ["template:cite web"]),
        ("{{a|{{b}}}}", ["template:a", "template:b"]),
        (
            "[[Fichier:A.png|un [[lien]]]] [[:Catégorie:B]]",
            ["media:", "wikilink:lien", "wikilink:"],
        ),
        ("[[Catégorie:B]]", ["category:Catégorie:B"]),
        ("[http://a.b [c]] http://d.e", ["external_link:http://a.b", "external_link:http://d.e"]),
        ('<ref name="x">y</ref><ref name=x />', ["reference:x", "reference:x"]),
        ("<nowiki>{{a}} [[b]]</nowiki>", ["tag:nowiki"]),
        ("<gallery>\nOld mill.jpg|The mill\n</gallery>", ["gallery:", "media:Old mill.jpg"]),
        ("{|\n| a\n|}", ["table:"]),
        ("== A ==\n* b\n<!-- \n* c -->", ["heading:A", "list:*", "comment:"]),
        ("'''a''' ''b", ["formatting:'''"]),
        ("{{a [[b]] <ref>c", ["wikilink:b"]),
    ],
)
def test_elements(wikitext: str, found: list[str]) -> None:
    told = sorted(f"{one.kind}:{one.name}" for one in elements_of(wikitext, FRENCH))
    assert len(told) == len(found), told
    assert all(one.startswith(start) for one, start in zip(told, sorted(found), strict=True))


@given(wikitext=st.text("{}[]|<>/ref!-=*\n'ah", max_size=60))
def test_an_element_is_where_it_says(wikitext: str) -> None:
    for one in elements_of(wikitext, FRENCH):
        assert 0 <= one.start < one.end <= len(wikitext)
        if one.kind in ("template", "wikilink", "reference", "table", "comment"):
            assert wikitext[one.start : one.end] == one.source


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

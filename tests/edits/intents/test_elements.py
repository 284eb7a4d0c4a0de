"""The elements of a piece of wikitext, and what an edit changed of them."""

import tomllib
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import kinds, slow
from paths import CASES
from wikibias.edits.intents import elements
from wikibias.edits.intents.markup_elements import elements_of, line_kind, open_markup
from wikibias.mediawiki import Namespaces
from wikibias.records import EditFact

NAMESPACES = Namespaces.of({})
TABLE = tomllib.loads((CASES / "edit_elements.toml").read_text("utf-8"))
MARKUP = "{{ }} [[ ]] | <ref> </ref> <!-- --> == '' ''' [http://a.b ] mill File: x.jpg <br>"
LINE_STARTS = ["\n", "\n==", "\n{|", "\n|}", "\n* ", " ", ". "]
PIECES = st.sampled_from([*MARKUP.split(), *LINE_STARTS])
WIKITEXTS = st.lists(PIECES, max_size=25).map("".join)

SENTENCE_PIECES = [*'. ... " ) mill a \u3002 \u6c34'.split(), ". ", " ", "  ", "! ", "\u00a0"]
LINES = st.lists(st.sampled_from(SENTENCE_PIECES), max_size=12).map("".join)


def found(before: str, after: str) -> set[str]:
    return {" ".join(map(str, fact)) for fact in elements.edit_elements(before, after, NAMESPACES)}


@pytest.mark.parametrize("case", TABLE["case"], ids=lambda case: case["name"])
def test_cases(case: dict[str, Any]) -> None:
    assert found(case["before"], case["after"]) == set(case["facts"])


@given(before=WIKITEXTS, after=WIKITEXTS)
def test_facts_turn_round_with_the_edit(before: str, after: str) -> None:
    turned = {"inserted": "removed", "removed": "inserted"}
    forth = elements.edit_elements(before, after, NAMESPACES)
    back = elements.edit_elements(after, before, NAMESPACES)
    assert all(fact.number > 0 and fact.action in get_args(elements.Action) for fact in forth)
    assert list(forth) == sorted(set(forth))

    def net(facts: tuple[EditFact, ...], inserted: str) -> dict[str, int]:
        signs = {inserted: 1, turned[inserted]: -1}
        numbers: dict[str, int] = {}
        for fact in facts:
            if fact.element != "section" and fact.action in signs:
                numbers.setdefault(fact.element, 0)
                numbers[fact.element] += signs[fact.action] * fact.number
        return {element: number for element, number in numbers.items() if number}

    assert net(forth, "inserted") == net(back, "removed")


@given(pairs=st.lists(st.tuples(LINES, LINES, LINES, LINES), max_size=3))
def test_sentences_that_did_not_change_change_no_count(
    pairs: list[tuple[str, str, str, str]],
) -> None:
    gone = [start + old + end for start, old, _, end in pairs]
    come = [start + new + end for start, _, new, end in pairs]
    whole, cut = (
        [elements.units("\n".join(side)) for side in both]
        for both in ((gone, come), elements.differing_sentences(gone, come))
    )
    for unit in elements.UNITS:
        for one, other in ((0, 1), (1, 0)):
            assert whole[one][unit] - whole[other][unit] == cut[one][unit] - cut[other][unit]


@given(wikitext=WIKITEXTS)
def test_no_edit_changes_nothing(wikitext: str) -> None:
    assert elements.edit_elements(wikitext, wikitext, NAMESPACES) == ()


def test_no_text_takes_more_than_its_share_of_time() -> None:
    def compared(text: str) -> None:
        elements.edit_elements(text[: len(text) // 2], text, NAMESPACES)

    assert slow(compared, kinds(), 500) == {}


LINES_CHANGED_PARTS = st.lists(
    st.sampled_from(["== A ==", "== B ==", "mill", "{{x", "}}", "", "river"])
)
WIKITEXTS_CHANGED_PARTS = LINES_CHANGED_PARTS.map("\n".join)


def sides(before: str, after: str) -> list[tuple[str, str]]:
    return [(part.before, part.after) for part in elements.changed_parts(before, after)[0]]


def test_common_lines_are_cut_off_where_no_markup_is_open() -> None:
    assert sides("a\n\nb\nc\n\nd", "a\n\nx\nc\n\nd") == [("\nb\nc\n", "\nx\nc\n")]
    assert sides("{{x\n|b\n}}\nc", "{{x\n|d\n}}\nc") == [("{{x\n|b\n}}\nc", "{{x\n|d\n}}\nc")]
    assert sides("<ref>a\nb\n</ref>", "<ref>a\nd\n</ref>") == [
        ("<ref>a\nb\n</ref>", "<ref>a\nd\n</ref>")
    ]


def test_sections_that_are_the_same_are_passed_over() -> None:
    assert sides("top\n== A ==\nmill\n== B ==\nriver", "top\n== A ==\nmill\n== B ==\nbank") == [
        ("== B ==\nriver", "== B ==\nbank")
    ]


def test_a_section_keeps_its_partner_under_a_new_heading() -> None:
    body = "Monks built the mill by the river."
    parts = elements.changed_parts(f"\n== History ==\n{body}", f"\n== Past ==\n{body}")[0]
    assert [(part.before, part.after) for part in parts] == [
        (f"== History ==\n{body}", f"== Past ==\n{body}")
    ]


@given(before=WIKITEXTS_CHANGED_PARTS, after=WIKITEXTS_CHANGED_PARTS)
def test_what_is_cut_off_is_in_both(before: str, after: str) -> None:
    parts, _ = elements.changed_parts(before, after)
    assert (parts == []) <= (sorted(before.split("\n")) == sorted(after.split("\n")))
    gone = sorted(line for part in parts for line in part.before.split("\n"))
    assert len(gone) <= len(before.split("\n")) + len(parts)
    assert elements.changed_parts(before, before)[0] == []


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        ("The [[mill|old ''mill'']] turns.<ref>Smith</ref>", "The old mill turns."),
        ("{{Box|x}}A &amp; B<br/>[http://a.b the site] [http://a.b]", "A & Bthe site "),
        ("[[Category:Mills]]* item<!-- hidden -->", "* item"),
        ("&#99999999999999999999999999;", "&#99999999999999999999999999;"),
    ],
)
def test_visible_text(wikitext: str, shown: str) -> None:
    assert elements.visible(wikitext, elements_of(wikitext, Namespaces.of({}))) == shown


def test_units() -> None:
    found = elements.units("The mill's wheel turns... Who said so?\n水車")
    assert found["word"] == dict.fromkeys(
        ["The", "mill's", "wheel", "turns", "Who", "said", "so"], 1
    )
    assert found["character"] == {"水": 1, "車": 1}
    assert found["punctuation"] == {"...": 1, "'": 1, "?": 1}
    assert found["sentence"].total() == 3
    assert found["whitespace"] == {" ": 6, "\n": 1}


def test_blank_lines_part_paragraphs() -> None:
    assert elements.paragraphs("one\ntwo\n \nthree\n\n--\n") == {"one\ntwo": 1, "three": 1}


def test_the_most_alike_are_paired_first() -> None:
    old = ["the old mill", "a river"]
    new = ["a wide river", "the mill", "the old red mill"]
    assert sorted(elements.alike(old, new)) == [(0, 2), (1, 0)]
    # Strangers, and what has no words, stay alone.
    assert elements.alike(["mill", "", "--"], ["river", "", "--"]) == []


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

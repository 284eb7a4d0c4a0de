"""A piece of wikitext as the parser shows it, in any process; what it will take is known before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.text import parsing
from wikibias.text.markup_tree import Link, parsed
from wikibias.text.tidying import GAP
from wikis import rules


@pytest.mark.parametrize(
    ("entity", "shown"),
    [
        ("&amp;", "&"),
        ("&#65;&#x41;&#0065;", "AAA"),
        ("&#xD83D;&#xDE00;", "\ufffd\ufffd"),
        ("&#x1F600;", "😀"),
        ("&#27;&#x1;&#127;", "\ufffd\ufffd\x7f"),
        ("&#xFFFE;", "\ufffd"),
        ("a&#9;b&#10;c&#13;d", "a b c d"),
        ("&#xFDD0;", ""),
        (f"&#{'0' * 5000}65;&#x{'0' * 5000}41;", "AA"),
        ("&#150;", "\x96"),
        # What the parser takes for no entity is text, as in MediaWiki.
        ("&#0;", "&#0;"),
        ("&#x110000;", "&#x110000;"),
        ("&unknown;", "&unknown;"),
    ],
)
def test_entities_give_what_a_text_may_hold(entity: str, shown: str) -> None:
    assert parsing.parsed_text(entity, rules("en")) == shown


@given(st.integers(0, 0x7FFFFFFF))
def test_every_number_gives_what_can_be_saved(number: int) -> None:
    parsing.character(number).encode()


MARKUP = (
    "{{ }} {{a| [[ ]] [[a| | = '' <b> </b> <ref> </ref> &#xD800; &amp;"
    " \n \n* {| |} é 😀 A. {{lang|fr|b}}"
).split(" ")


@given(st.lists(st.sampled_from(MARKUP), max_size=12).map(" ".join))
def test_another_process_shows_the_same(text: str) -> None:
    answer = parsing.serve_parsed_text(parsing.request(text, rules("en")))
    assert answer[:1] == b"="
    assert answer[1:].decode() == parsing.parsed_text(text, rules("en"))


def test_names_longer_than_any_page_name_are_not_looked_up() -> None:
    assert parsing.parsed_text("a{{" + "msg:" * 5000 + "}}b", rules("en")) == f"a{GAP}b"


PARTS = st.text(st.sampled_from("Ab :%(){}&;|#' /é"), max_size=8)


@given(PARTS)
def test_a_plain_link_is_shown_as_any_other(inside: str) -> None:
    for node in parsed(f"[[{inside}]]"):
        if type(node) is Link and (plain := parsing._plain_link(node)) is not None:
            assert plain == "".join(parsing._link(node, rules("en")))


DEPTH = 25


@pytest.mark.parametrize(
    "text",
    [
        "A [[mill|water mill]] stood {{where|here=[[x]]|y}}.<ref name='a'>Said <b>so</b></ref>\n"
        * 9,
        "== A {{b|c=d}} ==\n{| class='x'\n|-\n| a || [http://a b]\n|}\n[[File:a|thumb|[[b]]]]\n",
        "{{Infobox\n|a=b\n|c={{d\n|}}\n|}}\n<nowiki>{{ [[ <b></nowiki> x < y, [1] and {2}.",
        "<math>a < b [[</math> <br> <br/> </br> http://a?b=c [[:File:a]] <ref name=a />",
    ],
)
def test_ordinary_markup_is_beyond_doubt(text: str) -> None:
    cost = parsing.parsing_cost(text)
    assert cost.doubtful == 0
    assert cost.depth < 6
    assert cost.nanoseconds < 3 * cost.linear


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("{{a|b=", 1),
        ("{{{a}}", 1),
        ("[[a|b] ] {{c}}", 1),
        ('<a b="', 1),
        ("<b>[[c|</b>]]", 1),
        ("{{a|<nowiki>}}", 1),
        ("{|\n| a", 1),
        ("<!-- a", 1),
        ('<b" ', 1),
        ("[http://a b\n", 0),
    ],
)
def test_openings_without_a_close_are_doubtful(text: str, doubtful: int) -> None:
    assert parsing.parsing_cost(text).doubtful == doubtful


@pytest.mark.parametrize(
    "text",
    [
        # The parser takes twice as long for each level: with 25 levels, minutes for 300 characters.
        "[http://a " + "[[http://a " * DEPTH + "]" * (DEPTH + 1),
        "{|\n|{{a|\n" * DEPTH + "}}|x\n|}\n" * DEPTH,
        # Each table that fails has its attributes read again, and what they open is the next table.
        "]][[a|\n{|" * DEPTH + "x\n\n|</b>" * DEPTH,
        "}}}<ref>x{{{\n{|" * DEPTH + "<br>!!" * DEPTH,
        "}}{{[[http://a" * DEPTH + "}}]" * DEPTH,
    ],
)
def test_what_is_read_twice_at_each_level_costs_so(text: str) -> None:
    assert parsing.parsing_cost(text).nanoseconds > 10**9


@pytest.mark.parametrize("unit", ["</ref><ref>\n=", "\n=}}}{{{", "[[a|", "{{a|b=", '<a b="'])
def test_what_is_tried_to_the_end_costs_the_square(unit: str) -> None:
    once, twice = (parsing.parsing_cost(unit * times).nanoseconds for times in (500, 1000))
    assert twice > 3 * once


def test_zeros_before_a_number_cost_the_square() -> None:
    assert parsing.parsing_cost("&#x" + "0" * 2_000_000 + "41;").nanoseconds > 10**10
    assert parsing.parsing_cost("1" + "0" * 2000).nanoseconds < 10**6


def test_signs_of_a_heading_are_counted() -> None:
    assert parsing.parsing_cost("=a" * 5000).signs >= 5000
    assert parsing.parsing_cost("x\n=a [[b]]" + "=a" * 5000 + "\nb=c").signs >= 5000
    assert parsing.parsing_cost("{{a|" + "b=c|" * 5000 + "}}\n== a ==\n").signs == 4

"""What the parser will take is known before it is asked."""

import pytest

from wikibias.text.parsing import parsing_cost

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
    cost = parsing_cost(text)
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
    assert parsing_cost(text).doubtful == doubtful


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
    assert parsing_cost(text).nanoseconds > 10**9


@pytest.mark.parametrize("unit", ["</ref><ref>\n=", "\n=}}}{{{", "[[a|", "{{a|b=", '<a b="'])
def test_what_is_tried_to_the_end_costs_the_square(unit: str) -> None:
    once, twice = (parsing_cost(unit * times).nanoseconds for times in (500, 1000))
    assert twice > 3 * once


def test_zeros_before_a_number_cost_the_square() -> None:
    assert parsing_cost("&#x" + "0" * 2_000_000 + "41;").nanoseconds > 10**10
    assert parsing_cost("1" + "0" * 2000).nanoseconds < 10**6


def test_signs_of_a_heading_are_counted() -> None:
    assert parsing_cost("=a" * 5000).signs >= 5000
    assert parsing_cost("x\n=a [[b]]" + "=a" * 5000 + "\nb=c").signs >= 5000
    assert parsing_cost("{{a|" + "b=c|" * 5000 + "}}\n== a ==\n").signs == 4

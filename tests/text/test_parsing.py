"""A piece of wikitext as the parser shows it, in this process or in another."""

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

"""The running text of wikitext, and its units."""

from __future__ import annotations

import pytest

from wikibias.edits.intents.elements import paragraphs, units, visible
from wikibias.edits.intents.markup_elements import elements_of
from wikibias.mediawiki.titles import Namespaces


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        ("The [[mill|old ''mill'']] turns.<ref>Smith</ref>", "The old mill turns."),
        (
            "{{Box|x}}A &amp; B<br/>[http://a.b the site] [http://a.b]",
            "A & Bthe site ",
        ),
        ("[[Category:Mills]]* item<!-- hidden -->", "* item"),
        ("&#99999999999999999999999999;", "&#99999999999999999999999999;"),
    ],
)
def test_visible_text(wikitext: str, shown: str) -> None:
    assert visible(wikitext, elements_of(wikitext, Namespaces.of({}))) == shown


def test_units() -> None:
    found = units("The mill's wheel turns... Who said so?\n水車")
    assert found["word"] == dict.fromkeys(
        ["The", "mill's", "wheel", "turns", "Who", "said", "so"], 1
    )
    assert found["character"] == {"水": 1, "車": 1}
    assert found["punctuation"] == {"...": 1, "'": 1, "?": 1}
    assert found["sentence"].total() == 3
    assert found["whitespace"] == {" ": 6, "\n": 1}


def test_blank_lines_part_paragraphs() -> None:
    assert paragraphs("one\ntwo\n \nthree\n\n--\n") == {"one\ntwo": 1, "three": 1}

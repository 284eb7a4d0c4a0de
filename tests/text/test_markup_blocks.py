"""A wikitext cut into blocks means the same as whole."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.text.cleaning import _cleaned
from wikibias.text.markup_blocks import markup_blocks
from wikis import rules

MARKUP = [
    *"{{a|b}} {{POV| }} {| |- | |} [[x|y]] [[File:x.png|thumb| ]] [http://x y] [ ] < > { }".split(),
    *"<ref> </ref> <b> </b> <ref/> <br> <li> <nowiki> </nowiki> '' &amp; __TOC__ </br>".split(),
    *"<http://x.org/a> <a:b c> </a:b> <me@x.org> ]] }} </i> </p>".split(),
    *["\n", "\n", "\n\n", "\n* item ", "\n== Head ==\n", "\n;term : said ", "\n----\n"],
    *['<ref name="a/>b">', "<ref name=O'Neil>", "<a ", "\n{|\n| cell\n|}\n", "\n: said "],
    *["Some words. "] * 6,
]


@given(st.lists(st.sampled_from(MARKUP), max_size=40).map("".join))
@settings(max_examples=500, deadline=None)
def test_blocks_mean_the_same_by_themselves(text: Any) -> None:
    found = list(markup_blocks(text, 1))
    assert "".join(found) == text
    by_themselves = "".join(_cleaned(block, rules("en")) for block in found)
    assert by_themselves == _cleaned(text, rules("en"))


def test_most_of_an_article_is_in_short_blocks() -> None:
    line = 'A [[mill]] stood {{where|here}}.<ref name="a">Said <b>so</b></ref>\n{|\n|x\n|}\n'
    assert max(map(len, markup_blocks(line * 200))) < 1000

"""A wikitext cut into blocks means the same as whole."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from wikibias.text.cleaning import BlockCutter, markup_blocks
from wikibias.text.parsing import parsed_text
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
    by_themselves = "".join(parsed_text(block, rules("en")) for block in found)
    assert by_themselves == parsed_text(text, rules("en"))


def test_most_of_an_article_is_in_short_blocks() -> None:
    line = 'A [[mill]] stood {{where|here}}.<ref name="a">Said <b>so</b></ref>\n{|\n|x\n|}\n'
    assert max(map(len, markup_blocks(line * 200))) < 1000


LINES = st.sampled_from([f"{piece}\n" for piece in MARKUP] + ["A mill.\n", "A [[mill]].\n"])


@given(
    st.lists(st.lists(LINES, max_size=15).map("".join), max_size=8),
    st.sampled_from([1, 10, 60]),
    st.sampled_from([20, 200, 10_000]),
)
@settings(max_examples=500, deadline=None)
def test_what_is_remembered_changes_nothing(texts: list[str], shortest: int, most: int) -> None:
    """Texts that share lines, in one order and in the other, however much is remembered."""
    cut = BlockCutter(shortest, most)
    for text in [*texts, *texts[::-1], "".join(texts)]:
        assert [block.text for block in cut(text)] == list(markup_blocks(text, shortest))


def test_what_two_texts_share_is_one_block() -> None:
    cut = BlockCutter()
    paragraphs = [
        f"Mill {number} stands on the river. {'It is old. ' * 20}\n" for number in range(9)
    ]
    old = cut("".join(paragraphs))
    paragraphs[4] = f"The middle one is gone. {'It is old. ' * 20}\n"
    new = cut("".join(paragraphs))
    assert [a is b for a, b in zip(old, new, strict=True)] == [True] * 4 + [False] + [True] * 5

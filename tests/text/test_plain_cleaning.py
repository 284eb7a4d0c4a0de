"""Wikitext to nearly the text a reader sees, whatever somebody wrote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikis import plain_visible_text, rules, visible_text

ARTICLE = """{{Infobox mill
| name = {{lang|fr|Moulin}}
| built = 1804<ref>{{cite web|url=http://a.example|title=B}}</ref>
}}
[[File:Mill.jpg|thumb|The [[mill]] in 1900]]
'''The mill''' is a [[water mill|mill]] of l'''Ille''' &amp; [[Town]]s.<ref name="a" />
It has <small>two</small> wheels<!-- really? -->, and [http://a.example a page] [http://b.example].

== History ==
* First {{lang|la|nomen}} item
* Second <nowiki>[[item]]</nowiki>
{| class="wikitable"
|-
! a !! b
| c || d
|}
<div style="display: none">hidden</div>
<gallery>
File:a.jpg|A caption
</gallery>
The end&#8211;really. __NOTOC__
[[Category:Mills]] [[fr:Moulin]]
"""


def test_an_article_gives_the_same_text() -> None:
    assert plain_visible_text(ARTICLE, rules("en")) == visible_text(ARTICLE, rules("en"))


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("A {{b|c d [[e|f]].\n\ng", "A {{b|c d f.\n\ng".replace("\n\n", "\n")),
        ("A [[b|c. d", "A [[b|c. d"),
        ("A [[b|{{c]] d}} e]] f", "A e f"),
        ("{{a}} b }} c ]] d", "b }} c ]] d"),
        ("a <ref>b", "a b"),
        ("a <ref>b</ref> c", "a c"),
        ("a\n{|\n|b\n", "a"),
        ("{{a|{|\n|b\n|}\n}}c", "c"),
        ("&#xD83D;&#0; &#10; &unknown; &lt; b", "\ufffd\ufffd &unknown; < b"),
        ("a\0b\ud800\ufdd0c", "a\ufffdb\ufffdc"),
        ("-{zh-hans:a; zh-hant:b}-", "a"),
        ("<pre>[[a]]</pre>", "[[a]]"),
        ("[http://a b]c] d", "bc] d"),
        ("See http://a.example/b?c=d. End", "See. End"),
        ("{{{1|a}}} {{{2}}} {{b|{{{3|}}}}} c", "a c"),
    ],
)
def test_odd_markup_gives_something_readable(wikitext: str, text: str) -> None:
    assert plain_visible_text(wikitext, rules("en")) == text


MARKUP = (
    "{{ }} {{{ }}} [[ ]] [http://x ] '' <b> </b> <ref> </ref> <ref/> {| |} <!-- --> &#xD800; | ="
    " x . \n \n\n"
).split(" ")


@given(st.lists(st.sampled_from(MARKUP) | st.text(max_size=3)).map("".join))
def test_it_never_fails(text: str) -> None:
    shown = plain_visible_text(text, rules("en"))
    shown.encode()
    assert all(line == line.strip() for line in shown.split("\n"))

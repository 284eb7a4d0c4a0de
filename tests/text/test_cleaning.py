"""Wikitext to the text a reader sees."""

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import mwparserfromhell
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import is_quick, kinds
from paths import cases
from wikibias.mediawiki import Namespaces
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset
from wikibias.text import cleaning
from wikibias.text.parsing import parsed_text, parsing_cost
from wikibias.text.tidying import paragraphs
from wikis import plain_visible_text, rules, segmenter, visible_text


@pytest.fixture(scope="module", autouse=True)
def parser() -> Iterator[None]:
    """End the process that parses doubtful markup, after all tests."""
    yield
    cleaning.stop_parser()


@pytest.mark.parametrize("case", cases("visible_text"))
def test_visible_text(case: dict[str, Any]) -> None:
    assert visible_text(case["wikitext"], rules(case.get("lang", "en"))) == case["text"]


def test_too_long_or_too_broken_is_unreadable() -> None:
    with pytest.raises(cleaning.UnreadableError, match="longer"):
        visible_text("x" * 2_500_001, rules("en"))
    with pytest.raises(cleaning.UnreadableError, match="unclosed"):
        visible_text("<b>" * 30_000, rules("en"))
    with pytest.raises(cleaning.UnreadableError, match="unclosed"):
        visible_text("[[a|" * 30_000, rules("en"))
    with pytest.raises(cleaning.UnreadableError, match="nested too deeply"):
        visible_text("{{a|b=" * 20_000 + "}}" * 20_000, rules("en"))
    with pytest.raises(cleaning.UnreadableError, match="equals signs"):
        visible_text("=a" * 90_000, rules("en"))
    with pytest.raises(cleaning.UnreadableError, match="too much markup"):
        visible_text("*" * 500_000, rules("en"))


def test_what_is_no_character_never_leaves() -> None:
    assert (
        visible_text("a&#xD83D;&#xDE00; b\0c\ud800d", rules("en"))
        == "a\ufffd\ufffd b\ufffdc\ufffdd"
    )


def test_doubtful_markup_is_parsed_apart_with_the_same_result() -> None:
    doubtful = "A [[b|c\n\n" * 12
    assert visible_text(doubtful, rules("en")) == "\n".join(["A [[b|c"] * 12)


HOSTILE = [*"{{ [[ '' ' {{{ &# ( _ <!-- <nowiki> <b> [http:".split(), "{|\n"]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_ends(piece: str) -> None:
    """Each of these once cost minutes or a crash, in mwparserfromhell or in the tokenizer."""
    hostile = piece * 30_000 + "}}" * 9_999
    with suppress(cleaning.UnreadableError):
        segmenter("en").split(cleaning.visible_paragraphs(hostile, rules("en")))
    assert Matcher(load_tagset("npov", "en"), Namespaces.of({})).tags(hostile) == {}


KINDS = kinds()
GROUPS = sorted({kind.name.partition(":")[0] for kind in KINDS})


@pytest.mark.parametrize("group", GROUPS)
def test_every_kind_is_cleaned_or_refused_in_little_time(group: str) -> None:
    """Each kind at 1 KB. Many took seconds or minutes, and the time grew with the square."""
    lang = rules("zh" if group == "variants" else "en")

    def cleaned(text: str) -> None:
        with suppress(cleaning.UnreadableError):
            visible_text(text, lang).encode()

    def without_the_parser(text: str) -> None:
        cleaning.BlockCutter()(cleaning.without_comments(text))
        list(paragraphs(text, {}))
        plain_visible_text(text, lang).encode()

    for kind in KINDS:
        if kind.name.startswith(f"{group}:"):
            assert is_quick(cleaned, kind.text(1_000), 0.3), kind.name
            # Our own passes take a hundredth of a second for this. Marks in wild order are
            # composed in wikibias.mediawiki, which has a test of its own.
            if "combining" not in kind.name:
                assert is_quick(without_the_parser, kind.text(5_000), 0.15), kind.name


# Pieces that open, close, separate or mean something, and what may follow on them.
PIECES = st.sampled_from(
    [
        *"{{ }} {{a| {{a |b= {{{ }}} {{{a| [[ ]] [[a| [[File:a| [http://a [[http://a ] |".split(),
        *"<b> </b> <b <ref> </ref> <ref/> <li> <nowiki> </nowiki> </ > /> * ; : # || !!".split(),
        *"&amp; &#xD83D; &#0; &#x1b; <!-- --> http://a // <td> </td> ( ) __A -{ }- zh:".split(),
        *["\n{|", "\n|}", "\n|-", "\n|", "\n!", "\n=", "=\n", "\n*", "\n;", "\n:", "=", "''"],
        *["\n", "\n\n", " ", "<a b='", "'", '<a b="', '"', "Words. ", "x", "\u0301"],
    ]
)
UNITS = st.lists(PIECES, min_size=1, max_size=5).map("".join)


@st.composite
def repeated_markup(draw: st.DrawFn) -> str:
    """Some markup, a unit repeated, and another repeated as often: how hostile texts are made."""
    times = draw(st.sampled_from([1, 2, 8, 25, 60]))
    close = draw(st.just("") | UNITS)
    return draw(UNITS) + draw(UNITS) * times + close * times + draw(UNITS)


@given(repeated_markup())
def test_repeated_markup_is_cleaned_or_refused(text: str) -> None:
    begin = time.process_time()
    with suppress(cleaning.UnreadableError):
        visible_text(text, rules("en")).encode()
    plain_visible_text(text, rules("en")).encode()
    assert time.process_time() - begin < 2


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_short_text_is_as_the_parser_has_it(text: str) -> None:
    """Whatever the estimate says, and wherever it is parsed."""
    wikitext = cleaning.without_comments(text)
    if parsing_cost(wikitext).nanoseconds < 10**8:
        expected = [p.text for p in paragraphs(parsed_text(wikitext, rules("en")), {})]
        assert visible_text(text, rules("en")).split("\n") == (expected or [""])
        assert not any(line != line.strip() or "<!--" in line for line in expected)


MARKUP_MARKUP_BLOCKS = [
    *"{{a|b}} {{POV| }} {| |- | |} [[x|y]] [[File:x.png|thumb| ]] [http://x y] [ ] < > { }".split(),
    *"<ref> </ref> <b> </b> <ref/> <br> <li> <nowiki> </nowiki> '' &amp; __TOC__ </br>".split(),
    *"<http://x.org/a> <a:b c> </a:b> <me@x.org> ]] }} </i> </p>".split(),
    *["\n", "\n", "\n\n", "\n* item ", "\n== Head ==\n", "\n;term : said ", "\n----\n"],
    *['<ref name="a/>b">', "<ref name=O'Neil>", "<a ", "\n{|\n| cell\n|}\n", "\n: said "],
    *["Some words. "] * 6,
]


@given(st.lists(st.sampled_from(MARKUP_MARKUP_BLOCKS), max_size=40).map("".join))
def test_blocks_mean_the_same_by_themselves(text: Any) -> None:
    found = [block.text for block in cleaning.BlockCutter(1)(text)]
    assert "".join(found) == text
    by_themselves = "".join(parsed_text(block, rules("en")) for block in found)
    assert by_themselves == parsed_text(text, rules("en"))


def test_most_of_an_article_is_in_short_blocks() -> None:
    line = 'A [[mill]] stood {{where|here}}.<ref name="a">Said <b>so</b></ref>\n{|\n|x\n|}\n'
    assert max(len(block.text) for block in cleaning.BlockCutter()(line * 200)) < 1000


LINES = st.sampled_from(
    [f"{piece}\n" for piece in MARKUP_MARKUP_BLOCKS] + ["A mill.\n", "A [[mill]].\n"]
)


@given(
    st.lists(st.lists(LINES, max_size=15).map("".join), max_size=8),
    st.sampled_from([1, 10, 60]),
    st.sampled_from([20, 200, 10_000]),
)
def test_what_is_remembered_changes_nothing(texts: list[str], shortest: int, most: int) -> None:
    """Texts that share lines, in one order and in the other, however much is remembered."""
    cut = cleaning.BlockCutter(shortest, most)
    for text in [*texts, *texts[::-1], "".join(texts)]:
        anew = cleaning.BlockCutter(shortest)(text)
        assert [block.text for block in cut(text)] == [block.text for block in anew]


def test_what_two_texts_share_is_one_block() -> None:
    cut = cleaning.BlockCutter()
    paragraphs = [
        f"Mill {number} stands on the river. {'It is old. ' * 20}\n" for number in range(9)
    ]
    old = cut("".join(paragraphs))
    paragraphs[4] = f"The middle one is gone. {'It is old. ' * 20}\n"
    new = cut("".join(paragraphs))
    assert [a is b for a, b in zip(old, new, strict=True)] == [True] * 4 + [False] + [True] * 5


PIECES_STRIPPING = st.lists(
    st.sampled_from(
        ["Elm", " ", "[[town|city]]", "[[river]]", "{{POV}}", "<br/>", "<b>bold</b>", "&amp;",
         "[http://x.example title]", "<math>x</math>", "<!-- seen -->", "{{{1|default}}}", "\n"]
    ),
    max_size=12,
)  # fmt: skip


@given(PIECES_STRIPPING)
def test_it_leaves_what_the_library_leaves(pieces: list[str]) -> None:
    wikitext = "".join(pieces)
    expected = mwparserfromhell.parse(wikitext).strip_code(collapse=False)
    assert cleaning.without_markup(wikitext) == expected.strip()


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("'''Elm''' is a ''[[town]]''.", "Elm is a town."),
        ("* [[Elm]]", "Elm"),
        ("== Elm ==", "Elm"),
        ("[[File:Elm.jpg|thumb|right|The mill]] Elm", "thumb|right|The mill Elm"),
        ("a &ndash; b &#233;", "a – b é"),
        ("[http://elm.example] is gone", "is gone"),
    ],
)
def test_case(wikitext: str, text: str) -> None:
    assert cleaning.without_markup(wikitext) == text


@given(st.text(st.sampled_from("[]{}|<>/='&;#ab* \n"), max_size=200))
def test_it_answers_or_refuses_whatever_it_is_given(wikitext: str) -> None:
    with suppress(ValueError):
        assert isinstance(cleaning.without_markup(wikitext), str)


@pytest.mark.parametrize("mark", ["{{", "[[", "<ref>", "[http://a "])
def test_what_is_opened_again_and_again_is_refused_at_once(mark: str) -> None:
    with pytest.raises(ValueError, match="markup"):
        cleaning.without_markup(mark * 5_000)


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

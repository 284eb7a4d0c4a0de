"""Titles compare as on a wiki."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import Kind, kinds, slow
from wikibias import mediawiki
from wikibias.config.languages import load_mediawiki


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("POV check", "POV_check"),
        ("POV check", " POV \u00a0\t check_"),
        ("POV", "pOV"),
        ("POV", "\u200ePOV\u200f"),
        ("Église", "e\u0301glise"),
    ],
    ids=["underscore", "spaces", "first letter", "direction marks", "composed letters"],
)
def test_spellings_of_one_title(one: str, other: str) -> None:
    assert mediawiki.title_key(one, ignore_case=False) == mediawiki.title_key(
        other, ignore_case=False
    )


def test_the_case_of_other_letters_counts_unless_ignored() -> None:
    assert mediawiki.title_key("POV", ignore_case=False) != mediawiki.title_key(
        "Pov", ignore_case=False
    )
    assert mediawiki.title_key("POV", ignore_case=True) == mediawiki.title_key(
        "Pov", ignore_case=True
    )


@given(st.text(max_size=20))
def test_cleaning_twice_changes_nothing(title: str) -> None:
    assert mediawiki.clean_title(mediawiki.clean_title(title)) == mediawiki.clean_title(title)


@given(st.text(st.sampled_from("ab\t\n\x1c\x85\xa0\u1680\u180e\u2003\u2028\u202f\u205f\u3000")))
def test_all_spaces_of_mediawiki_are_single(text: str) -> None:
    assert mediawiki.single_spaced(text) == re.sub(r"[\s\u180e]+", " ", text).strip()


# Marks of many classes, some that are made of two, letters with and without marks, and others.
MARKS = "\u0301\u0323\u0334\u0315\u05b0\u3099\u0344\u0f73\u0f71\u0345\u0338"
LETTERS = "aeéồ=≠か中\u1100\u1161\uac00\u0f40-\u200d \U0001d15e\u0958"


@given(st.lists(st.text(MARKS, max_size=60) | st.text(LETTERS + MARKS) | st.text()).map("".join))
def test_it_is_nfc(text: str) -> None:
    assert mediawiki.composed(text) == unicodedata.normalize("NFC", text)


def test_no_mark_is_a_letter_or_a_space() -> None:
    """The run of marks that is put in order must contain all of them."""
    for char in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.combining(char):
            assert re.fullmatch(r"[^\w\s]", char)


def test_no_text_takes_more_than_its_share_of_time() -> None:
    marks = [
        Kind("of two classes", "\u0301\u0323", before="a"),
        Kind("of many classes", MARKS),
        Kind("made of two", "\u0344\u0f73"),
        Kind("behind a letter with marks", MARKS, before="ồ"),
        Kind("one class behind the other", "\u0301", close="\u0323"),
    ]
    assert slow(mediawiki.composed, kinds()) == {}
    assert slow(mediawiki.composed, marks, 5_000) == {}


FRENCH = mediawiki.Namespaces.of(
    {mediawiki.TEMPLATE: "Modèle", 100: "Portail"}, {"user": ["Utilisatrice"]}
)


@pytest.mark.parametrize(
    ("number", "prefix"),
    [
        (mediawiki.TEMPLATE, "Modèle"),
        (mediawiki.TEMPLATE, "mod\u00e8le "),
        (mediawiki.TEMPLATE, "Template"),
        (mediawiki.FILE, "Image"),
        (mediawiki.USER, "utilisatrice"),
    ],
)
def test_a_namespace_has_local_canonical_and_configured_names(number: int, prefix: str) -> None:
    assert FRENCH.has(number, prefix)


def test_a_prefix_of_another_namespace_is_known_but_not_a_template() -> None:
    assert FRENCH.knows("portail")
    assert not FRENCH.has(mediawiki.TEMPLATE, "portail")
    assert not FRENCH.knows("Weasel")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (" POV ", "POV"),
        ("Modèle:POV", "POV"),
        ("template: POV", "POV"),
        (":Template:POV", "POV"),
        ("msg:POV", "POV"),
        ("POV#top", "POV"),
        ("caf&eacute;", "café"),
        (":POV", None),
        ("#if:x", None),
        ("  ", None),
    ],
)
def test_the_template_that_a_call_names(call: str, name: str | None) -> None:
    assert mediawiki.template_name(call, FRENCH) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#REDIRECT [[A]]", True),
        ("  #redirect:[[A#b]]\n{{R from merge}}", True),
        ("#REDIRECTION [[A]]", True),
        ("#виж [[А]]", True),
        ("#пренасочване [[А]]", True),
        ("#WEITERLEITUNG [[A]]", True),
        ("# REDIRECT [[A]]", False),
        ("Text #REDIRECT [[A]]", False),
        ("#REDIRECT A", False),
        ("#REDIRECT \n : \t[[A]]", True),
        ("#REDIRECT : : [[A]]", False),
    ],
)
def test_redirects_of_any_language(text: str, expected: bool) -> None:
    pattern = mediawiki.redirect_pattern(load_mediawiki().redirect_words)
    assert bool(pattern.match(text)) is expected


def test_no_text_takes_more_than_its_share_of_time_of_redirects() -> None:
    spaces = [
        Kind("spaces before", " "),
        Kind("spaces behind", " ", before="#REDIRECT"),
        Kind("spaces behind a colon", " ", before="#REDIRECT:", after="x"),
    ]
    assert (
        slow(mediawiki.redirect_pattern(load_mediawiki().redirect_words).match, spaces, 20_000)
        == {}
    )


@pytest.mark.parametrize(
    ("base", "url"),
    [
        (
            "http://en.wikipedia.org/wiki/Main_Page",
            "https://en.wikipedia.org/w/index.php?diff=7&oldid=6",
        ),
        ("http://wiki.example/index.php/Main", "http://wiki.example/index.php?diff=7&oldid=6"),
        ("https://wiki.example/Main", "https://wiki.example/w/index.php?diff=7&oldid=6"),
        ("https://wiki.example:8080/Main", "https://wiki.example:8080/w/index.php?diff=7&oldid=6"),
        ("http://[2001:db8::1]/x", "http://[2001:db8::1]/w/index.php?diff=7&oldid=6"),
        (
            'http://a.example/"><b>/index.php',
            "http://a.example/%22%3E%3Cb%3E/index.php?diff=7&oldid=6",
        ),
        ("javascript:alert(1)", ""),
        ("data:text/html,<script>", ""),
        ("file:///etc/passwd", ""),
        ("https://en.wikipedia.org@evil.example/wiki/A", ""),
        ('https://evil.example"onclick="x/wiki/A', ""),
        ("https://evil.example\x1b/wiki", ""),
        ("https://[::1/wiki", ""),
        ("https:///wiki", ""),
        ("", ""),
    ],
)
def test_the_url_of_a_diff(base: str, url: str) -> None:
    assert mediawiki.diff_url(base, 6, 7) == url


def test_a_new_page_has_no_older_revision() -> None:
    assert mediawiki.diff_url("https://wiki.example/wiki/A", None, 7).endswith("?diff=7")

"""Wikitext without its markup, as others strip it."""

from __future__ import annotations

from contextlib import suppress

import mwparserfromhell
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.text.cleaning import without_markup

PIECES = st.lists(
    st.sampled_from(
        ["Elm", " ", "[[town|city]]", "[[river]]", "{{POV}}", "<br/>", "<b>bold</b>", "&amp;",
         "[http://x.example title]", "<math>x</math>", "<!-- seen -->", "{{{1|default}}}", "\n"]
    ),
    max_size=12,
)  # fmt: skip


@given(PIECES)
def test_it_leaves_what_the_library_leaves(pieces: list[str]) -> None:
    wikitext = "".join(pieces)
    expected = mwparserfromhell.parse(wikitext).strip_code(collapse=False)
    assert without_markup(wikitext) == expected.strip()


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("'''Elm''' is a ''[[town]]''.", "Elm is a town."),
        ("* [[Elm]]", "Elm"),
        ("== Elm ==", "Elm"),
        ("[[File:Elm.jpg|thumb|right|The mill]] Elm", "thumb|right|The mill Elm"),
        ("a &ndash; b &#233;", "a – b é"),
        ("http://elm.example is gone", "is gone"),
    ],
)
def test_case(wikitext: str, text: str) -> None:
    assert without_markup(wikitext) == text


@given(st.text(st.sampled_from("[]{}|<>/='&;#ab* \n"), max_size=200))
def test_it_answers_or_refuses_whatever_it_is_given(wikitext: str) -> None:
    with suppress(ValueError):
        assert isinstance(without_markup(wikitext), str)


@pytest.mark.parametrize("mark", ["{{", "[[", "<ref>", "[http://a "])
def test_what_is_opened_again_and_again_is_refused_at_once(mark: str) -> None:
    with pytest.raises(ValueError, match="markup"):
        without_markup(mark * 5_000)

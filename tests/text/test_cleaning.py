"""Wikitext to the text a reader sees."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casefiles import cases
from wikibias.mediawiki.namespaces import Namespaces
from wikibias.tags.matcher import Matcher
from wikibias.tags.tagset import load_tagset
from wikibias.text.cleaning import UnreadableError, visible_text
from wikis import rules, segmenter


@pytest.mark.parametrize("case", cases("visible_text"))
def test_visible_text(case: dict[str, Any]) -> None:
    assert visible_text(case["wikitext"], rules(case.get("lang", "en"))) == case["text"]


MARKUP = (
    "'' ''' [[ ]] {{ }} | = * # : ; <b> </b> <ref> </ref> {| |} <!-- --> &amp; x \n A."
).split(" ")


@given(st.lists(st.sampled_from(MARKUP)))
@settings(max_examples=300)
def test_any_markup_gives_clean_paragraphs(pieces: list[Any]) -> None:
    text = visible_text(" ".join(pieces), rules("en"))
    for line in text.split("\n"):
        assert line == line.strip()
        assert "<!--" not in line


def test_too_long_or_too_broken_is_unreadable() -> None:
    with pytest.raises(UnreadableError, match="longer"):
        visible_text("x" * 2_500_001, rules("en"))
    with pytest.raises(UnreadableError, match="unclosed"):
        visible_text("<b>" * 100_000, rules("en"))
    with pytest.raises(UnreadableError, match="unclosed"):
        visible_text("[http://x " * 100_000, rules("en"))


HOSTILE = [
    "{{",
    "[[",
    "''",
    "'",
    "{|\n",
    "{{{",
    "&#",
    "(",
    "_",
    "<!--",
    "<nowiki>",
    "<b>",
    "[http:",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_ends(piece: str) -> None:
    """Each of these once cost minutes or a crash, in mwparserfromhell or in the tokenizer."""
    hostile = piece * 30_000 + "}}" * 9_999
    with suppress(UnreadableError):
        segmenter("en").split(visible_text(hostile, rules("en")))
    assert Matcher(load_tagset("npov", "en"), Namespaces.of({})).tags(hostile) == {}

"""Normalisation form C: as Python has it, but in time that grows with the text."""

from __future__ import annotations

import re
import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from growth import slow
from hostile_texts import Kind, kinds
from wikibias.mediawiki.titles import composed

# Marks of many classes, some that are made of two, letters with and without marks, and others.
MARKS = "\u0301\u0323\u0334\u0315\u05b0\u3099\u0344\u0f73\u0f71\u0345\u0338"
LETTERS = "aeéồ=≠か中\u1100\u1161\uac00\u0f40-\u200d \U0001d15e\u0958"


@given(st.lists(st.text(MARKS, max_size=60) | st.text(LETTERS + MARKS) | st.text()).map("".join))
def test_it_is_nfc(text: str) -> None:
    assert composed(text) == unicodedata.normalize("NFC", text)


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
    assert slow(composed, kinds()) == {}
    assert slow(composed, marks, 5_000) == {}

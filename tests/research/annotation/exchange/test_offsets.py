"""Tests of places counted in units of UTF-16."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.research.annotation.exchange.offsets import (
    has_wide,
    in_characters,
    units_as_characters,
)

TEXTS = st.text(st.sampled_from("aé中🚲𝄞\u200d"), max_size=12)


@pytest.mark.hypothesis
@given(TEXTS, st.data())
def test_a_place_is_found_where_the_units_before_it_end(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    units = len(text[:place].encode("utf-16-le")) // 2
    assert in_characters(text, units) == place
    assert has_wide(text) == any(ord(letter) > 0xFFFF for letter in text)


def test_within_a_character_and_behind_the_text_is_no_place() -> None:
    assert in_characters("a🚲", 2) is None
    assert in_characters("a🚲", 4) is None
    assert units_as_characters("a🚲b", 1, 4) == (1, 3)
    assert units_as_characters("a🚲b", 1, 1) is None
    assert units_as_characters("a🚲b", 1, 9) is None

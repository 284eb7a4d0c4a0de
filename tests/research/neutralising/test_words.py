"""Words of a sentence: the same keys however they are written down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.research.neutralising.words import words


@pytest.mark.parametrize(
    "text",
    [
        "The well-known mills, O'Hara said, closed.",
        "the well - known mills , o ' hara said , closed .",
        "the well - known mill ##s , o ' hara said , closed .",
    ],
)
def test_text_tokens_and_pieces_have_the_same_words(text: str) -> None:
    keys = "the|well-known|mills|,|o|'|hara|said|,|closed|."
    assert [word.key for word in words(text)] == keys.split("|")


def test_a_dash_between_spaces_joins_nothing_in_a_text_with_stops() -> None:
    assert "was-it" not in [word.key for word in words("It was - it seems - closed, and sold.")]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Él dijo «no»", "él dijo « no »"),
        ("著名演员。", "著 名 演 员 。"),
        ("नमस्ते दुनिया", "नमस्ते दुनिया"),
        ("l'été ##s", "l ' étés"),
        ("", ""),
    ],
)
def test_other_scripts(text: str, keys: str) -> None:
    assert [word.key for word in words(text)] == keys.split()


@given(st.text(max_size=60))
def test_words_stand_in_order_and_hold_all_letters(text: str) -> None:
    found = words(text)
    at = 0
    for word in found:
        assert at <= word.start < word.end <= len(text)
        assert not any(char.isalnum() for char in text[at : word.start])
        at = word.end

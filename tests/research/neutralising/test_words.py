"""Words of a sentence: the same keys however they are written down."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import cases
from wikibias.research.neutralising.words import detokenise, edited, words


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


@pytest.mark.parametrize("case", cases("rewrite_repairs"))
def test_an_edit_leaves_a_text_that_reads_well(case: dict[str, Any]) -> None:
    start = case["text"].index(case["word"])
    end = start + len(case["word"])
    found = edited(case["text"], start, end, case.get("by", ""), case.get("lang"))
    assert found == case["left"]


@given(st.text(max_size=40), st.data())
def test_any_text_can_be_edited_and_nothing_far_away_changes(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = edited(text, start, end, "", "en")
    assert len(found) <= len(text) + 1  # an article may grow
    assert (
        edited(text, start, start, "x", None)
        == text[:start] + ("X" if text[start : start + 1].isupper() else "x") + text[start:]
    )


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("the mill ##s closed , at last .", "the mills closed, at last."),
        ('he said " it is well - known " ( 1961 ) .', 'he said "it is well-known" (1961).'),
        ("the town ' s hall", "the town's hall"),
        ("Text that is one already, with (marks).", "Text that is one already, with (marks)."),
        ("", ""),
    ],
)
def test_tokens_become_text(tokens: str, text: str) -> None:
    assert detokenise(tokens) == text

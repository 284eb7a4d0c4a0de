"""Sentences to the form that is classified, and to the key that is compared."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casefiles import cases
from wikibias.records import Sentence
from wikibias.text.segmentation import comparison_key, normalise
from wikis import segmenter

# What is left out or put in without another sentence.
MARKS = "\u00ad\u200b\u200c\u200d\u200e\u2060\ufeff\ufe0f\u061c\u0301"
TEXTS = st.text() | st.text(st.sampled_from(f"abAБбйёИا۵نं'5, .{MARKS}\u0308\u0306\u030c"))


@pytest.mark.parametrize("case", cases("norm"))
def test_norm(case: dict[str, Any]) -> None:
    assert segmenter(case["lang"]).normalise(case["text"]) == case["norm"]


@given(st.text(st.characters(max_codepoint=127)) | st.text("aB1' ,.4"), st.booleans())
def test_a_text_in_ascii_is_read_as_any_other(text: str, keep: bool) -> None:
    """It is normalised in a way of its own, which the letter at the end keeps off."""
    norm = normalise(text, keep_apostrophes=keep)
    assert normalise(f"{text} é", keep_apostrophes=keep) == f"{norm} é".strip()


@given(TEXTS, st.booleans())
def test_norm_is_stable(text: str, keep: bool) -> None:
    once = normalise(text, keep_apostrophes=keep)
    assert normalise(once, keep_apostrophes=keep) == once
    assert once == once.strip()
    assert "  " not in once
    assert "\t" not in once
    assert "\n" not in once


def key(text: str) -> str:
    return comparison_key(Sentence(text, normalise(text)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("It had 1,240 mills.", "It had 1240 mills."),
        ("It had 1,240 mills.", "it had 1\u00a0240 mills"),
        ("Sie hatte 1.240.000 Mark.", "Sie hatte 1 240 000 Mark."),
        ("Ils ont 2,5 ha.", "Ils ont 2.5 ha."),
        ("It had 12 mills.", "It had \uff11\uff12 mills."),
        ("It had 12 mills.", "It had \u0661\u0662 mills."),
        ("It had 1\u200b240 mills.", "It had 1240 mills."),
        ("Замок стои\u0301т.", "Замок стоит."),
        ("The mill\u00adpond.", "The millpond."),
        ("می\u200cخواهم", "میخواهم"),
    ],
)
def test_the_same_sentence(left: str, right: str) -> None:
    assert key(left) == key(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("It had 1,240 mills.", "It had 1,310 mills."),
        ("From 1950 to 1960.", "From 1960 to 1950."),
        ("It is 2.5 m high.", "It is 25 m high."),
        ("It had 12 mills.", "It had \u0661\u0663 mills."),
        ("Café Ge\u0301za", "Café Geza"),
        ("Той и\u0300 каза", "Той и каза"),
    ],
)
def test_another_sentence(left: str, right: str) -> None:
    assert key(left) != key(right)


@given(st.integers(0, 10**12))
def test_grouping_is_no_change(number: int) -> None:
    assert key(f"It had {number:,} mills") == key(f"It had {number} mills")


@given(TEXTS)
def test_without_numbers_the_key_is_the_norm(text: str) -> None:
    norm = normalise(text)
    found = comparison_key(Sentence(text, norm))
    if "numtkn" not in norm:
        assert found == norm.translate({0x200C: None, 0x200D: None})
    else:
        assert "\n" in found

"""What differs between two lists of words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.word_diff import gaps, tokens, word_diff

WORDS = st.lists(st.sampled_from("the old mill by the water stood , .".split()), max_size=12)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("the old mill", "the mill", [("=", "the"), ("-", "old"), ("=", "mill")]),
        ("old mill", "mill by", [("-", "old"), ("=", "mill"), ("+", "by")]),
        # The longest run is common, though another comes first.
        (
            "a b x c d e",
            "c d e a b",
            [("-", "a b x"), ("=", "c d e"), ("+", "a b")],
        ),
        # Of two runs of the same length, the one that comes first in the second list.
        ("a x b", "b y a", [("-", "a x"), ("=", "b"), ("+", "y a")]),
        ("", "", []),
        ("", "new", [("+", "new")]),
        ("mill", "dam", [("-", "mill"), ("+", "dam")]),
    ],
)
def test_the_longest_run_comes_first(a: str, b: str, expected: list[tuple[str, str]]) -> None:
    assert [(sign, " ".join(part)) for sign, part in word_diff(a.split(), b.split())] == expected


@given(WORDS, WORDS)
def test_both_lists_can_be_read_back(a: list[str], b: list[str]) -> None:
    found = word_diff(a, b)
    assert [word for sign, part in found if sign != "+" for word in part] == a
    assert [word for sign, part in found if sign != "-" for word in part] == b
    assert all(one[0] != other[0] for one, other in pairwise(found))


def test_a_sentence_of_ten_thousand_words_is_compared_all_the_same() -> None:
    a = ["the", "old"] * 5000
    b = ["the", "new", "mill"] * 3000
    found = gaps(a, b)
    assert found[0].source[0] == 1
    assert found == sorted(found)
    assert [word for sign, part in word_diff(a, b) if sign != "-" for word in part] == b


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('The "old" mill, 1,240 m.', ["The", '"', "old", '"', "mill", ",", "1,240", "m", "."]),
        ("a so-called mill\u2014it's old", ["a", "so-called", "mill", "\u2014", "it's", "old"]),
        ("the pre ##text , ##", ["the", "pre", "##text", ",", "#", "#"]),
        ("水車は古い。", ["水", "車", "は", "古", "い", "。"]),
        ("пре\u0301красный дом", ["пре\u0301красный", "дом"]),
        ("", []),
    ],
)
def test_words_and_marks(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in tokens(text)] == expected


@given(st.text())
def test_every_mark_is_in_a_word(text: str) -> None:
    found = tokens(text)
    assert "".join(text[a:b] for a, b in found) == "".join(text.split())

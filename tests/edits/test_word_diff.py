"""What differs between two lists of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.word_diff import gaps, tokens

WORDS = st.lists(st.sampled_from("the old mill by the water stood , .".split()), max_size=12)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("the old mill", "the mill", [("old", "")]),
        ("old mill", "mill by", [("old", ""), ("", "by")]),
        # The longest run is common, though another comes first.
        ("a b x c d e", "c d e a b", [("a b x", ""), ("", "a b")]),
        # Of two runs of the same length, the one that comes first in the second list.
        ("a x b", "b y a", [("a x", ""), ("", "y a")]),
        ("", "", []),
        ("", "new", [("", "new")]),
        ("mill", "dam", [("mill", "dam")]),
    ],
)
def test_the_longest_run_comes_first(a: str, b: str, expected: list[tuple[str, str]]) -> None:
    one, other = a.split(), b.split()
    found = [
        (" ".join(one[slice(*gap.source)]), " ".join(other[slice(*gap.target)]))
        for gap in gaps(one, other)
    ]
    assert found == expected


def rebuilt(a: list[str], b: list[str]) -> list[str]:
    """Return `b`, of what stands between the gaps of `a`, and of the gaps' other side."""
    words, at = [], 0
    for source, target in gaps(a, b):
        words += a[at : source[0]] + b[slice(*target)]
        at = source[1]
    return words + a[at:]


@given(WORDS, WORDS)
def test_one_list_can_be_made_of_the_other(a: list[str], b: list[str]) -> None:
    assert rebuilt(a, b) == b


def test_a_sentence_of_ten_thousand_words_is_compared_all_the_same() -> None:
    a = ["the", "old"] * 5000
    b = ["the", "new", "mill"] * 3000
    found = gaps(a, b)
    assert found[0].source[0] == 1
    assert found == sorted(found)
    assert rebuilt(a, b) == b


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

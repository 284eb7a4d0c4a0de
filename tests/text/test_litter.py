"""What vanished markup leaves behind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.text import tidying
from wikibias.text.tidying import GAP, SEAM, without_litter


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("a _ b", "a |b"),
        ("a_ b", "a| b"),
        ("a_b", "a |b"),
        ("a ~ b", "a b"),
        ("a~b", "a b"),
        ("水~水", "水水"),
        ("_ a _", "|a|"),
        ("_", "|"),
        ("a (_) b", "a b"),
        ("a (_, b) c", "a (|b) c"),
        ("a, _. B", "a|. B"),
        ("a. _. B", "a. B"),
    ],
)
def test_marks(text: str, tidy: str) -> None:
    marked = text.replace("_", GAP).replace("~", SEAM)
    assert without_litter(marked).replace(GAP, "|") == tidy


def test_a_text_without_marks_keeps_what_somebody_wrote() -> None:
    text = "It calls main(), ,, twice.. (a, b) «x» ; so [sic] ..."
    assert without_litter(text) == text


@given(st.lists(st.sampled_from([GAP, SEAM, " ", *"()[],.;:ab水（）、。«»"])).map("".join))
def test_only_gaps_are_left(text: str) -> None:
    tidy = without_litter(" ".join(text.split()))
    assert SEAM not in tidy
    assert "  " not in tidy
    assert tidy == tidy.strip()
    assert f"{GAP} {GAP}" not in tidy


MARKED = st.lists(st.sampled_from([GAP, SEAM, *" (),.;)）ab"])).map("".join)


@given(MARKED)
def test_what_is_only_looked_for_is_not_there(text: str) -> None:
    """A quick pattern says where a slow one is worth its time."""
    for quick, slow in (
        (tidying._ENDS, tidying._END),
        (tidying._STANDS_APART, tidying._SPACE_BEFORE_STOP),
        (tidying._VANISHED_BEFORE_MARK, tidying._SPACE_BEFORE_MARK),
    ):
        assert (quick.search(text) is None) == (slow.search(text) is None)

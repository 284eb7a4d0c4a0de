"""Titles compare as on a wiki."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.mediawiki.titles import clean_title, single_spaced, title_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("POV check", "POV_check"),
        ("POV check", " POV \u00a0\t check_"),
        ("POV", "pOV"),
        ("POV", "\u200ePOV\u200f"),
        ("Église", "e\u0301glise"),
    ],
    ids=["underscore", "spaces", "first letter", "direction marks", "composed letters"],
)
def test_spellings_of_one_title(one: str, other: str) -> None:
    assert title_key(one, ignore_case=False) == title_key(other, ignore_case=False)


def test_the_case_of_other_letters_counts_unless_ignored() -> None:
    assert title_key("POV", ignore_case=False) != title_key("Pov", ignore_case=False)
    assert title_key("POV", ignore_case=True) == title_key("Pov", ignore_case=True)


@given(st.text(max_size=20))
def test_cleaning_twice_changes_nothing(title: str) -> None:
    assert clean_title(clean_title(title)) == clean_title(title)


@given(st.text(st.sampled_from("ab\t\n\x1c\x85\xa0\u1680\u180e\u2003\u2028\u202f\u205f\u3000")))
def test_all_spaces_of_mediawiki_are_single(text: str) -> None:
    assert single_spaced(text) == re.sub(r"[\s\u180e]+", " ", text).strip()

"""Tests of votes."""

from __future__ import annotations

import pytest
from hypothesis import given as generated
from hypothesis import strategies as st

from wikibias.errors import UsageError
from wikibias.research.annotation.answers import meanings
from wikibias.research.annotation.votes import (
    Vote,
    check_rule,
    decided,
    majority,
    unanimous,
)

LABELS = meanings(None)
ROWS = st.lists(
    st.lists(st.sampled_from(["0", "1", "x", None]), min_size=3, max_size=3), min_size=1, max_size=9
)


class TestMajority:
    def test_what_says_nothing_does_not_vote(self) -> None:
        found = majority([["1", None, "1"], ["0", "1", None], [None, None, None]])
        assert found == [
            Vote(("1",), 1.0, 2),
            Vote(("0", "1"), 0.5, 2),
            Vote(("0", "1"), None, 0),
        ]

    @generated(ROWS)
    def test_a_winner_has_more_votes_than_any_other(self, rows: list[list[str | None]]) -> None:
        for row, vote in zip(rows, majority(rows), strict=True):
            said = [label for label in row if label is not None]
            assert vote.votes == len(said)
            for label in vote.leading if said else ():
                assert all(said.count(label) >= said.count(other) for other in said)
                assert vote.share == said.count(label) / len(said)


@pytest.mark.parametrize(
    ("rule", "label"),
    [("?", "?"), ("drop", None), ("biased", "1"), ("neutral", "0"), ("1", "1"), ("x", "?")],
)
def test_ties_go_by_the_rule(rule: str, label: str | None) -> None:
    assert decided(Vote(("0", "1"), 0.5, 2), rule, LABELS) == label
    assert decided(Vote(("1",), 0.9, 2), rule, LABELS) == "1"


def test_a_single_label_that_nobody_voted_for_is_no_winner() -> None:
    (_, nobody) = majority([["1"], [None]])
    assert decided(nobody, "?", LABELS) == "?"


class TestCheckRule:
    def test_a_label_must_have_been_given(self) -> None:
        check_rule("x", [["x", "y"]], LABELS)
        with pytest.raises(UsageError, match="nobody gave the label 'z'"):
            check_rule("z", [["x", "y"]], LABELS)

    def test_a_meaning_must_be_that_of_a_label(self) -> None:
        check_rule("biased", [["yes", "no"]], LABELS)
        with pytest.raises(UsageError, match="known to mean biased"):
            check_rule("biased", [["x", "y"]], LABELS)


def test_counts_where_all_agree() -> None:
    assert unanimous([["1", "1"], ["1", "0"], ["1", None]]) == (2, 1)

"""Tests of balanced strata."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.answers import KNOWN, meanings
from wikibias.research.annotation.balance import balanced, judged, strata_of

ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([True, False, None])), min_size=1, max_size=40
)


def taken(
    rows: list[tuple[str, bool | None]], **options: object
) -> Counter[tuple[str, bool | None]]:
    found = balanced([(name,) for name, _ in rows], [one for _, one in rows], **options)  # type: ignore[arg-type]
    assert found.rows.tolist() == sorted(set(found.rows.tolist()))
    return Counter(rows[row] for row in found.rows.tolist())


class TestBalanced:
    @given(ROWS, st.booleans())
    def test_takes_equally_many_of_both_in_each_stratum(
        self, rows: list[tuple[str, bool | None]], equal: bool
    ) -> None:
        had = Counter(rows)
        able = [min(had[name, True], had[name, False]) for name in "abc"]
        if not any(able):
            with pytest.raises(WikibiasError, match="no stratum has both"):
                taken(rows, equal=equal)
            return
        found = taken(rows, equal=equal)
        least = min(number for number in able if number)
        for name, number in zip("abc", able, strict=True):
            wanted = min(number, least) if equal else number
            assert (found[name, True], found[name, False]) == (wanted, wanted)
        assert found["a", None] == 0

    @given(ROWS, st.integers(2, 20), st.booleans())
    def test_takes_no_more_than_asked_for(
        self, rows: list[tuple[str, bool | None]], most: int, equal: bool
    ) -> None:
        try:
            found = taken(rows, most=most, equal=equal)
        except WikibiasError:
            return
        assert found.total() <= most
        assert all(found[name, True] == found[name, False] for name in "abc")

    def test_shares_a_number_out_by_what_strata_can_give(self) -> None:
        rows: list[tuple[str, bool | None]] = [("a", True), ("a", False)] * 30
        rows += [("b", True), ("b", False)] * 10
        assert taken(rows, most=40) == {
            ("a", True): 15,
            ("a", False): 15,
            ("b", True): 5,
            ("b", False): 5,
        }
        assert taken(rows, most=14, equal=True)["a", True] == 3

    def test_changes_nothing_in_what_is_balanced(self) -> None:
        rows: list[tuple[str, bool | None]] = [("a", True), ("a", False)] * 5
        assert balanced([(n,) for n, _ in rows], [b for _, b in rows]).rows.tolist() == list(
            range(10)
        )

    def test_draws_by_the_seed(self) -> None:
        rows = [True] * 50 + [False] * 5
        first, again, other = (
            balanced([("a",)] * 55, rows, seed=seed).rows.tolist() for seed in (0, 0, 1)
        )
        assert first == again != other


class TestJudged:
    def test_reads_labels_and_probabilities(self) -> None:
        cells = [1, "neutral", 0.51, "0.5", "?", None, 1.0]
        assert judged(cells, KNOWN, "f") == [True, False, True, False, None, None, True]

    @pytest.mark.parametrize("cell", ["maybe", "1.5", "nan"])
    def test_says_what_is_neither(self, cell: str) -> None:
        with pytest.raises(WikibiasError, match=r"f: row 1: .* is no known label"):
            judged([cell], meanings(None), "f")


def test_a_stratum_is_what_a_row_has_in_some_columns() -> None:
    columns: dict[str, list[str | None]] = {"outlet": ["x", None], "lang": ["en", "fr"]}
    assert strata_of(columns, ["outlet", "lang"]) == [("x", "en"), ("", "fr")]
    with pytest.raises(UsageError, match="--by"):
        strata_of(columns, [])

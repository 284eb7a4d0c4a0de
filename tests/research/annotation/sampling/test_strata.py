"""Tests of the strata of a sample."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikibias.errors import UsageError
from wikibias.research.annotation.samples import (
    PAPER_BINS,
    allocated,
    bin_name,
    bin_of,
    read_bins,
    stratum_name,
)


class TestReadBins:
    def test_gives_those_of_the_paper(self) -> None:
        bins = read_bins(PAPER_BINS)
        assert [each.name for each in bins] == ["1-2", "3-6", "7-15", "16-"]
        found = [bin_of(number, bins) for number in (1, 2, 3, 6, 7, 15, 16, 4000)]
        assert [each.name for each in found if each] == [
            "1-2", "1-2", "3-6", "3-6", "7-15", "7-15", "16-", "16-",
        ]  # fmt: skip

    def test_an_edit_may_be_in_none(self) -> None:
        bins = read_bins("1, 5-9")
        assert [bin_of(number, bins) for number in (None, 0, 2, 10)] == [None] * 4
        assert bins[0].name == "1"

    @pytest.mark.parametrize("text", ["", "a", "1-2,", "3-1", "0-2", "1-3,3-4", "1-,5-6", "-3"])
    def test_refuses_what_are_no_bins(self, text: str) -> None:
        with pytest.raises(UsageError, match="--bins"):
            read_bins(text)

    @given(st.text("0123456789-, a", max_size=20))
    def test_takes_or_refuses_whatever_is_typed(self, text: str) -> None:
        try:
            bins = read_bins(text)
        except UsageError:
            return
        assert read_bins(",".join(each.name for each in bins)) == bins
        for number in range(1, 40):
            assert sum(each.holds(number) for each in bins) <= 1


def test_a_stratum_is_named_after_what_parts_it() -> None:
    (one,) = read_bins("3-6")
    assert stratum_name(one, {"tag": "POV", "tier": "low"}) == "bin=3-6 tag=POV tier=low"
    assert bin_name("bin=3-6 tag=POV section") == "3-6"
    assert [bin_name(None), bin_name("tag=POV")] == [None, None]


class TestAllocated:
    def test_takes_as_many_of_each(self) -> None:
        assert allocated({"a": 90, "b": 80, "c": 70, "d": 60}, 100) == dict.fromkeys("abcd", 25)

    def test_what_a_small_one_lacks_the_others_give(self) -> None:
        assert allocated({"a": 3, "b": 80, "c": 10}, 30) == {"a": 3, "b": 17, "c": 10}

    def test_refuses_fewer_than_strata(self) -> None:
        with pytest.raises(UsageError, match="-n 1 is fewer than the 2 strata"):
            allocated({"a": 3, "b": 3}, 1)

    @given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(8, 500))
    def test_gives_all_that_is_wanted_or_there(self, sizes: list[int], wanted: int) -> None:
        named = {str(place): size for place, size in enumerate(sizes)}
        found = allocated(named, wanted)
        assert sum(found.values()) == min(wanted, sum(sizes))
        assert all(1 <= found[name] <= size for name, size in named.items())
        most = max(found.values())
        assert all(number >= most - 1 or number == named[name] for name, number in found.items())

"""Tests of drawing from strata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from wikibias.errors import UsageError
from wikibias.research.annotation.population import Removed
from wikibias.research.annotation.samples import PAPER_BINS, Drawn, draw, read_bins

BINS = read_bins(PAPER_BINS)


def population(sizes: dict[int, int]) -> Iterator[Removed]:
    """Yield so many sentences of edits that removed so many."""
    for removed, number in sizes.items():
        for place in range(number):
            row = {"sentence_id": f"w-{removed}-removed-{place}", "tier": "low", "tags": ["POV"]}
            yield Removed(0, row, removed)


def ids(drawn: Drawn) -> list[str]:
    """Return the sentences drawn, in order."""
    return [one.row["sentence_id"] for stratum in drawn.strata for one in stratum.drawn]


class TestDraw:
    def test_gives_each_bin_as_many_and_its_probability(self) -> None:
        found = draw(population({1: 50, 4: 100, 9: 200, 40: 400}), 100, BINS)
        assert [(each.name, len(each.drawn)) for each in found.strata] == [
            ("bin=1-2", 25),
            ("bin=3-6", 25),
            ("bin=7-15", 25),
            ("bin=16-", 25),
        ]
        assert [each.probability for each in found.strata] == [0.5, 0.25, 0.125, 0.0625]

    def test_parts_bins_by_more(self) -> None:
        found = draw(population({1: 5, 4: 5}), 4, BINS, ["tier", "tag"])
        assert [each.name for each in found.strata] == [
            "bin=1-2 tier=low tag=POV",
            "bin=3-6 tier=low tag=POV",
        ]

    def test_depends_on_the_seed_and_not_on_the_order(self) -> None:
        rows = list(population({1: 300, 4: 300}))
        assert ids(draw(rows, 60, BINS, seed=1)) == ids(draw(rows[::-1], 60, BINS, seed=1))
        assert ids(draw(rows, 60, BINS, seed=1)) != ids(draw(rows, 60, BINS, seed=2))

    def test_refuses_corpora_that_hold_the_same_sentence(self) -> None:
        rows = list(population({1: 9}))
        copies = [Removed(1, each.row, each.removed) for each in rows]
        with pytest.raises(UsageError, match="in two of the corpora"):
            draw([*rows, *copies], 6, BINS)

    def test_a_larger_sample_holds_the_smaller(self) -> None:
        rows = list(population({1: 300, 4: 300}))
        assert set(ids(draw(rows, 60, BINS))) < set(ids(draw(rows, 90, BINS)))

    def test_every_sentence_is_as_likely(self) -> None:
        rows = list(population({1: 20}))
        seen = Counter(name for seed in range(2000) for name in ids(draw(rows, 5, BINS, seed=seed)))
        # 500 each; a standard deviation is 19.4.
        assert len(seen) == 20
        assert all(abs(number - 500) < 85 for number in seen.values())

    def test_names_what_could_not_be_filled(self) -> None:
        found = draw(population({1: 3, 4: 90}), 40, read_bins("1-2,3-6,7-15"))
        assert [len(each.drawn) for each in found.strata] == [3, 37]
        assert found.empty == ("7-15",)

    def test_counts_what_lies_in_no_bin(self) -> None:
        assert draw(population({1: 3, 4: 90}), 2, read_bins("1-2")).outside == 90

    def test_refuses_bins_without_a_sentence(self) -> None:
        with pytest.raises(UsageError, match="widen --bins"):
            draw(population({1: 3}), 2, read_bins("5-"))

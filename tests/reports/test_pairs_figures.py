"""The figures of sentence pairs say in words what one sees."""

from __future__ import annotations

from collections import Counter

from wikibias.reports import pairs_figures
from wikibias.reports.pairs_statistics import PairCounts


def counts(**facts: Counter[int]) -> PairCounts:
    return PairCounts(**facts)  # type: ignore[arg-type]


def test_the_steps_of_a_harvest() -> None:
    drawn = pairs_figures.of_stages([("reverts", 75), ("poverty", 0), ("no pair", 3)], 100, "edit")
    assert drawn.title == "What is left of the edits"
    assert drawn.alt == "Of 100 edits, these steps take: reverts 75, no pair 3; 22 are left."
    assert "poverty" not in drawn.markup


def test_types_in_their_order() -> None:
    drawn = pairs_figures.of_types({"deletion": 4, "substitution": 1})
    assert drawn.alt == "1 substitutions, 4 deletions, 0 additions."


def test_spans_of_one_folder_are_numbers_and_of_several_shares() -> None:
    one, other = counts(spans=Counter({1: 3, 5: 1})), counts(spans=Counter({2: 500}))
    alone = pairs_figures.of_spans({"a": one})
    assert alone.alt == "1: 3, 2: 0, 3: 0, 4: 0, 5+: 1."
    both = pairs_figures.of_spans({"a": one, "b": other})
    assert both.title.endswith("in percent")
    assert both.alt == "a: 1 75 %, 5+ 25 %; b: 2 100 %."


def test_a_pair_without_any_edit_is_shown() -> None:
    assert pairs_figures.of_spans({"a": counts(spans=Counter({0: 2}))}).alt.startswith("0: 2, 1: 0")


def test_words_changed_are_grouped() -> None:
    assert pairs_figures.grouped(Counter({0: 1, 1: 2, 4: 3, 5: 4, 10: 5, 11: 6, 99: 7})) == [
        1, 2, 0, 0, 7, 5, 13,
    ]  # fmt: skip
    drawn = pairs_figures.of_changed_words(counts(out=Counter({1: 2}), into=Counter({0: 2})))
    assert "words taken out: 0 in 0, 1 in 2" in drawn.alt


def test_similarity_by_tens_and_years_without_gaps() -> None:
    assert pairs_figures.of_similarity(counts(similarity=Counter({9: 3}))).alt == (
        "3 from 90 to 100."
    )
    drawn = pairs_figures.of_years({"": counts(years=Counter({2004: 1, 2006: 2}))})
    assert drawn.alt == "2004: 1, 2005: 0, 2006: 2."


def test_nothing_can_be_drawn_as_well() -> None:
    empty = PairCounts()
    for drawn in (
        pairs_figures.of_types({}),
        pairs_figures.of_spans({"": empty}),
        pairs_figures.of_changed_words(empty),
        pairs_figures.of_similarity(empty),
        pairs_figures.of_years({"": empty}),
        pairs_figures.of_years({"a": empty, "b": empty}),
    ):
        assert drawn.markup.startswith("<svg ")

"""Runs of revisions that call a name, held against counting each revision."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from wikibias.curation.runs import Runs

NAMES = st.frozensets(st.sampled_from("abc"))


@given(st.lists(st.tuples(NAMES, st.integers(2001, 2003), st.integers(1, 3))))
def test_runs_add_up_to_the_count_of_each_revision(
    given: list[tuple[frozenset[str], int, int]],
) -> None:
    runs, expected = Runs(), Counter[tuple[str, int]]()
    for names, year, times in given:
        for _ in range(times):
            runs.add(names, year)
            expected.update((name, year) for name in names)
    assert runs.end() == expected

"""The assignment of the highest sum, against all that there are."""

from __future__ import annotations

import random
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from wikibias.edits.alignment import assign, best, greedy

Gains = dict[tuple[int, int], int]
GAINS = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), st.integers(1, 1000), max_size=20
)


def highest(gains: Gains) -> int:
    """Return the highest sum, by trying all permutations."""
    size = 1 + max((max(pair) for pair in gains), default=0)
    return max(
        sum(gains.get((row, column), 0) for row, column in enumerate(columns))
        for columns in permutations(range(size))
    )


def total(pairs: list[tuple[int, int]], gains: Gains) -> int:
    for side in (0, 1):
        assert len({pair[side] for pair in pairs}) == len(pairs)
    return sum(gains[pair] for pair in pairs)


@given(GAINS)
def test_the_sum_is_the_highest(gains: Gains) -> None:
    assert total(assign(gains), gains) == highest(gains)


@given(GAINS)
def test_a_greedy_choice_is_at_least_half_of_it(gains: Gains) -> None:
    assert 2 * total(greedy(gains), gains) >= highest(gains)


def test_a_greedy_choice_is_mostly_near_to_the_best() -> None:
    """Gains like those of sentences: one likely partner each, and a dozen others."""
    rng = random.Random(7)
    shares = []
    for _ in range(20):
        gains = {(n, rng.randrange(40)): rng.randint(1, 6000) for n in range(40) for _ in range(12)}
        gains |= {(n, n): rng.randint(3000, 10_000) for n in range(40)}
        shares.append(total(greedy(gains), gains) / total(best(gains), gains))
    assert min(shares) > 0.9
    assert sum(shares) / len(shares) > 0.96


def test_a_large_group_is_assigned_soon() -> None:
    gains = {(n, (n + step) % 5000): 1 + step * n % 97 for n in range(5000) for step in range(12)}
    assert len(assign(gains)) > 4500

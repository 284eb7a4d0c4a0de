"""Workers that share one part: results come in order, whoever made them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from wikibias.execution.pool import WorkerPool


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("count", [0, 3, 40])
def test_results_come_in_order(size: int, count: int) -> None:
    with WorkerPool(size) as pool:
        found = list(pool.in_order(math.factorial, range(count)))
    assert found == [(number, math.factorial(number)) for number in range(count)]


@pytest.mark.parametrize("size", [1, 2])
def test_items_are_not_all_taken_at_once(size: int) -> None:
    """A part does not fit into memory."""
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        while taken < 1000:
            taken += 1
            yield taken

    with WorkerPool(size) as pool:
        for number, (item, _) in enumerate(pool.in_order(abs, items()), start=1):
            assert item == number
            assert taken - number <= 2 * size + 1


def test_an_error_of_the_work_is_raised() -> None:
    with WorkerPool(2) as pool, pytest.raises(ValueError, match=r"negative|not defined"):
        list(pool.in_order(math.factorial, [1, 1, 1, 1, 1, -1]))

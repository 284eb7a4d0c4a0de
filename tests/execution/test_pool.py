"""Workers that share one part: results come in order, whoever made them."""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from wikibias.execution.pool import WorkerPool
from wikibias.execution.trace import Trace, places


def factorials(numbers: Sequence[int]) -> list[int]:
    return [math.factorial(number) for number in numbers]


def batches(count: int, of: int = 3) -> list[list[int]]:
    return [list(range(start, min(start + of, count))) for start in range(0, count, of)]


def lost(number: int) -> int:
    return -number


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("count", [0, 3, 40])
def test_results_come_in_order(size: int, count: int) -> None:
    with WorkerPool(size) as pool:
        found = list(pool.in_order(factorials, batches(count), lost))
    assert found == [(batch, factorials(batch)) for batch in batches(count)]


@pytest.mark.parametrize("size", [1, 2])
def test_items_are_not_all_taken_at_once(size: int) -> None:
    """A part does not fit into memory."""
    taken = 0

    def items() -> Iterator[list[int]]:
        nonlocal taken
        while taken < 1000:
            taken += 1
            yield [taken]

    with WorkerPool(size) as pool:
        for number, (batch, _) in enumerate(pool.in_order(factorials, items(), lost), start=1):
            assert batch == [number]
            assert taken <= number + 2 * size + 5
            if number == 50:
                break


def test_the_first_worker_gets_ready_before_there_is_work(tmp_path: Path) -> None:
    with WorkerPool(2) as pool:
        pool.start("os:mkdir", tmp_path / "prepared")
        until = time.monotonic() + 60
        while not (tmp_path / "prepared").exists() and time.monotonic() < until:
            time.sleep(0.01)
    assert (tmp_path / "prepared").exists()


def test_a_pool_of_one_prepares_nothing(tmp_path: Path) -> None:
    with WorkerPool(1) as pool:
        pool.start("os:mkdir", tmp_path / "prepared")
        assert list(pool.in_order(factorials, [[3]], lost)) == [([3], [6])]
    assert not (tmp_path / "prepared").exists()


def test_what_cannot_be_prepared_is_no_death() -> None:
    """The work itself says what is wrong."""
    with WorkerPool(2) as pool:
        pool.start("math:sqrt", -1)
        assert list(pool.in_order(factorials, [[3]], lost)) == [([3], [6])]


def whose(numbers: Sequence[float]) -> list[int]:
    """Take so many seconds for each, and say which process did it."""
    time.sleep(sum(numbers))
    return [os.getpid() for _ in numbers]


def test_another_worker_starts_only_where_this_process_would_wait() -> None:
    with WorkerPool(2) as pool:
        idle = [done for _, (done,) in pool.in_order(whose, [[0.0]] * 8, lambda _: 0)]
        busy = [done for _, (done,) in pool.in_order(whose, [[0.1]] * 40, lambda _: 0)]
    assert len(set(idle)) == 1
    assert len(set(busy)) == 2


def test_an_error_of_the_work_is_raised_here() -> None:
    with WorkerPool(2) as pool, pytest.raises(ValueError, match=r"negative|not defined"):
        list(pool.in_order(factorials, [[-1]] * 8, lost))


def deadly(numbers: Sequence[int]) -> list[int]:
    """End the process at 7 and at 31."""
    for number in numbers:
        if number in (7, 31):
            os.kill(os.getpid(), signal.SIGSEGV)
    return factorials(numbers)


@pytest.mark.parametrize("size", [2, 3])
def test_what_ends_its_process_costs_itself_only(size: int) -> None:
    with WorkerPool(size) as pool:
        found = list(pool.in_order(deadly, batches(45), lost))
    expected = {number: math.factorial(number) for number in range(45)} | {7: -7, 31: -31}
    assert found == [(batch, [expected[n] for n in batch]) for batch in batches(45)]


class KilledOnce:
    """Ends the process the first time that it comes to 7, as a person or the system may."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        if 7 in numbers and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return factorials(numbers)


def test_a_worker_that_is_killed_once_costs_nothing(tmp_path: Path) -> None:
    with WorkerPool(2) as pool:
        found = list(pool.in_order(KilledOnce(tmp_path / "mark"), batches(20), lost))
    assert found == [(batch, factorials(batch)) for batch in batches(20)]


def test_one_process_notes_each_item_and_passes_over_the_deadly(tmp_path: Path) -> None:
    path = tmp_path / ".p.trace"
    path.write_bytes(b"".join(b"detect item 2".ljust(64) for _ in range(2)))
    seen: list[str] = []

    def noting(numbers: Sequence[int]) -> list[int]:
        seen.append(places(path)[-1])
        return factorials(numbers)

    with Trace(path) as trace, WorkerPool(1, trace) as pool:
        trace.enter("detect")
        trace.at("page 1")
        found = list(pool.in_order(noting, [[3, 4], [5]], lost))
        assert places(path)[-1] == "detect page 1"
    assert found == [([3, 4], [6, -4]), ([5], [120])]
    assert seen == ["detect item 1", "detect item 3"]
    assert not path.exists()

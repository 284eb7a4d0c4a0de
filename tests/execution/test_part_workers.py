"""Worker processes with work of their own, some of which are killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wikibias.errors import WikibiasError
from wikibias.execution.pool import PartWorkers
from wikibias.execution.processes import processes_of


def nothing() -> None:
    """Begin."""


def killed(trace: Path, number: int) -> None:
    """Note that the work has begun, and be killed."""
    trace.write_text("begun")
    os.kill(os.getpid(), number)


@pytest.fixture
def workers() -> Iterator[PartWorkers]:
    """Workers that end with the test."""
    made = PartWorkers(nothing)
    yield made
    made.stop()


def test_a_worker_that_is_killed_takes_no_other_along(workers: PartWorkers, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    other = workers.submit(time.sleep, 3)
    ended = workers.submit(killed, trace, signal.SIGKILL)
    assert workers.has_died(ended, "a", trace)
    assert workers.killed == {"a"}
    assert other.result(60) is None
    assert not workers.has_died(other, "b", tmp_path / "none")
    assert len(workers.idle) == 1


def test_why_a_worker_ended_is_known_later_too(workers: PartWorkers, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    future = workers.submit(killed, trace, signal.SIGKILL)
    assert future.exception(60)
    time.sleep(1)
    assert workers.has_died(future, "a", trace)
    assert workers.killed == {"a"}


def test_a_crash_is_no_want_of_memory(workers: PartWorkers, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    assert workers.has_died(workers.submit(killed, trace, signal.SIGSEGV), "a", trace)
    assert workers.killed == set()


def test_a_worker_killed_while_it_waits_is_replaced(workers: PartWorkers, tmp_path: Path) -> None:
    future = workers.submit(os.getpid)
    number = future.result(60)
    assert not workers.has_died(future, "a", tmp_path / "none")
    (process,) = (process for worker in workers.idle for process in processes_of(worker))
    process.kill()
    process.join()
    time.sleep(0.3)
    assert workers.submit(os.getpid).result(60) != number


def test_workers_that_never_begin_are_not_started_for_ever(
    workers: PartWorkers, tmp_path: Path
) -> None:
    none = tmp_path / "none"
    for _ in range(2):
        assert workers.has_died(workers.submit(os._exit, 3), "a", none)
    with pytest.raises(WikibiasError, match=r"begin to work \(exit code 3\)"):
        workers.has_died(workers.submit(os._exit, 3), "a", none)

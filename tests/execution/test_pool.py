"""Workers that share one part: results come in order, whoever made them."""

import logging
import math
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from clusters import wait_for
from pool_work import deadly, factorials, killed, log, nothing, whose
from wikibias.errors import WikibiasError
from wikibias.execution import processes
from wikibias.execution.pool import PartWorkers, Trace, WorkerPool, places, trace_path
from wikibias.execution.processes import (
    connect,
    post,
    processes_of,
    progress_channel,
    shielded_from_interrupts,
    spawned,
    stop,
)


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
    with WorkerPool(1) as pool:
        pool.start("os:mkdir", tmp_path / "prepared")
        assert list(pool.in_order(factorials, [[3]], lost)) == [([3], [6])]
    assert not (tmp_path / "prepared").exists()
    with WorkerPool(2) as pool:
        pool.start("os:mkdir", tmp_path / "prepared")
        wait_for((tmp_path / "prepared").exists)


def test_what_cannot_be_prepared_is_no_death() -> None:
    """The work itself says what is wrong."""
    with WorkerPool(2) as pool:
        pool.start("math:sqrt", -1)
        assert list(pool.in_order(factorials, [[3]], lost)) == [([3], [6])]


def test_another_worker_starts_only_where_this_process_would_wait() -> None:
    with WorkerPool(2) as pool:
        idle = [done for _, (done,) in pool.in_order(whose, [[0.0]] * 8, lambda _: 0)]
        busy = [done for _, (done,) in pool.in_order(whose, [[0.1]] * 25, lambda _: 0)]
    assert len(set(idle)) == 1
    assert len(set(busy)) == 2


def test_an_error_of_the_work_is_raised_here() -> None:
    with WorkerPool(2) as pool, pytest.raises(ValueError, match=r"negative|not defined"):
        list(pool.in_order(factorials, [[-1]] * 8, lost))


def test_what_ends_its_process_costs_itself_only(tmp_path: Path) -> None:
    """A worker that is killed once, as by a person or the system, costs nothing."""
    with WorkerPool(3) as pool:
        found = list(pool.in_order(partial(deadly, tmp_path / "mark"), batches(45), lost))
    expected = {number: math.factorial(number) for number in range(45)} | {7: -7, 31: -31}
    assert found == [(batch, [expected[n] for n in batch]) for batch in batches(45)]


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


@pytest.fixture
def workers() -> Iterator[PartWorkers]:
    """Workers that end with the test."""
    made = PartWorkers(nothing)
    yield made
    made.stop()


def test_a_worker_that_is_killed_takes_no_other_along(workers: PartWorkers, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    other = workers.submit(time.sleep, 1)
    ended = workers.submit(killed, trace, signal.SIGKILL)
    assert ended.exception(60)
    time.sleep(0.5)  # why it ended is known later too
    assert workers.has_died(ended, "a", trace)
    assert workers.killed == {"a"}
    assert other.result(60) is None
    assert not workers.has_died(other, "b", tmp_path / "none")
    assert len(workers.idle) == 1


def test_a_worker_killed_while_it_waits_is_replaced(workers: PartWorkers, tmp_path: Path) -> None:
    future = workers.submit(os.getpid)
    number = future.result(60)
    assert not workers.has_died(future, "a", tmp_path / "none")
    (process,) = (process for worker in workers.idle for process in processes_of(worker))
    process.kill()
    process.join()
    time.sleep(0.3)
    assert workers.submit(os.getpid).result(60) != number


def test_workers_are_other_processes_which_stop_at_once_when_busy() -> None:
    executor = spawned(2)
    with shielded_from_interrupts():
        assert executor.submit(os.getpid).result(60) != os.getpid()
        busy = executor.submit(time.sleep, 600)
    while not busy.running():
        time.sleep(0.01)
    began = time.monotonic()
    stop(executor)
    assert time.monotonic() - began < 10


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system has no such masks")
def test_the_shield_ends_with_its_block() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    with shielded_from_interrupts():
        within = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    assert {signal.SIGINT, signal.SIGHUP} <= within
    assert signal.pthread_sigmask(signal.SIG_BLOCK, set()) == before


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system has no such masks")
@pytest.mark.parametrize("by_another_thread", [False, True])
def test_an_interrupt_waits_until_who_was_started_is_noted(by_another_thread: bool) -> None:
    def interrupt() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT} if by_another_thread else ())
        signal.raise_signal(signal.SIGINT)

    noted = []

    def start() -> None:
        with shielded_from_interrupts():
            if by_another_thread:
                other = threading.Thread(target=interrupt)
                other.start()
                other.join()
            else:
                interrupt()
            noted.append("a worker")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
    finally:
        signal.signal(signal.SIGINT, before)
    assert noted


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system cannot stop a process")
def test_a_process_that_is_stopped_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes no notice of a request, and would stay for ever."""
    monkeypatch.setattr(processes, "_PATIENCE", 0.5)
    executor = spawned(1)
    number = executor.submit(os.getpid).result(60)
    os.kill(number, signal.SIGSTOP)
    stop(executor)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


Posted = tuple[str, str, int, int, int]


@pytest.fixture(autouse=True)
def _unconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test connects in this process is forgotten after it."""
    monkeypatch.setattr(processes, "_channel", None)
    monkeypatch.setattr(processes, "_last_posted", ("", "", 0.0))


def test_a_worker_in_this_process_reports_at_once() -> None:
    seen: list[Posted] = []
    post("a.xml", "detect", 10, 1, 0)  # nobody need listen
    with progress_channel(lambda *posted: seen.append(posted), inline=True) as channel:
        connect(channel, logging.INFO)
        post("a.xml", "detect", 10, 1, 0)
        post("a.xml", "detect", 11, 1, 0)
        post("a.xml", "diff", 0, 0, 0)
    # The second came too soon to be shown.
    assert seen == [("a.xml", "detect", 10, 1, 0), ("a.xml", "diff", 0, 0, 0)]


def test_another_process_reports_and_logs_by_the_channel(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, processes.ROOT)
    seen: list[Posted] = []
    with progress_channel(lambda *posted: seen.append(posted), inline=False) as channel:
        executor = spawned(1, connect, channel, processes.level())
        executor.submit(post, "a.xml", "detect", 10, 1, 2).result(60)
        for level in (logging.DEBUG, logging.INFO, logging.ERROR):
            executor.submit(log, level).result(60)
        executor.shutdown()
        stop(executor)
    assert seen == [("a.xml", "detect", 10, 1, 2)]
    assert [(each.name, each.levelname, each.message) for each in caplog.records] == [
        ("wikibias.somewhere", "INFO", "a thing is odd"),
        ("wikibias.somewhere", "ERROR", "a thing is odd"),
    ]


def test_a_message_that_nobody_here_wants_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, processes.ROOT)
    record = logging.makeLogRecord({"name": "wikibias.x", "levelno": logging.INFO, "msg": "x"})
    processes.take(record)
    assert caplog.records == []


def attempts(path: Path, ended: Sequence[str]) -> None:
    """Leave the trace of attempts that ended at these places."""
    path.write_bytes(b"".join(place.ljust(64).encode() for place in ended))


def test_what_ended_two_attempts_is_passed_over_in_its_stage(tmp_path: Path) -> None:
    path = trace_path(tmp_path, "a.xml")
    attempts(path, ["detect item 3", "detect page 1", "detect item 3", "detect item 4"])
    with Trace(path) as trace:
        trace.enter("detect")
        assert [trace.at(f"item {n}") for n in (2, 3, 4)] == [True, False, True]
        trace.enter("diff")
        assert trace.at("item 3")


@pytest.mark.parametrize(
    "ended",
    [["detect page 1"] * 3, ["filter"] * 2, [""] * 2, [f"detect item {n}" for n in range(24)]],
    ids=["passed over in vain", "no item", "before the work", "too many"],
)
def test_it_gives_up_where_nothing_helps(ended: list[str], tmp_path: Path) -> None:
    path = trace_path(tmp_path, "a.xml")
    attempts(path, ended)
    with pytest.raises(WikibiasError, match=f"ended {len(ended)} times"):
        Trace(path)
    assert not path.exists()


def test_where_it_cannot_write_the_work_goes_on(tmp_path: Path) -> None:
    with Trace(tmp_path / "gone" / "x") as trace:
        assert trace.at("item 1")

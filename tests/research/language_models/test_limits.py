"""How workers keep to what a server bears."""

from __future__ import annotations

import time
from threading import Barrier, Lock, Thread

from wikibias.research.language_models.openai_server import Limits


class Counted:
    """Counts how many work at once."""

    def __init__(self, limits: Limits, workers: int) -> None:
        self.now = self.most = 0
        self.limits, self.lock = limits, Lock()
        self.threads = [Thread(target=self.work) for _ in range(workers)]

    def work(self) -> None:
        for _ in range(3):
            with self.limits.turn():
                with self.lock:
                    self.now += 1
                    self.most = max(self.most, self.now)
                time.sleep(0.01)
                with self.lock:
                    self.now -= 1

    def run(self) -> int:
        for thread in self.threads:
            thread.start()
        for thread in self.threads:
            thread.join()
        return self.most


def test_no_more_ask_at_once_than_allowed() -> None:
    assert Counted(Limits(2), 6).run() <= 2


def test_all_that_are_allowed_may_ask_at_once() -> None:
    limits, together = Limits(3), Barrier(3, timeout=5)

    def work() -> None:
        with limits.turn():
            together.wait()  # would break if only two were let through

    threads = [Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not together.broken


def test_a_refusal_stops_everybody_for_as_long_as_the_server_asks() -> None:
    limits = Limits(4, first=0.001)
    assert limits.refused(1, asked=0.3) == 0.3
    began = time.monotonic()
    with limits.turn():
        assert time.monotonic() - began >= 0.25


def test_refusals_leave_one_at_work_and_answers_let_more_through() -> None:
    limits = Limits(8, first=0.001)
    for _ in range(10):
        limits.refused(1)
    assert Counted(limits, 4).run() == 1
    for _ in range(100):
        limits.answered()
    assert 1 < Counted(limits, 4).run() <= 4


def test_waits_grow_and_end_at_a_minute() -> None:
    limits = Limits(1, first=0.5)
    waits = [limits.backoff(tries) for tries in range(1, 12)]
    assert all(0.5 * 2**number <= wait or wait >= 60 for number, wait in enumerate(waits))
    assert 60 <= waits[-1] <= 75


def test_waits_are_the_same_each_time() -> None:
    assert Limits(1).backoff(3) == Limits(1).backoff(3)

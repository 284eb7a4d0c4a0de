"""An engine whose workers work in virtual time: real tasks, real outputs, no waiting.

It takes what `wikibias.pipeline.dispatch` submits, as the engines for clusters do. A worker takes
the next task when it is free; "doing" a part is laying the outputs of a part done before into the
result folder, and moving the clock on. A worker may be lost: then its task fails as with a killed
process, the dispatcher asks for the part again, and another worker begins it from its start.
"""

from __future__ import annotations

import os
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Any

from wikibias.config.registry import Registry
from wikibias.execution import engines
from wikibias.execution.trace import remove

ENGINE = "virtual"
# A record of a trace, as a worker that is lost leaves it.
_RECORD = 64
# Seconds of real time in which the dispatcher asks for a lost part again.
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Losses:
    """How workers are lost: hours of life on the average (0: for ever), seconds until replaced."""

    mean_hours: float = 0.0
    replaced_after: float = 20.0
    seed: int = 0


@dataclass(slots=True)
class Record:
    """What happened: the makespan, the seconds worked and lost, and how many workers were lost.

    `begun` and `done` tell how often each part was.
    """

    makespan: float = 0.0
    worked: float = 0.0
    lost: float = 0.0
    losses: int = 0
    begun: dict[str, int] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)


class VirtualCluster(Executor):
    """Workers in virtual time.

    Args:
        workers: their number.
        seconds: that each part takes.
        outputs: files to lay into the result folder, by folder: that of a part done before.
        losses: how workers are lost.
    """

    def __init__(
        self,
        workers: int,
        seconds: Mapping[str, float],
        outputs: Sequence[Path],
        losses: Losses,
    ) -> None:
        self.record = Record()
        self._seconds, self._outputs, self._losses = seconds, outputs, losses
        self._rng = random.Random(losses.seed)
        self._now = 0.0
        # Of those without work: the number, and when it will be lost.
        self._free = [(number, self._life()) for number in range(workers)]
        heapify(self._free)
        # What will happen: when, a number to keep the order, and what to do then.
        self._ends: list[tuple[float, int, Callable[[], None]]] = []
        self._waiting: deque[tuple[Any, Future[Any]]] = deque()
        self._missing, self._number = len(seconds), 0
        self._changed = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Take a task; one that was begun before goes first."""
        future: Future[Any] = Future()
        with self._changed:
            task = args[0]
            if task.part.name in self.record.begun:
                self._waiting.appendleft((task, future))
            else:
                self._waiting.append((task, future))
            self._missing -= 1
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the thread that moves the clock."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if wait:
            self._thread.join()

    def _life(self) -> float:
        mean = self._losses.mean_hours * 3600
        return self._rng.expovariate(1 / mean) if mean else float("inf")

    def _run(self) -> None:
        while True:
            with self._changed:
                # The clock stands still until all that is to be done is known.
                known = lambda: self._missing <= 0 or self._stopped  # noqa: E731
                if not self._changed.wait_for(known, _PATIENCE):
                    self._missing = 0
                if self._stopped:
                    return
                while self._waiting and self._free:
                    self._begin(*self._waiting.popleft())
                if not self._ends:
                    self._missing = 1
                    continue
            self._now, _, end = heappop(self._ends)
            end()

    def _at(self, time: float, what: Callable[[], None]) -> None:
        self._number += 1
        heappush(self._ends, (time, self._number, what))

    def _begin(self, task: Any, future: Future[Any]) -> None:
        name = task.part.name
        number, dies = heappop(self._free)
        # It was lost and replaced while it had nothing to do.
        while dies <= self._now:
            dies += self._losses.replaced_after + self._life()
        self.record.begun[name] = self.record.begun.get(name, 0) + 1
        began, ends = self._now, self._now + self._seconds[name]
        if dies < ends:
            self._at(dies, lambda: self._lose(task, future, dies - began, number))
        else:
            self._at(ends, lambda: self._finish(task, future, number, dies))

    def _finish(self, task: Any, future: Future[Any], number: int, dies: float) -> None:
        name = task.part.name
        for made in self._outputs:
            target = task.folder / made.parent.name / f"{name}.parquet"
            target.parent.mkdir(exist_ok=True)
            os.link(made, target)
        remove(task.trace)
        heappush(self._free, (number, dies))
        record = self.record
        record.done[name] = record.done.get(name, 0) + 1
        record.worked += self._seconds[name]
        record.makespan = self._now
        future.set_result(None)

    def _lose(self, task: Any, future: Future[Any], worked: float, number: int) -> None:
        with task.trace.open("ab") as trace:
            page = self._rng.randrange(10**9)
            trace.write(f"detect page {page}".ljust(_RECORD).encode())
        dies = self._now + self._losses.replaced_after + self._life()
        self._at(
            self._now + self._losses.replaced_after, lambda: heappush(self._free, (number, dies))
        )
        self.record.losses += 1
        self.record.lost += worked
        self._missing += 1
        future.set_exception(BrokenExecutor("the worker is lost"))


@contextmanager
def registered(cluster: Callable[[int], VirtualCluster]) -> Iterator[None]:
    """Let `--engine virtual` be a cluster that is made for a number of workers."""
    before = engines.ELSEWHERE

    @contextmanager
    def engine(workers: int, folder: Path, scheduler: str | None) -> Iterator[Executor]:
        made = cluster(workers)
        try:
            yield made
        finally:
            made.shutdown()

    engines.ELSEWHERE = Registry("engine", "wikibias.engines", {ENGINE: engine})
    try:
        yield
    finally:
        engines.ELSEWHERE = before

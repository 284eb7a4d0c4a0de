"""Worker processes of this machine, each with its own work: one that ends takes no other along."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

from wikibias.errors import WikibiasError
from wikibias.execution.processes import processes_of, shielded_from_interrupts, spawned, stop
from wikibias.execution.trace import places

# A worker that ends so often on one part is not started again for it.
_MOST_DEATHS = 30
_MOST_FALSE_STARTS = 3
# What the system does where memory is short; Windows has no such signal.
_SIGKILL = getattr(signal, "SIGKILL", 9)


class PartWorkers:
    """Worker processes, started where there is work for them; each calls `start` first.

    `idle` are those without work. `killed` names the parts whose worker was killed, as it is where
    memory is short.
    """

    def __init__(self, start: Callable[..., None], *arguments: Any) -> None:
        self.idle: list[Executor] = []
        self.killed: set[str] = set()
        self._start, self._arguments = start, arguments
        self._busy: dict[Future[Any], tuple[Executor, list[Any]]] = {}
        self._deaths: Counter[str] = Counter()
        self._false_starts = 0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Give work to a worker that has none."""
        while True:
            worker = self.idle.pop() if self.idle else spawned(1, self._start, *self._arguments)
            try:
                with shielded_from_interrupts():
                    future = worker.submit(function, *arguments)
            except BrokenExecutor:
                # It was killed while it had nothing to do.
                stop(worker)
                continue
            # An executor forgets its processes when one of them ends.
            self._busy[future] = worker, processes_of(worker)
            return future

    def has_died(self, future: Future[Any], part: str, trace: Path) -> bool:
        """Return whether work that is done is to be done again, because its worker has ended.

        Args:
            future: of the work.
            part: its name.
            trace: where a worker notes what it is at, once it has begun.

        Raises:
            WikibiasError: workers end before they begin to work.
        """
        worker, processes = self._busy.pop(future)
        error = future.exception()
        if not isinstance(error, BrokenExecutor):
            self.idle.append(worker)
            self._false_starts = 0
            return False
        # Waits for the executor's thread, which reads the exit code.
        worker.shutdown()
        code = processes[0].exitcode if processes else None
        if code == -_SIGKILL:
            self.killed.add(part)
        self._deaths[part] += 1
        self._false_starts += not places(trace)
        if self._false_starts >= _MOST_FALSE_STARTS:
            raise WikibiasError(
                f"worker processes end before they begin to work (exit code {code}); "
                "try --workers 1"
            ) from error
        return self._deaths[part] < _MOST_DEATHS

    def stop(self) -> None:
        """End all of them at once."""
        stop(*self.idle, *(worker for worker, _ in self._busy.values()))

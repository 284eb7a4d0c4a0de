"""A pool of worker processes that share the work on one part."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

from wikibias.execution.processes import T, local, shielded_from_interrupts, stop

R = TypeVar("R")
# This process does so many items itself: starting workers takes as long.
_ALONE = 4


class WorkerPool:
    """Worker processes of this machine that share the work on one part.

    The pool starts them only when there is more work than this process does sooner by itself. A
    pool of size 1 is this process.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._executor: Executor | None = None

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *error: object) -> None:
        if self._executor is not None:
            stop(self._executor)

    def in_order(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield each item with the result of `function`, in order.

        Takes items ahead of those that it yields, as many as keep the workers busy.
        """
        waiting: deque[tuple[T, Future[R]]] = deque()
        for number, item in enumerate(items):
            if self.size == 1 or number < _ALONE:
                yield item, function(item)
                continue
            waiting.append((item, self._submit(function, item)))
            if len(waiting) > 2 * self.size:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()

    def _submit(self, function: Callable[[T], R], item: T) -> Future[R]:
        if self._executor is None:
            self._executor = local(self.size)
        with shielded_from_interrupts():
            return self._executor.submit(function, item)

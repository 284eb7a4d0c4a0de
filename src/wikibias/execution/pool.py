"""A pool of worker processes that share the work on one part."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TypeVar

from wikibias.errors import WikibiasError
from wikibias.execution.processes import shielded_from_interrupts, spawned, stop
from wikibias.execution.trace import Trace

T = TypeVar("T")
R = TypeVar("R")
Batch = tuple[Sequence[T], Sequence[R]]
# So many batches one worker does alone: starting more takes as long.
_ALONE = 4
_TWICE = 2


class WorkerPool:
    """Worker processes of this machine that share the work on one part.

    The pool starts them only when there is work for them. A pool of size 1 is this process, whose
    `trace` says what it is at.
    """

    def __init__(self, size: int, trace: Trace | None = None) -> None:
        self.size = size
        self.trace = trace or Trace(None)
        self._executor: Executor | None = None

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()

    def in_order(
        self,
        function: Callable[[Sequence[T]], Sequence[R]],
        batches: Iterable[Sequence[T]],
        lost: Callable[[T], R],
    ) -> Iterator[Batch[T, R]]:
        """Yield each batch of items with the results of `function`, in order.

        Takes batches ahead of those that it yields, as many as keep the workers busy. An item
        whose work ends its process twice gets the result `lost`; the others are done again.
        """
        if self.size == 1:
            yield from self._here(function, batches, lost)
            return
        waiting: deque[tuple[Sequence[T], Future[Sequence[R]]]] = deque()
        for number, batch in enumerate(batches):
            waiting.append((batch, self._submit(function, batch)))
            while len(waiting) > (2 * self.size if number >= _ALONE else 0):
                yield self._first(function, waiting, lost)
        while waiting:
            yield self._first(function, waiting, lost)

    def _here(
        self,
        function: Callable[[Sequence[T]], Sequence[R]],
        batches: Iterable[Sequence[T]],
        lost: Callable[[T], R],
    ) -> Iterator[Batch[T, R]]:
        """Do the work in this process, item by item where its death is traced."""
        number, trace = 0, self.trace
        for batch in batches:
            if not trace.is_on:
                yield batch, function(batch)
                continue
            page, results = trace.place, list[R]()
            for item in batch:
                number += 1
                done = function([item]) if trace.at(f"item {number}") else [lost(item)]
                results += done
            trace.at(page)
            yield batch, results

    def _first(
        self,
        function: Callable[[Sequence[T]], Sequence[R]],
        waiting: deque[tuple[Sequence[T], Future[Sequence[R]]]],
        lost: Callable[[T], R],
    ) -> Batch[T, R]:
        """Return the first of the batches that wait; after a death, do all that wait again."""
        batch, future = waiting[0]
        try:
            results = future.result()
        except BrokenExecutor:
            self._redo(function, waiting, lost)
            return self._first(function, waiting, lost)
        waiting.popleft()
        return batch, results

    def _redo(
        self,
        function: Callable[[Sequence[T]], Sequence[R]],
        waiting: deque[tuple[Sequence[T], Future[Sequence[R]]]],
        lost: Callable[[T], R],
    ) -> None:
        """Do again what a death has undone, item by item in one process, to find what caused it."""
        undone = [isinstance(future.exception(), BrokenExecutor) for _, future in waiting]
        self._stop()
        for place, (batch, _) in enumerate(waiting):
            if undone[place]:
                again: Future[Sequence[R]] = Future()
                try:
                    again.set_result([self._alone(function, item, lost) for item in batch])
                except Exception as error:
                    again.set_exception(error)
                waiting[place] = (batch, again)
        self._stop()

    def _alone(
        self, function: Callable[[Sequence[T]], Sequence[R]], item: T, lost: Callable[[T], R]
    ) -> R:
        for _ in range(_TWICE):
            if self._executor is None:
                self._executor = _living()
            try:
                (result,) = self._submit(function, [item]).result()
            except BrokenExecutor:
                self._stop()
            else:
                return result
        return lost(item)

    def _submit(
        self, function: Callable[[Sequence[T]], Sequence[R]], batch: Sequence[T]
    ) -> Future[Sequence[R]]:
        if self._executor is None:
            self._executor = spawned(self.size)
        try:
            with shielded_from_interrupts():
                return self._executor.submit(function, batch)
        except BrokenExecutor as error:
            broken: Future[Sequence[R]] = Future()
            broken.set_exception(error)
            return broken

    def _stop(self) -> None:
        if self._executor is not None:
            stop(self._executor)
            self._executor = None


def _living() -> Executor:
    """Return an executor of one process, which has been seen to live.

    Raises:
        WikibiasError: it ends by itself, so that no item can be blamed.
    """
    executor = spawned(1)
    try:
        with shielded_from_interrupts():
            executor.submit(os.getpid).result()
    except BrokenExecutor as error:
        stop(executor)
        raise WikibiasError(
            "worker processes end as soon as they start; try --workers 1"
        ) from error
    return executor

"""Where the work on the parts is done: a name to a concurrent.futures.Executor.

An engine of other machines is a function of the number of workers, the number of jobs, the result
folder and the scheduler's address, which gives an Executor while a `with` block lasts.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from wikibias import cluster
from wikibias.errors import UsageError

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

LOCAL = "local"
ELSEWHERE: dict[str, Callable[[int, int, Path, str | None], AbstractContextManager[Executor]]] = {
    "dask": cluster.dask,
    "slurm": cluster.slurm,
}
NAMES = (LOCAL, *ELSEWHERE)
# So many things are done before others are started, which takes as long.
_ALONE = 4


def elsewhere(
    name: str, workers: int, jobs: int, folder: Path, scheduler: str | None
) -> AbstractContextManager[Executor]:
    """Return the executor of an engine of other machines, to be used in a `with` statement.

    Raises:
        UsageError: what it needs is not installed, or not there.
    """
    return ELSEWHERE[name](workers, jobs, folder, scheduler)


def check(name: str, scheduler: str | None) -> None:
    """Make sure that a scheduler is named only where one is used.

    Raises:
        UsageError: it is not used.
    """
    if scheduler is not None and name != "dask":
        raise UsageError("--scheduler is for --engine dask; add that, or leave it out")


class InlineExecutor(Executor):
    """Does each call at once, in this process: quickest for one worker, easiest to debug."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call `fn` now. An interrupt is not caught: it ends the run."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Crew:
    """Some processes of this machine that share the work on one part.

    They are started once there is more work than this process does sooner by itself. A crew of
    one is this process.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._executor: Executor | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *error: object) -> None:
        if self._executor is not None:
            stop(self._executor)

    def in_order(self, function: Callable[[T], R], things: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield each thing and what `function` makes of it, in order.

        Takes things ahead of what it yields, as many as keep the crew busy.
        """
        waiting: deque[tuple[T, Future[R]]] = deque()
        for number, thing in enumerate(things):
            if self.size == 1 or number < _ALONE:
                yield thing, function(thing)
                continue
            waiting.append((thing, self._submit(function, thing)))
            if len(waiting) > 2 * self.size:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()

    def _submit(self, function: Callable[[T], R], thing: T) -> Future[R]:
        if self._executor is None:
            self._executor = local(self.size)
        with workers_spared_interrupts():
            return self._executor.submit(function, thing)


def local(workers: int, start: Callable[..., None] | None = None, *arguments: Any) -> Executor:
    """Return an executor of `workers` processes on this machine; each calls `start` first.

    One worker is this process itself. Workers end by themselves when this process is killed.
    """
    if workers == 1:
        if start is not None:
            start(*arguments)
        return InlineExecutor()
    with workers_spared_interrupts():
        return ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(os.getpid(), start, arguments),
        )


@contextmanager
def workers_spared_interrupts() -> Iterator[None]:
    """Start worker processes that Ctrl-C does not reach, nor the closing of the terminal.

    The one that started them stops them. With the first of them, or of what they share, Python
    starts a process that keeps account of it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def stop(executor: Executor) -> None:
    """Stop an executor and its processes at once, whatever they are doing; no harm when idle."""
    processes = list((getattr(executor, "_processes", None) or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(5)


def _begin(parent: int, start: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if start is not None:
        start(*arguments)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)

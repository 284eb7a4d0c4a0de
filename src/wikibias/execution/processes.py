"""Starts worker processes on this machine, shields them from interrupts, and stops them."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor

# Seconds to wait for a process that was told to end.
_PATIENCE = 5.0


def spawned(workers: int, start: Callable[..., None] | None = None, *arguments: Any) -> Executor:
    """Return an executor of `workers` processes on this machine; each calls `start` first.

    They end by themselves when this process is killed.
    """
    # 20 ms, which a run with one worker need not wait for.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    with shielded_from_interrupts():
        return ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(os.getpid(), start, arguments),
        )


@contextmanager
def shielded_from_interrupts() -> Iterator[None]:
    """Start worker processes that neither Ctrl-C nor a closed terminal reaches.

    Whoever started them stops them. Start what they share here too: with it, Python starts a
    process that tracks shared resources.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def stop(*executors: Executor) -> None:
    """Stop executors and their processes at once, busy or idle, or stopped by a signal."""
    processes = [process for executor in executors for process in processes_of(executor)]
    for executor in executors:
        executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + _PATIENCE
    for process in processes:
        process.join(max(0.0, deadline - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join(_PATIENCE)


def processes_of(executor: Executor) -> list[Any]:
    """Return the processes of an executor, of which those that ended know their exit code."""
    return list((getattr(executor, "_processes", None) or {}).values())


def _begin(parent: int, start: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if start is not None:
        start(*arguments)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)

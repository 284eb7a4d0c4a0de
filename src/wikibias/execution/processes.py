"""Processes of this machine, and what they tell the one that began them: log lines and progress."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
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


ROOT = "wikibias"


def level() -> int:
    """Return the level from which on somebody here listens; to be given to the workers."""
    return logging.getLogger(ROOT).getEffectiveLevel()


def take(record: logging.LogRecord) -> None:
    """Handle a message of a worker as one of this process."""
    logger = logging.getLogger(record.name)
    if logger.isEnabledFor(record.levelno):
        logger.handle(record)


# A part's name and stage, and how far it is: bytes read, pages read, and transitions or templates
# found.
ProgressCallback = Callable[[str, str, int, int, int], None]
_PAUSE = 0.1
# Where a worker sends its progress: set once in each worker process by `connect`.
_channel: Callable[[tuple[str, str, int, int, int]], Any] | None = None
_last_posted = ("", "", 0.0)


@contextmanager
def progress_channel(report: ProgressCallback, *, inline: bool) -> Iterator[Any]:
    """Give a channel for `connect`; `report` is called in this process for what comes through it.

    With `inline` the workers are this process too, and `report` is called at once; else in a
    thread.
    """
    if inline:
        yield lambda progress: report(*progress)
        return
    from multiprocessing import get_context  # noqa: PLC0415 (10 ms, as in `processes.spawned`)

    with shielded_from_interrupts():
        queue: Any = get_context("spawn").Queue()

    def listen() -> None:
        while (sent := queue.get()) is not None:
            if type(sent) is tuple:
                report(*sent)
            else:
                take(sent)

    listener = Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield queue
    finally:
        queue.put(None)
        listener.join(5)
        queue.close()
        # A worker that was stopped while it wrote locks the queue for ever. Otherwise the queue's
        # thread must end before this process does, or Python warns of leaked semaphores.
        if listener.is_alive():
            queue.cancel_join_thread()
        else:
            queue.join_thread()


def connect(channel: Any, least: int) -> None:
    """Tell a worker process where to send its progress, once, before it works.

    Its log messages go there too, from the level `least` on.
    """
    global _channel  # noqa: PLW0603 (a process pool has no other place for it)
    _channel = channel if callable(channel) else channel.put
    if not callable(channel):
        from logging.handlers import QueueHandler  # noqa: PLC0415 (no need with one worker)

        logger = logging.getLogger(ROOT)
        logger.handlers = [QueueHandler(channel)]
        logger.setLevel(least)
        logger.propagate = False


def post(part: str, stage: str, done: int, pages: int, found: int) -> None:
    """Send how far a part is, at most ten times a second for each stage."""
    global _last_posted  # noqa: PLW0603 (as above)
    now = time.monotonic()
    again = (part, stage) == _last_posted[:2] and now - _last_posted[2] < _PAUSE
    if _channel is not None and not again:
        _last_posted = (part, stage, now)
        _channel((part, stage, done, pages, found))


def no_progress(part: str, stage: str, done: int, pages: int, found: int) -> None:
    """Show nothing of the progress."""

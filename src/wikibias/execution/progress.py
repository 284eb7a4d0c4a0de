"""Sends the progress of parts from worker processes to the process that shows it.

Their log messages take the same way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from wikibias.execution import worker_log
from wikibias.execution.processes import shielded_from_interrupts

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
                worker_log.take(sent)

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
        worker_log.forward(channel.put, least)


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

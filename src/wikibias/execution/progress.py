"""Progress of the parts, from worker processes to the one that shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from threading import Thread
from typing import Any

from wikibias.execution.processes import shielded_from_interrupts

# What a part has done so far: its name, the stage it is in, bytes read, pages, and how many of
# what is looked for (transitions, templates).
ProgressCallback = Callable[[str, str, int, int, int], None]
_PAUSE = 0.1
# How a worker tells what it has done: set once in each worker process by `begin`.
_channel: Callable[[tuple[str, str, int, int, int]], Any] | None = None
_last_told = ("", "", 0.0)


@contextmanager
def progress_channel(report: ProgressCallback, *, inline: bool) -> Iterator[Any]:
    """Give the channel that workers are begun with, so that `report` is called in this process.

    With `inline` the work is done in this process too, and `report` is called at once; else in a
    thread.
    """
    if inline:
        yield lambda news: report(*news)
        return
    with shielded_from_interrupts():
        queue: Any = get_context("spawn").Queue()

    def listen() -> None:
        while (news := queue.get()) is not None:
            report(*news)

    listener = Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield queue
    finally:
        queue.put(None)
        listener.join(5)
        queue.close()
        # A worker that was stopped while it wrote holds the queue for ever. Otherwise its thread
        # must end before this process does, or Python tells of semaphores that are left.
        if listener.is_alive():
            queue.cancel_join_thread()
        else:
            queue.join_thread()


def connect(channel: Any) -> None:
    """Tell a worker where its news go, once, before it works."""
    global _channel  # noqa: PLW0603 (a process pool has no other place for it)
    _channel = channel if callable(channel) else channel.put


def post(part: str, stage: str, done: int, pages: int, found: int) -> None:
    """Tell how far a part is, unless the same stage of it was told of a tenth of a second ago."""
    global _last_told  # noqa: PLW0603 (as above)
    now = time.monotonic()
    again = (part, stage) == _last_told[:2] and now - _last_told[2] < _PAUSE
    if _channel is not None and not again:
        _last_told = (part, stage, now)
        _channel((part, stage, done, pages, found))


def no_progress(part: str, stage: str, done: int, pages: int, found: int) -> None:
    """Show nothing of the progress."""

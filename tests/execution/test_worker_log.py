"""What workers log reaches whoever listens to the process that started them."""

from __future__ import annotations

import logging
import pickle

import pytest

from wikibias.execution import processes
from wikibias.execution.processes import connect, progress_channel, spawned, stop


class Odd:
    """Cannot be pickled, and says so much."""

    def __reduce__(self) -> str:
        raise pickle.PicklingError

    def __str__(self) -> str:
        return "odd"


def log(level: int) -> None:
    """Log in a worker process."""
    logging.getLogger("wikibias.somewhere").log(level, "a thing is %s", Odd())


def test_from_another_process(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, processes.ROOT)
    with progress_channel(lambda *posted: None, inline=False) as channel:
        executor = spawned(1, connect, channel, processes.level())
        for level in (logging.DEBUG, logging.INFO, logging.ERROR):
            executor.submit(log, level).result(60)
        executor.shutdown()
        stop(executor)
    assert [(each.name, each.levelname, each.message) for each in caplog.records] == [
        ("wikibias.somewhere", "INFO", "a thing is odd"),
        ("wikibias.somewhere", "ERROR", "a thing is odd"),
    ]


def test_a_message_that_nobody_here_wants_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, processes.ROOT)
    record = logging.makeLogRecord({"name": "wikibias.x", "levelno": logging.INFO, "msg": "x"})
    processes.take(record)
    assert caplog.records == []

"""Progress comes from the workers to the process that shows it."""

from __future__ import annotations

import logging

import pytest

from wikibias.execution import processes
from wikibias.execution.processes import connect, post, progress_channel, spawned, stop

Posted = tuple[str, str, int, int, int]


@pytest.fixture(autouse=True)
def _unconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test connects in this process is forgotten after it."""
    monkeypatch.setattr(processes, "_channel", None)
    monkeypatch.setattr(processes, "_last_posted", ("", "", 0.0))


def test_a_worker_in_this_process_reports_at_once() -> None:
    seen: list[Posted] = []
    with progress_channel(lambda *posted: seen.append(posted), inline=True) as channel:
        connect(channel, logging.INFO)
        post("a.xml", "detect", 10, 1, 0)
        post("a.xml", "detect", 11, 1, 0)
        post("a.xml", "diff", 0, 0, 0)
    # The second came too soon to be shown.
    assert seen == [("a.xml", "detect", 10, 1, 0), ("a.xml", "diff", 0, 0, 0)]


def test_another_process_reports_through_the_channel() -> None:
    seen: list[Posted] = []
    with progress_channel(lambda *posted: seen.append(posted), inline=False) as channel:
        executor = spawned(2, connect, channel, logging.INFO)
        executor.submit(post, "a.xml", "detect", 10, 1, 2).result(60)
        executor.shutdown()
        stop(executor)
    assert seen == [("a.xml", "detect", 10, 1, 2)]


def test_nobody_need_listen() -> None:
    post("a.xml", "detect", 10, 1, 0)

"""Worker processes: started, shielded from interrupts, and stopped."""

from __future__ import annotations

import os
import signal
import time

import pytest

from wikibias.execution import processes
from wikibias.execution.processes import shielded_from_interrupts, spawned, stop


def test_workers_are_other_processes_which_stop_at_once_when_busy() -> None:
    executor = spawned(2)
    with shielded_from_interrupts():
        assert executor.submit(os.getpid).result(60) != os.getpid()
        busy = executor.submit(time.sleep, 600)
    while not busy.running():
        time.sleep(0.01)
    began = time.monotonic()
    stop(executor)
    assert time.monotonic() - began < 10


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system has no such masks")
def test_the_shield_ends_with_its_block() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    with shielded_from_interrupts():
        within = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    assert {signal.SIGINT, signal.SIGHUP} <= within
    assert signal.pthread_sigmask(signal.SIG_BLOCK, set()) == before


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system cannot stop a process")
def test_a_process_that_is_stopped_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes no notice of a request, and would stay for ever."""
    monkeypatch.setattr(processes, "_PATIENCE", 0.5)
    executor = spawned(1)
    number = executor.submit(os.getpid).result(60)
    os.kill(number, signal.SIGSTOP)
    stop(executor)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_one_process_may_be_another_than_this() -> None:
    executor = spawned(1)
    assert executor.submit(os.getpid).result(60) != os.getpid()
    stop(executor)

"""The pace of a connection, on a real pair of sockets."""

import socket
import time
from collections.abc import Iterator

import pytest

from wikibias.dumps.web import http
from wikibias.dumps.web.http import LEAST_RATE, Pace


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window of a fraction of a second."""
    monkeypatch.setattr(http, "WINDOW", 0.1)


@pytest.fixture
def ours() -> Iterator[socket.socket]:
    """One end of a connection on which nothing ever comes."""
    here, there = socket.socketpair()
    with here, there:
        yield here


def test_a_read_that_takes_too_long_is_ended(ours: socket.socket) -> None:
    watched = Pace()
    watched.take(ours)
    with watched.waiting():
        assert ours.recv(1) == b""
    assert "takes more than" in watched.fault
    watched.end()


def test_a_whole_answer_that_takes_too_long_is_ended(ours: socket.socket) -> None:
    watched = Pace(limit=0.05)
    watched.take(ours)
    assert ours.recv(1) == b""
    assert "small file" in watched.fault
    watched.end()


def test_time_in_which_nobody_waits_does_not_count(ours: socket.socket) -> None:
    watched = Pace()
    watched.take(ours)
    with watched.waiting():
        pass
    time.sleep(0.3)
    assert not watched.is_too_slow(1)
    watched.end()


@pytest.mark.parametrize(("share", "slow"), [(0.9, True), (1.1, False)])
def test_the_least_rate(share: float, slow: bool) -> None:
    watched = Pace()
    begun = time.monotonic()
    with watched.waiting():
        time.sleep(0.1)
    waited = time.monotonic() - begun  # on a busy machine a sleep is longer than it was asked for
    assert watched.is_too_slow(round(share * LEAST_RATE * waited)) is slow
    watched.end()


def test_a_connection_that_comes_after_the_end_is_cut_too(ours: socket.socket) -> None:
    watched = Pace()
    watched.cut("stopped")
    watched.take(ours)
    assert ours.recv(1) == b""
    watched.end()
    assert watched.has_ended

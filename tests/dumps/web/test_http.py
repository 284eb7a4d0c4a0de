"""Requests to servers; `tests/cli/test_fetch.py` makes them to one that misbehaves."""

import hashlib
import os
import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from server import flooding, saying, serving
from wikibias.dumps.compression.streams import is_url
from wikibias.dumps.web import Remote, http
from wikibias.dumps.web.catalogue import RemoteStream, download
from wikibias.dumps.web.http import LEAST_RATE, Backoff, Pace, Web
from wikibias.errors import FetchError


def test_an_interrupt_ends_all_waiting() -> None:
    web = Web()
    web.stop()
    with pytest.raises(FetchError):
        web.pause(1000)


@pytest.mark.parametrize(
    ("location", "followed"),
    [
        ("/b", "https://example.org/b"),
        ("https://mirror.example.com/a", "https://mirror.example.com/a"),
        ("//mirror.example.com/a", "https://mirror.example.com/a"),
        ("http://example.org/a", None),
        ("file:///etc/passwd", None),
        ("ftp://example.org/a", None),
        ("https://[::1/", None),
    ],
)
def test_which_redirects_are_followed(location: str, followed: str | None) -> None:
    """Not from HTTPS to what anybody on the way can change."""
    if followed:
        assert http.redirected("https://example.org/a", location) == followed
        return
    with pytest.raises(FetchError, match="which is not followed"):
        http.redirected("https://example.org/a", location)


def test_a_redirect_is_followed() -> None:
    with serving() as server:
        server.files["/b"] = b"here"
        server.answers["/a"] = deque([(301, {"Location": "/b"})])
        assert Web().text(f"{server.url}/a") == "here"


def test_it_gives_up_after_several_tries() -> None:
    waited: list[float] = []
    backoff = Backoff(waited.append, "http://x")
    for _ in range(7):
        backoff.wait("busy")
    with pytest.raises(FetchError, match="http://x: busy; run the same command again later"):
        backoff.wait("busy")
    assert waited == [1, 2, 4, 8, 16, 32, 60]


@pytest.mark.parametrize(("step", "ends"), [(1, True), (1_000, True), (30_000, False)])
def test_only_progress_counts_the_tries_anew(step: int, ends: bool) -> None:
    """A server that sends a byte at each try would keep us for ever."""
    backoff, tries = Backoff(lambda seconds: None, "http://x"), 0
    with suppress(FetchError):
        for tries in range(30):
            backoff.reached(tries * step)
            backoff.wait("broke off")
    assert (tries < 29) is ends


def test_it_waits_as_long_as_the_server_asks_for_up_to_a_limit() -> None:
    waited: list[float] = []
    backoff = Backoff(waited.append, "http://x")
    backoff.wait("busy", 77)
    assert waited == [77]
    with pytest.raises(FetchError, match="asks to wait 1000000 minutes"):
        backoff.wait("busy", 1e300)


def test_each_wait_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    backoff = Backoff(lambda seconds: None, "http://x")
    backoff.wait("busy")
    backoff.wait("busy", 30)
    assert caplog.messages == [
        "Waits 1 s, then tries again (2 of 8): http://x: busy",
        "Waits 30 s, then tries again (3 of 8): http://x: busy",
    ]


def test_only_http_is_a_url() -> None:
    assert all(map(is_url, ["https://example.org/a.xml.bz2", "http://127.0.0.1:80/a.xml"]))
    assert not any(map(is_url, ["https.xml", "-", "ftp://example.org/a.xml"]))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window of a fraction of a second."""
    monkeypatch.setattr(http, "WINDOW", 0.1)


@pytest.fixture
def ours(impatient: None) -> Iterator[socket.socket]:
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


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("share", "slow"), [(0.9, True), (1.1, False)])
def test_the_least_rate(share: float, slow: bool) -> None:
    watched = Pace()
    watched.end()  # on a busy machine this one wait may be too long by itself
    with watched.waiting():
        time.sleep(0.11)
    assert watched.is_too_slow(round(share * LEAST_RATE * http.WINDOW)) is slow


def test_a_connection_that_comes_after_the_end_is_cut_too(ours: socket.socket) -> None:
    watched = Pace()
    watched.cut("stopped")
    watched.take(ours)
    assert ours.recv(1) == b""
    watched.end()
    assert watched.has_ended


BODY = b"0123456789" * 9


def remote(url: str) -> Remote:
    """Return what a list would say of the file."""
    return Remote("a.7z", url, len(BODY), "sha1", hashlib.sha1(BODY).hexdigest())


def test_other_bytes_than_those_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.7z.part").write_bytes(BODY[:40])
    other = b"HTTP/1.1 206 OK\r\nContent-Length: 70\r\nContent-Range: bytes 20-89/90\r\n\r\n"
    with serving() as server:
        server.answers["/a.7z"] = deque([saying(other + BODY[20:])])
        with pytest.raises(FetchError, match="other bytes than it was asked for"):
            download(Web(), remote(f"{server.url}/a.7z"), tmp_path / "a.7z", lambda size: None)


def test_a_file_is_on_disk_before_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name and size are all that a later run looks at, which a power failure may leave alone."""
    target, kept = tmp_path / "a.7z", list[bool]()

    def keep(number: int) -> None:
        kept.append(os.fstat(number).st_size == len(BODY) and not target.exists())

    monkeypatch.setattr(os, "fsync", keep)
    with serving() as server:
        server.files["/a.7z"] = BODY
        download(Web(), remote(f"{server.url}/a.7z"), target, lambda size: None)
    assert kept == [True]


def test_it_ends_where_the_server_said_that_the_file_ends() -> None:
    with serving() as server:
        server.files["/a.xml"] = b"x" * 1000
        server.answers["/a.xml"] = deque([flooding()])
        with RemoteStream(f"{server.url}/a.xml") as stream:
            assert stream.readable()
            assert stream.read() == b"x" * 1000
